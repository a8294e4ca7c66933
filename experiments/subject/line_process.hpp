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

/// Returns a shortened reply without control characters, for an error message.
[[nodiscard]] std::string printable(std::string_view text);

/// Thrown if the caller sets the stop flag while the program waits for a subject.
class SubjectInterrupted : public std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// A command, run by `sh -c`, that communicates in lines. The command receives requests on its
/// standard input and writes one line per request to its standard output. The command inherits the
/// standard error of this program.
///
/// The class reads while it writes, so that the command and the caller cannot block each other,
/// whatever the size of a request. The destructor kills the command and all its descendants
/// (child_process.hpp). SIGPIPE is ignored in the whole process as long as the object exists.
class LineProcess {
 public:
  /// Maximum time for one request and its reply, as a multiple of the timeout. The timeout restarts
  /// with every byte, but the maximum time does not.
  static constexpr int kMaxTimeouts = 10;

  struct Settings {
    std::string command;
    std::chrono::milliseconds timeout{60'000};  ///< maximum time without a byte in either direction
    const std::atomic<bool>* stop = nullptr;    ///< stop flag; checked ten times per second
  };

  /// Starts the command. If the shell cannot execute the command, a later call throws.
  /// @throws IoError if a process cannot be started.
  explicit LineProcess(const Settings& settings);
  ~LineProcess();
  LineProcess(const LineProcess&) = delete;
  LineProcess& operator=(const LineProcess&) = delete;

  /// Sends `request`, which must end in a line feed. Returns the next line of the command's output
  /// without the line end (LF or CR LF). Error messages contain `name` as the name of the request.
  /// @throws IoError, in one line, if the subject exits, stalls, or replies with more than one line
  /// or more than max_answer bytes. Throws SubjectInterrupted if the stop flag is set.
  std::string exchange(std::string_view request, std::string_view name, std::size_t max_answer);

  /// Closes the command's input and waits until the command exits, for at most the timeout and at
  /// most kMaxFarewell. The call of finish() must be the last call. Throws IoError unless the
  /// command exits with code 0. Throws SubjectInterrupted if the stop flag is set.
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
  std::chrono::steady_clock::time_point started_;  // start time of the current exchange
  std::chrono::steady_clock::time_point last_progress_;
  void (*kept_handler_)(int) = SIG_DFL;
};

}  // namespace bloometry
