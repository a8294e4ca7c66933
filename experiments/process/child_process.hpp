#pragma once

#include <sys/types.h>

#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include "experiments/process/sudden_end.hpp"

namespace bloometry {

/// A standard stream of a child process.
enum class Stream {
  kInherited,  ///< the stream of this program
  kNull,       ///< /dev/null
  kPipe,       ///< a pipe to this program
};

/// Starts a program as the child of a separate process, the keeper. The keeper outlives this
/// program long enough to kill the started program and all its descendants.
///
/// The keeper is a forked copy of this program that only waits. It reaps all orphans below it
/// (PR_SET_CHILD_SUBREAPER), so it also finds a descendant with its own session. It kills as soon
/// as the pipe `lifeline` is closed. The kernel closes the pipe whatever ends this program, SIGKILL
/// included. Without /proc it kills only the program's process group.
/// It does not affect a process that another service (cron, systemd) starts on request of the
/// program.
class ChildProcess {
 public:
  struct Settings {
    std::vector<std::string> arguments;  ///< the program, found on PATH, and its arguments
    Stream input = Stream::kNull;
    Stream output = Stream::kNull;
    Stream errors = Stream::kInherited;
  };

  /// Starts the keeper and the program. An error in executing the program is reported later, by
  /// start_error().
  /// @throws IoError if a process cannot be started.
  explicit ChildProcess(const Settings& settings);
  /// Kills the program and its descendants and waits until they are gone. A sudden end of this
  /// program does the same.
  ~ChildProcess();
  ChildProcess(const ChildProcess&) = delete;
  ChildProcess& operator=(const ChildProcess&) = delete;

  /// Returns our end of the pipe to a standard stream; -1 if it does not exist or was closed. Input
  /// and output are non-blocking.
  [[nodiscard]] int input() const noexcept { return input_; }

  [[nodiscard]] int output() const noexcept { return output_; }

  [[nodiscard]] int errors() const noexcept { return errors_; }

  void close_input();

  /// Returns the status of the program as waitpid gives it, if the program ends within `patience`.
  [[nodiscard]] std::optional<int> status_within(std::chrono::milliseconds patience);

  /// Waits for the end of the program and returns its status. @throws IoError if the keeper is
  /// gone.
  [[nodiscard]] int wait();

  /// Returns the errno of a failed execution once the status is known; 0 if the program was
  /// executed. The status after a failure is that of exit code 127.
  [[nodiscard]] int start_error() const noexcept { return start_error_; }

 private:
  bool read_report();
  void close_lifeline();

  pid_t keeper_ = -1;
  int lifeline_ = -1;  // never written to; closing it is the signal
  int report_ = -1;    // receives a start error and the status
  int input_ = -1;
  int output_ = -1;
  int errors_ = -1;
  int start_error_ = 0;
  std::optional<int> status_;
  std::optional<AtSuddenEnd> end_;
};

}  // namespace bloometry
