#include "experiments/report/row_selection.hpp"

#include <algorithm>
#include <fmt/core.h>

#include "core/text.hpp"
#include "experiments/text/number_text.hpp"

namespace bloometry::report {

void RowSelection::keep(Rows kept, std::string_view reason) {
  add(rows_.size() - kept.size(), reason);
  rows_ = std::move(kept);
}

void RowSelection::add(std::size_t count, std::string_view reason) {
  if (count == 0) return;
  const auto found = std::find_if(left_out_.begin(), left_out_.end(),
                                  [&](const auto& entry) { return entry.first == reason; });
  if (found == left_out_.end()) {
    left_out_.emplace_back(reason, count);
  } else {
    found->second += count;
  }
}

std::string RowSelection::caption() const {
  return account_of(num_all_, left_out_, "point");
}

std::string account_of(std::size_t num_all,
                       const std::vector<std::pair<std::string, std::size_t>>& left_out,
                       std::string_view noun) {
  std::size_t num_drawn = num_all;
  std::vector<std::string> parts;
  for (const auto& [reason, count] : left_out) {
    if (count == 0) continue;
    num_drawn -= count;
    parts.push_back(fmt::format("{} {}", plural(count, noun), reason));
  }
  if (parts.empty()) return "";
  return fmt::format(" Drawn: {} of {}. Left out: {}.", grouped(num_drawn), plural(num_all, noun),
                     joined(parts, {}, "; "));
}

}  // namespace bloometry::report
