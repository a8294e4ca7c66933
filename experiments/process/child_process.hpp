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
  kInherited,  ///< the same stream as in this program
  kNull,       ///< /dev/null
  kPipe,       ///< a pipe from or to this program
};

/// A program that runs as the child of a separate process, the supervisor. If this program ends,
/// the supervisor kills the started program and all its descendants.
///
/// The supervisor is a forked copy of this program that only waits. It becomes the parent of
/// orphaned descendants (PR_SET_CHILD_SUBREAPER), so it also finds a descendant that has started
/// its own session. It kills all descendants when the pipe `lifeline` is closed. The kernel closes
/// the pipe when this program ends, even after SIGKILL. Without /proc, only the program's process
/// group is killed. A process that the program starts through a service (cron, systemd) is not
/// killed.
class ChildProcess {
 public:
  struct Settings {
    std::vector<std::string> arguments;  ///< the program, found in PATH, and its arguments
    Stream input = Stream::kNull;
    Stream output = Stream::kNull;
    Stream errors = Stream::kInherited;
  };

  /// Starts the supervisor and the program. If the program cannot be executed, start_error() later
  /// returns the reason. @throws IoError if a process cannot be started
  explicit ChildProcess(const Settings& settings);
  /// Kills the program and its descendants, and waits until these processes have ended. If this
  /// program ends suddenly, a handler also kills the program and its descendants.
  ~ChildProcess();
  ChildProcess(const ChildProcess&) = delete;
  ChildProcess& operator=(const ChildProcess&) = delete;

  /// Returns this program's end of the pipe to a standard stream of the child, or -1 if the pipe
  /// does not exist or was closed. The pipes to input and output are non-blocking.
  [[nodiscard]] int input() const noexcept { return input_; }

  [[nodiscard]] int output() const noexcept { return output_; }

  [[nodiscard]] int errors() const noexcept { return errors_; }

  void close_input();

  /// Returns the status of the program, as from waitpid, or nullopt if the program does not end
  /// within `patience`.
  [[nodiscard]] std::optional<int> status_within(std::chrono::milliseconds patience);

  /// Waits for the end of the program and returns its status. @throws IoError if the supervisor has
  /// ended
  [[nodiscard]] int wait();

  /// Returns the errno of a failed execution, or 0 if the program was executed. The result is valid
  /// once the status of the program is known. After a failed execution, the status corresponds to
  /// exit code 127.
  [[nodiscard]] int start_error() const noexcept { return start_error_; }

 private:
  bool read_report();
  void close_lifeline();

  pid_t keeper_ = -1;
  int lifeline_ = -1;  // when this pipe is closed, the supervisor kills its descendants
  int report_ = -1;    // pipe that receives a start error and the status
  int input_ = -1;
  int output_ = -1;
  int errors_ = -1;
  int start_error_ = 0;
  std::optional<int> status_;
  std::optional<AtSuddenEnd> end_;
};

}  // namespace bloometry
