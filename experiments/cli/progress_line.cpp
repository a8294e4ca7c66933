#include "experiments/cli/progress_line.hpp"

#include <algorithm>
#include <cmath>
#include <iomanip>
#include <sstream>

#include "experiments/cli/text_table.hpp"

namespace bloometry {
namespace {

double share_done(const SweepProgress& progress) {
  if (progress.num_operations_planned == 0) return 1;
  // Sample checks come on top of the plan: never more than all of it.
  return std::min(1.0, static_cast<double>(progress.num_operations) /
                           static_cast<double>(progress.num_operations_planned));
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
