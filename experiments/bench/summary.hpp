#pragma once

#include <span>

namespace bloometry::bench {

/// Summary of the repetitions of one figure.
struct Spread {
  double median = 0;
  double min = 0;
  double max = 0;
};

/// Returns the median, minimum and maximum of the values. The median of an even number of values is
/// the mean of the two middle values.
/// @param values at least one value
[[nodiscard]] Spread spread_of(std::span<const double> values);

/// Returns the spread of the ratio numerator / denominator over the repetitions. The numerator and
/// the denominator of a repetition were measured shortly after each other. A slow phase of the
/// machine therefore affects both in the same way. The two spans have equal, non-zero lengths.
[[nodiscard]] Spread spread_of_ratios(std::span<const double> numerators,
                                      std::span<const double> denominators);

}  // namespace bloometry::bench
