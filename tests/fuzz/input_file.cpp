#include "tests/fuzz/input_file.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <cstddef>
#include <string>

#include "tests/fuzz/checks.hpp"

namespace bloometry::fuzz {

InputFile::InputFile()
    : fd_(::memfd_create("input", MFD_CLOEXEC)), path_("/proc/self/fd/" + std::to_string(fd_)) {
  require(fd_ >= 0, "the system has files in memory");
}

InputFile::~InputFile() {
  ::close(fd_);
}

void InputFile::write(std::string_view bytes) const {
  const bool is_cut = ::ftruncate(fd_, 0) == 0;
  const auto num_written = ::pwrite(fd_, bytes.data(), bytes.size(), 0);
  require(is_cut && num_written >= 0 && static_cast<std::size_t>(num_written) == bytes.size(),
          "the input was written");
}

}  // namespace bloometry::fuzz
