#include "experiments/cli/terminal/startup.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <csignal>

namespace bloometry {
namespace {

extern "C" void on_file_size_limit(int /*signal*/) {}

bool open_standard_descriptors() noexcept {
  for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; ++fd) {
    // open() returns the lowest free descriptor. The lowest free descriptor is fd, because all
    // lower descriptors are open. A closed input is opened for writing only, so that reads fail
    // instead of returning an empty input.
    const int access = fd == STDIN_FILENO ? O_WRONLY : O_RDWR;
    if (::fcntl(fd, F_GETFD) < 0 && ::open("/dev/null", access) != fd) return false;
  }
  return true;
}

}  // namespace

bool prepare_process() noexcept {
  // The signal has a handler instead of SIG_IGN, because child programs then start with the default
  // action.
  std::signal(SIGXFSZ, on_file_size_limit);
  return open_standard_descriptors();
}

}  // namespace bloometry
