#pragma once

#include <span>

namespace bloometry::bench {

/// What is shown of the repetitions of one figure.
struct Spread {
  double median = 0;
  double min = 0;
  double max = 0;
};

/// The median is the mean of the two in the middle where their number is even.
/// @param values at least one
[[nodiscard]] Spread spread_of(std::span<const double> values);

/// Of numerator / denominator, repetition by repetition: both were taken within a moment of each
/// other, so that a machine that slows down slows both. Equal lengths, at least one.
[[nodiscard]] Spread spread_of_ratios(std::span<const double> numerators,
                                      std::span<const double> denominators);

}  // namespace bloometry::bench
