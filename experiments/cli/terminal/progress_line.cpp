#include "experiments/cli/terminal/progress_line.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/core.h>

#include "experiments/cli/terminal/text_table.hpp"

namespace bloometry {
namespace {

double share_done(const SweepProgress& progress) {
  const bool is_weighted = progress.work_planned > 0;
  const auto planned = is_weighted ? progress.work_planned : progress.num_operations_planned;
  if (planned == 0) return 1;
  // Without the limit, the share could exceed 100 %, because the planned work is rounded.
  const auto done = is_weighted ? progress.work : progress.num_operations;
  return std::min(1.0, static_cast<double>(done) / static_cast<double>(planned));
}

/// Writes the text over a line of `num_shown` bytes on a terminal.
void rewrite(std::ostream& out, const std::string& text, std::size_t& num_shown) {
  out << '\r' << text << std::string(num_shown - std::min(num_shown, text.size()), ' ')
      << std::flush;
  num_shown = text.size();
}

}  // namespace

void ProgressLine::show(const SweepProgress& progress) {
  if (progress.num_operations_planned == 0) return;
  if (is_terminal_) return rewrite(out_, progress_text(progress), num_shown_);
  const int tenth = static_cast<int>(share_done(progress) * 10);
  if (tenth <= last_tenth_) return;
  last_tenth_ = tenth;
  out_ << progress_text(progress) << std::endl;
}

void ProgressLine::finish() {
  if (num_shown_ > 0) out_ << std::endl;
  num_shown_ = 0;
}

PlanningLine::~PlanningLine() {
  if (has_shown_ && is_terminal_) out_ << std::endl;
}

void PlanningLine::show(std::uint64_t num_rows) {
  constexpr std::chrono::milliseconds kTimeBetweenRewrites{200};
  const Clock::duration elapsed = Clock::now() - start_;
  if (elapsed < next_) return;
  next_ = is_terminal_ ? elapsed + kTimeBetweenRewrites : 2 * elapsed;
  has_shown_ = true;
  out_ << (is_terminal_ ? "\r" : "") << "planning: " << plural(num_rows, "row")
       << (is_terminal_ ? "" : "\n") << std::flush;
}

RowsLine::~RowsLine() {
  if (num_shown_ > 0) out_ << '\r' << std::string(num_shown_, ' ') << '\r' << std::flush;
}

void RowsLine::show(std::string_view what, std::uint64_t num_done, std::uint64_t num_all) {
  if (!is_terminal_ || Clock::now() - start_ < std::chrono::seconds(1)) return;
  rewrite(out_, fmt::format("{}: {} of {}", what, grouped(num_done), grouped(num_all)), num_shown_);
}

InputLine::~InputLine() {
  if (num_shown_ > 0) out_ << '\r' << std::string(num_shown_, ' ') << '\r' << std::flush;
}

void InputLine::show(std::string_view what, std::uint64_t num_bytes,
                     std::optional<std::uint64_t> num_bytes_all) {
  constexpr std::chrono::milliseconds kTimeBetweenRewrites{200};
  const Clock::duration elapsed = Clock::now() - start_;
  if (elapsed < next_) return;
  next_ = is_terminal_ ? elapsed + kTimeBetweenRewrites : 2 * elapsed;
  std::string text = fmt::format("{}: {}", what, memory_text(8 * num_bytes));
  if (num_bytes_all && *num_bytes_all > 0) {
    const double share = static_cast<double>(num_bytes) / static_cast<double>(*num_bytes_all);
    const double elapsed_s = std::chrono::duration<double>(elapsed).count();
    text += fmt::format(" of {}, {} left", memory_text(8 * *num_bytes_all),
                        duration_text(elapsed_s * (1 - share) / share));
  }
  if (is_terminal_) return rewrite(out_, text, num_shown_);
  out_ << text << std::endl;
}

std::string progress_text(const SweepProgress& progress) {
  const double share = share_done(progress);
  const double rate = progress.elapsed_s > 0
                          ? static_cast<double>(progress.num_operations) / progress.elapsed_s
                          : 0;
  std::string text = fmt::format("{:3} %  {} of {}  {} M keys/s", static_cast<int>(share * 100),
                                 grouped(progress.num_found_finished + progress.num_finished),
                                 plural(progress.num_units, "unit"), rounded(rate / 1e6, 3));
  if (share > 0 && share < 1) {
    text += fmt::format("  {} left", duration_text(progress.elapsed_s * (1 - share) / share));
  }
  return text;
}

std::string duration_text(double seconds) {
  const auto whole = static_cast<std::uint64_t>(std::ceil(std::max(0.0, seconds)));
  const std::uint64_t minutes = whole / 60 % 60;
  const std::uint64_t hours = whole / 3600;
  if (hours == 0) return fmt::format("{}:{:02}", minutes, whole % 60);
  return fmt::format("{}:{:02}:{:02}", hours, minutes, whole % 60);
}

}  // namespace bloometry
