#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <ostream>
#include <string>
#include <string_view>

#include "experiments/sweep/run_sweep.hpp"

namespace bloometry {

/// Shows the progress of a run. On a terminal, the class rewrites one line. If the output is not a
/// terminal, the class prints one line per 10 %.
class ProgressLine {
 public:
  ProgressLine(std::ostream& out, bool is_terminal) : out_(out), is_terminal_(is_terminal) {}

  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;

  ~ProgressLine() { finish(); }

  void show(const SweepProgress& progress);

  /// Moves the terminal's cursor to a new line.
  void finish();

 private:
  std::ostream& out_;
  bool is_terminal_;
  std::size_t num_shown_ = 0;  // length of the line on the terminal, in characters
  int last_tenth_ = 0;
};

/// Shows the number of planned rows, starting after one second. On a terminal, the class rewrites
/// one line. If the output is not a terminal, the class prints a line after 1, 2, 4, 8 ... seconds.
class PlanningLine {
 public:
  PlanningLine(std::ostream& out, bool is_terminal) : out_(out), is_terminal_(is_terminal) {}

  PlanningLine(const PlanningLine&) = delete;
  PlanningLine& operator=(const PlanningLine&) = delete;

  /// Moves the terminal's cursor to a new line.
  ~PlanningLine();

  void show(std::uint64_t num_rows);

 private:
  using Clock = std::chrono::steady_clock;

  std::ostream& out_;
  bool is_terminal_;
  bool has_shown_ = false;
  Clock::time_point start_ = Clock::now();
  Clock::duration next_ = std::chrono::seconds(1);  // time since the start
};

/// Shows the number of rows compared with theory, starting after one second. On a terminal, the
/// class rewrites one line and finally removes the line. If the output is not a terminal, the class
/// does not print.
class RowsLine {
 public:
  RowsLine(std::ostream& out, bool is_terminal) : out_(out), is_terminal_(is_terminal) {}

  RowsLine(const RowsLine&) = delete;
  RowsLine& operator=(const RowsLine&) = delete;

  ~RowsLine();

  /// Shows the progress. The text `what` names the current activity, such as `testing rows`.
  void show(std::string_view what, std::uint64_t num_done, std::uint64_t num_all);

 private:
  using Clock = std::chrono::steady_clock;

  std::ostream& out_;
  bool is_terminal_;
  std::size_t num_shown_ = 0;  // length of the line on the terminal, in characters
  Clock::time_point start_ = Clock::now();
};

/// Shows the share of the input that has been read. On a terminal, the class starts after one
/// second, rewrites one line and finally removes the line. If the output is not a terminal, the
/// class prints a line after 10, 20, 40, 80 ... seconds.
class InputLine {
 public:
  InputLine(std::ostream& out, bool is_terminal) : out_(out), is_terminal_(is_terminal) {}

  InputLine(const InputLine&) = delete;
  InputLine& operator=(const InputLine&) = delete;

  ~InputLine();

  /// Shows the progress. The text `what` names the current activity, such as `inserting keys`. The
  /// input size num_bytes_all is absent for a pipe.
  void show(std::string_view what, std::uint64_t num_bytes,
            std::optional<std::uint64_t> num_bytes_all);

 private:
  using Clock = std::chrono::steady_clock;

  std::ostream& out_;
  bool is_terminal_;
  std::size_t num_shown_ = 0;  // length of the line on the terminal, in characters
  Clock::time_point start_ = Clock::now();
  Clock::duration next_ = is_terminal_ ? std::chrono::seconds(1) : std::chrono::seconds(10);
};

/// Returns the progress as text, such as ` 45 %  12 of 120 units  85.2 M keys/s  0:12 left`.
[[nodiscard]] std::string progress_text(const SweepProgress& progress);

/// Returns the duration as text, such as 0:07, 12:40 or 3:05:00.
[[nodiscard]] std::string duration_text(double seconds);

}  // namespace bloometry
