#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

namespace bloometry {

/// Least whole number of blocks b with rate(b) <= p, for a rate that falls with b; infinite if 2^50
/// blocks do not reach it. `guess` is where the search starts, its cost in its distance from there;
/// a guess above 2^50, which is infinite for subnormal p, counts as an answer.
/// A caller's theory sums the same rate in another order, so rate(b) has to be below p by 1e-12 p.
template <class Rate>
double fewest_blocks(double guess, double p, Rate rate) {
  // Up to here b - 1, b and their mean are whole numbers that differ, so that the searches end.
  constexpr double kMost = 0x1p50;
  const auto keeps = [&](double num_blocks) { return rate(num_blocks) <= p * (1 - 1e-12); };
  double high = std::max(1.0, std::ceil(guess));
  if (high > kMost) return std::numeric_limits<double>::infinity();
  double fails = 0;
  while (!keeps(high)) {
    fails = high;
    high *= 2;
    if (high > kMost) return std::numeric_limits<double>::infinity();
  }
  // A good guess is little above the answer: gallop down before halving.
  for (double step = 1; fails == 0 && high > 1; step *= 2) {
    const double lower = std::max(1.0, high - step);
    (keeps(lower) ? high : fails) = lower;
  }
  while (high - fails > 1) {
    const double middle = std::floor(fails + (high - fails) / 2);
    (keeps(middle) ? high : fails) = middle;
  }
  return high;
}

}  // namespace bloometry
