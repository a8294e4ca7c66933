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
  kInherited,  ///< the same stream as this program
  kNull,       ///< /dev/null
  kPipe,       ///< a pipe from or to this program
};

/// Starts a program as the child of a separate process, the supervisor. If this program ends, the
/// supervisor kills the started program and all its descendants.
///
/// The supervisor is a forked copy of this program that only waits. It adopts all orphans below it
/// (PR_SET_CHILD_SUBREAPER), so it also finds a descendant with its own session. It kills the
/// processes when the pipe `lifeline` is closed. The kernel closes the pipe at any end of this
/// program, including SIGKILL. Without /proc the supervisor kills only the program's process group.
/// It does not affect a process that another service (cron, systemd) starts on request of the
/// program.
class ChildProcess {
 public:
  struct Settings {
    std::vector<std::string> arguments;  ///< the program, found in PATH, and its arguments
    Stream input = Stream::kNull;
    Stream output = Stream::kNull;
    Stream errors = Stream::kInherited;
  };

  /// Starts the supervisor and the program. An error in executing the program is reported later, by
  /// start_error().
  /// @throws IoError if a process cannot be started.
  explicit ChildProcess(const Settings& settings);
  /// Kills the program and its descendants and waits until they have ended. A sudden end of this
  /// program does the same.
  ~ChildProcess();
  ChildProcess(const ChildProcess&) = delete;
  ChildProcess& operator=(const ChildProcess&) = delete;

  /// Returns this program's end of the pipe to a standard stream of the child, or -1 if the pipe
  /// does not exist or was closed. Input and output are non-blocking.
  [[nodiscard]] int input() const noexcept { return input_; }

  [[nodiscard]] int output() const noexcept { return output_; }

  [[nodiscard]] int errors() const noexcept { return errors_; }

  void close_input();

  /// Returns the status of the program, as from waitpid, if the program ends within `patience`.
  [[nodiscard]] std::optional<int> status_within(std::chrono::milliseconds patience);

  /// Waits for the end of the program and returns its status. @throws IoError if the supervisor has
  /// ended.
  [[nodiscard]] int wait();

  /// Returns the errno of a failed execution, or 0 if the program was executed. It is valid once
  /// the status is known. After a failed execution the status is that of exit code 127.
  [[nodiscard]] int start_error() const noexcept { return start_error_; }

 private:
  bool read_report();
  void close_lifeline();

  pid_t keeper_ = -1;
  int lifeline_ = -1;  // closing this pipe tells the supervisor to kill
  int report_ = -1;    // pipe that receives a start error and the status
  int input_ = -1;
  int output_ = -1;
  int errors_ = -1;
  int start_error_ = 0;
  std::optional<int> status_;
  std::optional<AtSuddenEnd> end_;
};

}  // namespace bloometry
