#include "experiments/process/run_program.hpp"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <fmt/core.h>
#include <system_error>

#include "core/error.hpp"
#include "experiments/process/child_process.hpp"

namespace bloometry {
namespace {

/// Reads from a pipe until its other end is closed, and returns the bytes.
std::string read_all(int pipe) {
  std::string text;
  std::array<char, 4096> buffer{};
  while (true) {
    const ssize_t count = ::read(pipe, buffer.data(), buffer.size());
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return text;
    text.append(buffer.data(), static_cast<std::size_t>(count));
  }
}

/// Returns the most informative line of a program's output: the first line that contains `Error: `,
/// as node prints, otherwise the last line.
std::string telling_line(const std::string& text) {
  std::string last;
  std::string told;
  std::size_t position = 0;
  while (position < text.size()) {
    const std::size_t end = std::min(text.find('\n', position), text.size());
    const std::string line = text.substr(position, end - position);
    if (line.find("Error: ") != line.npos && told.empty()) told = line;
    if (!line.empty()) last = line;
    position = end + 1;
  }
  return told.empty() ? last : told;
}

}  // namespace

void run_program(const std::vector<std::string>& arguments, const std::string& debian_package) {
  ChildProcess child({.arguments = arguments, .errors = Stream::kPipe});
  const std::string errors = read_all(child.errors());
  const int status = child.wait();
  if (child.start_error() == ENOENT) {
    throw IoError(
        fmt::format("{} is not installed (Debian package {})", arguments.front(), debian_package));
  }
  if (child.start_error() != 0) {
    throw IoError(fmt::format("cannot run {}: {}", arguments.front(),
                              std::generic_category().message(child.start_error())));
  }
  if (status != 0)
    throw IoError(fmt::format("{} failed: {}", arguments.front(), telling_line(errors)));
}

}  // namespace bloometry
