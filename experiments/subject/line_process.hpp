#pragma once

#include <atomic>
#include <chrono>
#include <csignal>
#include <cstddef>
#include <stdexcept>
#include <string>
#include <string_view>

#include "experiments/process/child_process.hpp"

namespace bloometry {

/// What a stranger answered as it may stand in a message: cut short, without control characters.
[[nodiscard]] std::string printable(std::string_view text);

/// Thrown when the caller's stop flag was set while a subject was waited for.
class SubjectInterrupted : public std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// A command run by `sh -c` that is spoken to in lines: requests to its standard input, one line of
/// its standard output as the answer to each; its standard error is ours.
///
/// Reads while it writes, so that neither side can block the other whatever the size of a request.
/// The command is killed with this object, and so is everything that it started
/// (child_process.hpp). SIGPIPE is ignored meanwhile, process-wide.
class LineProcess {
 public:
  /// The longest time for one request and its answer, in timeouts: bytes that drip do not extend
  /// it.
  static constexpr int kMaxTimeouts = 10;

  struct Settings {
    std::string command;
    std::chrono::milliseconds timeout{60'000};  ///< longest time without a byte either way
    const std::atomic<bool>* stop = nullptr;    ///< looked at ten times a second
  };

  /// @throws IoError if no process can be started. That the command exists shows later.
  explicit LineProcess(const Settings& settings);
  ~LineProcess();
  LineProcess(const LineProcess&) = delete;
  LineProcess& operator=(const LineProcess&) = delete;

  /// Sends `request`, which must end in a line feed, and returns the next line without its end (LF
  /// or CR LF). `name` names the request in messages.
  /// @throws IoError, in one line, if the subject ends, stalls, answers more than one line, or more
  /// than max_answer bytes. @throws SubjectInterrupted if the stop flag is set.
  std::string exchange(std::string_view request, std::string_view name, std::size_t max_answer);

  /// Closes the command's input and waits up to the timeout, at most kMaxFarewell, for its end. No
  /// exchange may follow. @throws IoError unless it ends with exit code 0. @throws
  /// SubjectInterrupted if the stop flag is set.
  void finish();

  static constexpr std::chrono::milliseconds kMaxFarewell{10'000};

 private:
  void require_time_left(std::string_view name) const;
  void move_bytes(std::string_view& unsent, std::string_view name);
  void write_some(std::string_view& unsent);
  void read_some();
  [[noreturn]] void fail_because_it_ended(std::string_view name);
  std::string take_line(std::string_view name, std::size_t max_answer);

  Settings settings_;
  ChildProcess process_;
  std::string received_;
  bool has_ended_ = false;
  std::chrono::steady_clock::time_point started_;  // of the present exchange
  std::chrono::steady_clock::time_point last_progress_;
  void (*kept_handler_)(int) = SIG_DFL;
};

}  // namespace bloometry
