#pragma once

#include <sys/types.h>

#include <chrono>
#include <optional>
#include <string>

namespace bloometry {

/// Starts a command with `sh -c` below a process of its own, the keeper, which outlives this
/// program long enough to kill the command and all its descendants.
///
/// The keeper is a forked copy of this program that only waits. It is the reaper of all orphans
/// below it (PR_SET_CHILD_SUBREAPER), so that a descendant with a session of its own is found too.
/// It kills as soon as the pipe `life` is closed, which the kernel does whatever ends this program,
/// SIGKILL included. Without /proc only the process group of the command is killed.
/// Not affected: a process that another service starts on request of the command (cron, systemd).
class Keeper {
 public:
  /// @throws IoError if no process can be started. That the command exists shows later.
  explicit Keeper(const std::string& command);
  /// Kills the command and its descendants and waits until they are gone.
  ~Keeper();
  Keeper(const Keeper&) = delete;
  Keeper& operator=(const Keeper&) = delete;

  /// Ends of the command's standard input and output; non-blocking. -1 once closed.
  [[nodiscard]] int input() const noexcept { return input_; }

  [[nodiscard]] int output() const noexcept { return output_; }

  void close_input();

  /// Returns the status of the command as waitpid gives it, if it ends within `patience`.
  [[nodiscard]] std::optional<int> status_within(std::chrono::milliseconds patience);

 private:
  pid_t keeper_ = -1;
  int life_ = -1;    // never written to; closing it is the signal
  int report_ = -1;  // the keeper writes the status here
  int input_ = -1;
  int output_ = -1;
  std::optional<int> status_;
};

}  // namespace bloometry
