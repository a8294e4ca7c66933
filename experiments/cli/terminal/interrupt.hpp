#pragma once

#include <array>
#include <atomic>
#include <chrono>
#include <csignal>
#include <string>
#include <thread>

#include "experiments/files/open_temporaries.hpp"
#include "experiments/process/sudden_end.hpp"

namespace bloometry {

/// Handles SIGINT, SIGTERM and SIGHUP within a second in every state of the program. The first
/// signal sets the flag. If the command has not stopped after `grace`, end_suddenly() ends the
/// process with exit code 130. After a second signal, end_suddenly() ends the process at once. A
/// third signal kills the process. A sudden end removes the files that are being written. If SIGHUP
/// was ignored when the watch began, SIGHUP stays ignored (nohup). SIGINT is handled even if SIGINT
/// was ignored. Shell scripts start background jobs with SIGINT ignored, but `kill -INT` must still
/// end such jobs.
///
/// Only one watch may exist at a time. Declare the watch first in a command, so that it covers the
/// whole command.
class InterruptWatch {
 public:
  /// Maximum time that a command may need to stop if the command checks the flag.
  static constexpr std::chrono::milliseconds kGrace{500};

  /// Installs the signal handlers.
  /// @param kept description of the results that are kept, for the message
  /// `bloometry: interrupted; <kept>`.
  /// @param grace time that the command may need to stop; 0 if the command does not check the flag.
  /// @throws IoError if a pipe or a thread cannot be created.
  explicit InterruptWatch(std::string kept, std::chrono::milliseconds grace = {});
  ~InterruptWatch();
  InterruptWatch(const InterruptWatch&) = delete;
  InterruptWatch& operator=(const InterruptWatch&) = delete;

  [[nodiscard]] static const std::atomic<bool>& flag() noexcept;

  /// Replaces the description of the results that are kept.
  void keep(std::string kept);

  /// Prints one line about the interrupted command. Later calls on the same watch do not print.
  /// @return the exit code of an interrupted command.
  int say_interrupted(const std::string& kept);

 private:
  void start_listening();
  void close_pipe() noexcept;
  void listen();
  [[nodiscard]] char next_event(int timeout_ms) const;
  [[nodiscard]] std::string line(const std::string& kept) const;

  static constexpr std::array kSignals = {SIGINT, SIGTERM, SIGHUP};

  std::string kept_;  // guarded by NoSuddenEnd
  std::chrono::milliseconds grace_;
  bool has_spoken_ = false;  // guarded by NoSuddenEnd
  std::array<int, 2> pipe_{};
  std::array<struct sigaction, kSignals.size()> before_{};
  AtSuddenEnd removal_{remove_open_temporaries};
  std::thread listener_;
};

}  // namespace bloometry
