#include "experiments/cli/startup.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <csignal>

namespace bloometry {
namespace {

extern "C" void on_file_size_limit(int /*signal*/) {}

bool open_standard_descriptors() noexcept {
  for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; ++fd) {
    // open() returns the lowest free number, which is fd, since all lower ones are open. A closed
    // input is opened for writing only, so that reading fails instead of returning an empty input.
    const int access = fd == STDIN_FILENO ? O_WRONLY : O_RDWR;
    if (::fcntl(fd, F_GETFD) < 0 && ::open("/dev/null", access) != fd) return false;
  }
  return true;
}

}  // namespace

bool prepare_process() noexcept {
  // A handler, not SIG_IGN: child programs get the default action again.
  std::signal(SIGXFSZ, on_file_size_limit);
  return open_standard_descriptors();
}

}  // namespace bloometry
