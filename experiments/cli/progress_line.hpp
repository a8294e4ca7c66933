#pragma once

#include <ostream>
#include <string>

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

/// ` 45 %  12 of 120 units  85.2 M keys/s  0:12 left`
[[nodiscard]] std::string progress_text(const SweepProgress& progress);

/// 0:07, 12:40 or 3:05:00.
[[nodiscard]] std::string duration_text(double seconds);

}  // namespace bloometry
