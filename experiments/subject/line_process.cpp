#include "experiments/subject/line_process.hpp"

#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <fmt/core.h>

#include "core/error.hpp"
#include "experiments/text/printable.hpp"

namespace bloometry {
namespace {

using std::chrono::steady_clock;

constexpr int kPollMilliseconds = 100;
constexpr int kFarewellPollMilliseconds = 5;
constexpr std::size_t kShownBytes = 200;  // maximum length of a reply in an error message

std::string how_it_ended(int status) {
  if (WIFSIGNALED(status)) return fmt::format("was ended by signal {}", WTERMSIG(status));
  const int code = WEXITSTATUS(status);
  return fmt::format("ended with exit code {}{}", code, code == 127 ? " (command not found)" : "");
}

/// Returns the time in seconds as text, such as 60 or 0.2.
std::string seconds_text(std::chrono::milliseconds time) {
  std::string text = std::to_string(time.count() / 1000);
  if (time.count() % 1000 != 0) text += fmt::format(".{}", time.count() % 1000 / 100);
  return text;
}

}  // namespace

std::string printable(std::string_view text) {
  return printable(text, kShownBytes);
}

LineProcess::LineProcess(const Settings& settings)
    : settings_(settings),
      process_({.arguments = {"sh", "-c", settings.command},
                .input = Stream::kPipe,
                .output = Stream::kPipe}) {
  kept_handler_ = std::signal(SIGPIPE, SIG_IGN);
}

LineProcess::~LineProcess() {
  std::signal(SIGPIPE, kept_handler_);
}

std::string LineProcess::exchange(std::string_view request, std::string_view name,
                                  std::size_t max_answer) {
  std::string_view unsent = request;
  started_ = last_progress_ = steady_clock::now();
  while (!unsent.empty() || received_.find('\n') == std::string::npos) {
    if (received_.size() > max_answer + 2) {
      throw IoError(
          fmt::format("the subject answered '{}' with a line of more than {} characters: '{}'",
                      name, max_answer, printable(received_)));
    }
    // The subject has replied and closed its output before reading the whole request, so it cannot
    // send more replies.
    if (has_ended_ && received_.find('\n') != std::string::npos) break;
    if (has_ended_) fail_because_it_ended(name);
    move_bytes(unsent, name);
  }
  return take_line(name, max_answer);
}

void LineProcess::move_bytes(std::string_view& unsent, std::string_view name) {
  std::array<pollfd, 2> waits{pollfd{process_.output(), POLLIN, 0},
                              pollfd{unsent.empty() ? -1 : process_.input(), POLLOUT, 0}};
  const int num_ready = ::poll(waits.data(), waits.size(), kPollMilliseconds);
  if (settings_.stop != nullptr && *settings_.stop) throw SubjectInterrupted("interrupted");
  if (num_ready > 0) {
    if ((waits[0].revents & (POLLIN | POLLHUP | POLLERR)) != 0) read_some();
    if ((waits[1].revents & (POLLOUT | POLLERR)) != 0) write_some(unsent);
  }
  require_time_left(name);
}

void LineProcess::require_time_left(std::string_view name) const {
  const auto now = steady_clock::now();
  if (now - last_progress_ > settings_.timeout) {
    throw IoError(fmt::format("the subject did not answer '{}' within {} s (see --timeout)", name,
                              seconds_text(settings_.timeout)));
  }
  if (now - started_ > kMaxTimeouts * settings_.timeout) {
    throw IoError(fmt::format(
        "the subject did not complete its answer to '{}' within {} s, {} times --timeout", name,
        seconds_text(kMaxTimeouts * settings_.timeout), kMaxTimeouts));
  }
}

void LineProcess::write_some(std::string_view& unsent) {
  const ssize_t count = ::write(process_.input(), unsent.data(), unsent.size());
  if (count > 0) {
    unsent.remove_prefix(static_cast<std::size_t>(count));
    last_progress_ = steady_clock::now();
  } else if (count < 0 && errno == EPIPE) {
    unsent = {};  // the process has stopped reading; its exit status is reported later
  }
}

void LineProcess::read_some() {
  std::array<char, 65536> buffer{};
  const ssize_t count = ::read(process_.output(), buffer.data(), buffer.size());
  if (count > 0) {
    received_.append(buffer.data(), static_cast<std::size_t>(count));
    last_progress_ = steady_clock::now();
  } else if (count == 0) {
    has_ended_ = true;
  }
}

void LineProcess::fail_because_it_ended(std::string_view name) {
  // The process has closed its output and will usually exit soon.
  const auto status = process_.status_within(std::chrono::milliseconds(1000));
  throw IoError(fmt::format("the subject {} before it answered '{}'",
                            status ? how_it_ended(*status) : "closed its output", name));
}

void LineProcess::finish() {
  const auto patience = std::min<std::chrono::milliseconds>(settings_.timeout, kMaxFarewell);
  const auto deadline = steady_clock::now() + patience;
  process_.close_input();
  auto status = process_.status_within(std::chrono::milliseconds(0));
  while (!status && steady_clock::now() < deadline) {
    if (settings_.stop != nullptr && *settings_.stop) throw SubjectInterrupted("interrupted");
    if (!has_ended_) read_some();  // unread output could block the exit
    status = process_.status_within(std::chrono::milliseconds(kFarewellPollMilliseconds));
  }
  const std::string rule = "; a subject must end with exit code 0 at the end of its input";
  if (!status) {
    throw IoError(fmt::format("the subject still runs {} s after its last answer{}",
                              seconds_text(patience), rule));
  }
  if (*status != 0) {
    throw IoError(
        fmt::format("the subject {} after its last answer{}", how_it_ended(*status), rule));
  }
}

std::string LineProcess::take_line(std::string_view name, std::size_t max_answer) {
  const std::size_t end = received_.find('\n');
  std::string line = received_.substr(0, end);
  received_.erase(0, end + 1);
  if (!line.empty() && line.back() == '\r') line.pop_back();
  if (!received_.empty()) {
    throw IoError(
        fmt::format("the subject answered '{}' with more than one line, the second beginning '{}'",
                    name, printable(received_)));
  }
  if (line.size() > max_answer) {
    throw IoError(fmt::format(
        "the subject answered '{}' with a line of {} characters, at most {} are allowed: '{}'",
        name, line.size(), max_answer, printable(line)));
  }
  return line;
}

}  // namespace bloometry
