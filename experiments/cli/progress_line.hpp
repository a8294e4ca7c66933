#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <ostream>
#include <string>
#include <string_view>

#include "experiments/sweep/run_sweep.hpp"

namespace bloometry {

/// Shows how far a run is: on a terminal one line that is rewritten, else one line for each 10 %.
class ProgressLine {
 public:
  ProgressLine(std::ostream& out, bool is_terminal) : out_(out), is_terminal_(is_terminal) {}

  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;

  ~ProgressLine() { finish(); }

  void show(const SweepProgress& progress);

  /// Leaves the terminal's cursor on a fresh line.
  void finish();

 private:
  std::ostream& out_;
  bool is_terminal_;
  std::size_t num_shown_ = 0;  // characters of the line on the terminal
  int last_tenth_ = 0;
};

/// Shows how many rows are planned, once planning has taken a second: on a terminal one line that
/// is rewritten, else a line at 1, 2, 4, 8 ... seconds.
class PlanningLine {
 public:
  PlanningLine(std::ostream& out, bool is_terminal) : out_(out), is_terminal_(is_terminal) {}

  PlanningLine(const PlanningLine&) = delete;
  PlanningLine& operator=(const PlanningLine&) = delete;

  /// Leaves the terminal's cursor on a fresh line.
  ~PlanningLine();

  void show(std::uint64_t num_rows);

 private:
  using Clock = std::chrono::steady_clock;

  std::ostream& out_;
  bool is_terminal_;
  bool has_shown_ = false;
  Clock::time_point start_ = Clock::now();
  Clock::duration next_ = std::chrono::seconds(1);  // since the start
};

/// Shows how many rows are compared with theory, once that has taken a second: on a terminal one
/// line that is rewritten and at last removed, else nothing.
class RowsLine {
 public:
  RowsLine(std::ostream& out, bool is_terminal) : out_(out), is_terminal_(is_terminal) {}

  RowsLine(const RowsLine&) = delete;
  RowsLine& operator=(const RowsLine&) = delete;

  ~RowsLine();

  /// @param what the program does with the rows: `testing rows`.
  void show(std::string_view what, std::uint64_t num_done, std::uint64_t num_all);

 private:
  using Clock = std::chrono::steady_clock;

  std::ostream& out_;
  bool is_terminal_;
  std::size_t num_shown_ = 0;  // characters of the line
  Clock::time_point start_ = Clock::now();
};

/// Shows how much of the input is read, once that has taken a second: on a terminal one line that
/// is rewritten and at last removed, else a line after 10, 20, 40, 80 ... seconds.
class InputLine {
 public:
  InputLine(std::ostream& out, bool is_terminal) : out_(out), is_terminal_(is_terminal) {}

  InputLine(const InputLine&) = delete;
  InputLine& operator=(const InputLine&) = delete;

  ~InputLine();

  /// @param what the program does: `inserting keys`. @param num_bytes_all absent for a pipe
  void show(std::string_view what, std::uint64_t num_bytes,
            std::optional<std::uint64_t> num_bytes_all);

 private:
  using Clock = std::chrono::steady_clock;

  std::ostream& out_;
  bool is_terminal_;
  std::size_t num_shown_ = 0;  // characters of the line on the terminal
  Clock::time_point start_ = Clock::now();
  Clock::duration next_ = is_terminal_ ? std::chrono::seconds(1) : std::chrono::seconds(10);
};

/// ` 45 %  12 of 120 units  85.2 M keys/s  0:12 left`
[[nodiscard]] std::string progress_text(const SweepProgress& progress);

/// 0:07, 12:40 or 3:05:00.
[[nodiscard]] std::string duration_text(double seconds);

}  // namespace bloometry
