#include "experiments/report/initial_capacity.hpp"

#include <algorithm>
#include <fmt/core.h>
#include <vector>

#include "core/text.hpp"
#include "experiments/text/number_text.hpp"

namespace bloometry::report {

std::string about_initial_capacity(const Rows& rows) {
  std::set<std::uint64_t> capacities;
  for (const SummaryRow* row : rows) {
    if (row->initial_capacity) capacities.insert(*row->initial_capacity);
  }
  const bool all_grow = std::all_of(rows.begin(), rows.end(), [](const SummaryRow* row) {
    return row->initial_capacity.has_value();
  });
  return about_initial_capacities(capacities, all_grow);
}

std::string about_initial_capacities(const std::set<std::uint64_t>& capacities, bool all_grow) {
  constexpr std::size_t kMostListed = 4;
  if (capacities.empty()) return "";
  const char* subject = all_grow ? "The filters" : "Filters that grow";
  if (capacities.size() == 1) {
    return fmt::format(" {} have an initial capacity of {}.", subject,
                       plural(*capacities.begin(), "key"));
  }
  if (capacities.size() > kMostListed) {
    return fmt::format(" {} have {} initial capacities from {} to {} keys.", subject,
                       capacities.size(), grouped(*capacities.begin()),
                       grouped(*capacities.rbegin()));
  }
  std::vector<std::string> texts;
  for (const std::uint64_t capacity : capacities) texts.push_back(grouped(capacity));
  const std::string last = texts.back();
  texts.pop_back();
  return fmt::format(" {} have initial capacities of {} and {} keys.", subject, joined(texts),
                     last);
}

}  // namespace bloometry::report
