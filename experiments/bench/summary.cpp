#include "experiments/bench/summary.hpp"

#include <algorithm>
#include <cassert>
#include <functional>
#include <vector>

namespace bloometry::bench {

Spread spread_of(std::span<const double> values) {
  assert(!values.empty());
  std::vector<double> sorted(values.begin(), values.end());
  std::sort(sorted.begin(), sorted.end());
  const std::size_t middle = sorted.size() / 2;
  const double median =
      sorted.size() % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
  return {.median = median, .min = sorted.front(), .max = sorted.back()};
}

Spread ratio_to_floor(std::span<const double> times, std::span<const double> floors) {
  assert(times.size() == floors.size());
  std::vector<double> ratios(times.size());
  std::transform(times.begin(), times.end(), floors.begin(), ratios.begin(), std::divides<>());
  return spread_of(ratios);
}

}  // namespace bloometry::bench
