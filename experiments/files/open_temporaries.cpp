#include "experiments/files/open_temporaries.hpp"

#include <unistd.h>

#include <filesystem>
#include <system_error>

#include "core/file/temporary_names.hpp"

namespace bloometry {

namespace fs = std::filesystem;

void remove_open_temporaries() noexcept {
  std::error_code error;
  fs::directory_iterator descriptor("/proc/self/fd", error);
  for (; !error && descriptor != fs::directory_iterator(); descriptor.increment(error)) {
    std::error_code is_closed;
    const fs::path path = fs::read_symlink(descriptor->path(), is_closed);
    if (is_temporary_name(path.filename().string())) ::unlink(path.c_str());
  }
}

}  // namespace bloometry
