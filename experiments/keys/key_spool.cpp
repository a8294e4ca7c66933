#include "experiments/keys/key_spool.hpp"

#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fmt/core.h>
#include <string>
#include <system_error>

#include "core/error.hpp"
#include "experiments/process/sudden_end.hpp"

namespace bloometry {

FileDescriptor unnamed_file() {
  std::error_code error;
  const std::filesystem::path folder = std::filesystem::temp_directory_path(error);
  if (error) {
    throw IoError(
        fmt::format("the temporary folder (TMPDIR) cannot be used: {}; with -n, a temporary folder "
                    "is not needed",
                    error.message()));
  }
  std::string path = folder / "bloometry-keys-XXXXXX";
  const NoSuddenEnd until_it_has_no_name;
  const int fd = ::mkostemp(path.data(), O_CLOEXEC);
  if (fd < 0) throw IoError(fmt::format("cannot make {}: {}", path, std::strerror(errno)));
  ::unlink(path.c_str());
  return FileDescriptor::adopt("a temporary file in " + folder.string(), fd);
}

}  // namespace bloometry
