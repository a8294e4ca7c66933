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
  kInherited,  ///< that of this program
  kNull,       ///< /dev/null
  kPipe,       ///< a pipe to this program
};

/// Starts a program below a process of its own, the keeper, which outlives this program long enough
/// to kill that program and all its descendants.
///
/// The keeper is a forked copy of this program that only waits. It is the reaper of all orphans
/// below it (PR_SET_CHILD_SUBREAPER), so that a descendant with a session of its own is found too.
/// It kills as soon as the pipe `life` is closed, which the kernel does whatever ends this program,
/// SIGKILL included. Without /proc only the process group of the program is killed.
/// Not affected: a process that another service starts on request of the program (cron, systemd).
class ChildProcess {
 public:
  struct Settings {
    std::vector<std::string> arguments;  ///< the program, found on PATH, and what it gets: no shell
    Stream input = Stream::kNull;
    Stream output = Stream::kNull;
    Stream errors = Stream::kInherited;
  };

  /// @throws IoError if no process can be started. That the program exists shows later.
  explicit ChildProcess(const Settings& settings);
  /// Kills the program and its descendants and waits until they are gone; so does a sudden end.
  ~ChildProcess();
  ChildProcess(const ChildProcess&) = delete;
  ChildProcess& operator=(const ChildProcess&) = delete;

  /// Our ends of the pipes to its standard streams; -1 if there is none, or it was closed. Input
  /// and output are non-blocking.
  [[nodiscard]] int input() const noexcept { return input_; }

  [[nodiscard]] int output() const noexcept { return output_; }

  [[nodiscard]] int errors() const noexcept { return errors_; }

  void close_input();

  /// Returns the status of the program as waitpid gives it, if it ends within `patience`.
  [[nodiscard]] std::optional<int> status_within(std::chrono::milliseconds patience);

  /// Waits for the end of the program and returns its status. @throws IoError if the keeper is
  /// gone.
  [[nodiscard]] int wait();

  /// Returns why the program could not be executed, as errno, once its status is known; 0 if it
  /// could. Its status is then that of exit code 127.
  [[nodiscard]] int start_error() const noexcept { return start_error_; }

 private:
  bool read_report();
  void end_life();

  pid_t keeper_ = -1;
  int life_ = -1;    // never written to; closing it is the signal
  int report_ = -1;  // a start error and the status come here
  int input_ = -1;
  int output_ = -1;
  int errors_ = -1;
  int start_error_ = 0;
  std::optional<int> status_;
  std::optional<AtSuddenEnd> end_;
};

}  // namespace bloometry
