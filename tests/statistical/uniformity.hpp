#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "core/statistics/special_functions.hpp"
#include "tests/support/reference/goodness_of_fit.hpp"

namespace bloometry::test {

/// Returns the two-tailed chi-square p-value of counts in equally likely cells. Counts that are too
/// even indicate a counter instead of a random source (theory 9.5).
inline double two_sided_p_value(const std::vector<std::uint64_t>& observed) {
  const double p_value =
      statistics::chi_square_p_value(test::chi_square_statistic(observed), observed.size() - 1);
  return 2 * std::min(p_value, 1 - p_value);
}

}  // namespace bloometry::test
