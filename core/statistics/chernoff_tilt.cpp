#include "core/statistics/chernoff_tilt.hpp"

#include <algorithm>
#include <boost/math/tools/minima.hpp>
#include <cmath>

namespace bloometry::statistics {

ChernoffTilt best_tilt(const RateMixture& rates, std::uint64_t num_queries, double positives) {
  constexpr double kLargestTheta = 700.0;
  const double p = rates.mean();
  const auto queries = static_cast<double>(num_queries);
  const double excess = positives - queries * p;
  const double variance = queries * (p * (1.0 - p) + (queries - 1.0) * rates.variance());
  const double sign = excess < 0.0 ? -1.0 : 1.0;
  const auto tilt_at = [&](double theta) {
    return ChernoffTilt{sign * theta, rates.log_mgf(sign * theta, num_queries)};
  };
  // The exponent is convex in theta and 0 at 0, so any theta gives a valid factor and the best
  // theta is unique.
  const auto exponent = [&](double theta) { return -tilt_at(theta).log_factor(positives); };
  // The best theta is about excess/variance. The loop doubles theta until the exponent rises.
  double high = std::max(1e-12, std::abs(excess) / std::max(variance, 1e-300));
  high = std::min(high, kLargestTheta);
  while (high < kLargestTheta && exponent(high) < exponent(high / 2.0)) high *= 2.0;
  high = std::min(high, kLargestTheta);
  constexpr int kBits =
      26;  // theta is accurate to 1e-8, and the exponent, flat at its minimum, to 1e-16
  const auto best = boost::math::tools::brent_find_minima(exponent, 0.0, high, kBits);
  return tilt_at(exponent(high) < best.second ? high : best.first);
}

}  // namespace bloometry::statistics
