#include "experiments/cli/terminal/progress_line.hpp"

#include <algorithm>
#include <cmath>
#include <iomanip>
#include <sstream>

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

std::string two_digits(std::uint64_t number) {
  return (number < 10 ? "0" : "") + std::to_string(number);
}

}  // namespace

void ProgressLine::show(const SweepProgress& progress) {
  if (progress.num_operations_planned == 0) return;
  if (is_terminal_) {
    const std::string text = progress_text(progress);
    out_ << '\r' << text << std::string(num_shown_ - std::min(num_shown_, text.size()), ' ')
         << std::flush;
    num_shown_ = text.size();
    return;
  }
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
  out_ << (is_terminal_ ? "\r" : "") << "planning: " << grouped(num_rows) << " rows"
       << (is_terminal_ ? "" : "\n") << std::flush;
}

RowsLine::~RowsLine() {
  if (num_shown_ > 0) out_ << '\r' << std::string(num_shown_, ' ') << '\r' << std::flush;
}

void RowsLine::show(std::string_view what, std::uint64_t num_done, std::uint64_t num_all) {
  if (!is_terminal_ || Clock::now() - start_ < std::chrono::seconds(1)) return;
  std::string text(what);
  text.append(": ").append(grouped(num_done)).append(" of ").append(grouped(num_all));
  out_ << '\r' << text << std::string(num_shown_ - std::min(num_shown_, text.size()), ' ')
       << std::flush;
  num_shown_ = text.size();
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
  std::string text(what);
  text.append(": ").append(memory_text(8 * num_bytes));
  if (num_bytes_all && *num_bytes_all > 0) {
    const double share = static_cast<double>(num_bytes) / static_cast<double>(*num_bytes_all);
    const double elapsed_s = std::chrono::duration<double>(elapsed).count();
    text.append(" of ").append(memory_text(8 * *num_bytes_all));
    text.append(", ").append(duration_text(elapsed_s * (1 - share) / share)).append(" left");
  }
  if (!is_terminal_) {
    out_ << text << std::endl;
    return;
  }
  out_ << '\r' << text << std::string(num_shown_ - std::min(num_shown_, text.size()), ' ')
       << std::flush;
  num_shown_ = text.size();
}

std::string progress_text(const SweepProgress& progress) {
  const double share = share_done(progress);
  const double rate = progress.elapsed_s > 0
                          ? static_cast<double>(progress.num_operations) / progress.elapsed_s
                          : 0;
  std::ostringstream text;
  text << std::setw(3) << static_cast<int>(share * 100) << " %  "
       << grouped(progress.num_found_finished + progress.num_finished) << " of "
       << grouped(progress.num_units) << " units  " << rounded(rate / 1e6, 3) << " M keys/s";
  if (share > 0 && share < 1) {
    text << "  " << duration_text(progress.elapsed_s * (1 - share) / share) << " left";
  }
  return text.str();
}

std::string duration_text(double seconds) {
  const auto whole = static_cast<std::uint64_t>(std::ceil(std::max(0.0, seconds)));
  const std::uint64_t minutes = whole / 60 % 60;
  const std::uint64_t hours = whole / 3600;
  if (hours == 0) return std::to_string(minutes) + ":" + two_digits(whole % 60);
  return std::to_string(hours) + ":" + two_digits(minutes) + ":" + two_digits(whole % 60);
}

}  // namespace bloometry
