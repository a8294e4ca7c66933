#include "experiments/cli/terminal/key_output.hpp"

#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "core/error.hpp"

namespace bloometry {

void KeyOutput::add(std::string_view record, bool is_text) {
  text_ += record;
  if (is_text && !record.ends_with('\n')) text_.push_back('\n');
}

void KeyOutput::write() {
  std::string_view rest = text_;
  while (!rest.empty()) {
    const ::ssize_t num_written = ::write(STDOUT_FILENO, rest.data(), rest.size());
    if (num_written < 0 && errno == EINTR) continue;
    if (num_written < 0 && errno == EPIPE) throw ClosedPipe();
    if (num_written < 0) {
      throw IoError(std::string("standard output could not be written: ") + std::strerror(errno));
    }
    rest.remove_prefix(static_cast<std::size_t>(num_written));
  }
  text_.clear();
}

}  // namespace bloometry
