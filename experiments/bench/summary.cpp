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

Spread spread_of_ratios(std::span<const double> numerators, std::span<const double> denominators) {
  assert(numerators.size() == denominators.size());
  std::vector<double> ratios(numerators.size());
  std::transform(numerators.begin(), numerators.end(), denominators.begin(), ratios.begin(),
                 std::divides<>());
  return spread_of(ratios);
}

}  // namespace bloometry::bench
