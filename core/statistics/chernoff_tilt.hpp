#pragma once

#include <cstdint>

#include "core/statistics/rate_mixture.hpp"

namespace bloometry::statistics {

/// A factor e^(theta H)/E e^(theta H) of the positives H of one filter. Chernoff's bound and
/// evidence against a law are built from it.
struct ChernoffTilt {
  double theta = 0.0;
  double log_mgf = 0.0;  ///< log E e^(theta H)

  /// Returns the log of the factor at `positives`; its negative bounds the tail beyond them.
  [[nodiscard]] double log_factor(double positives) const { return theta * positives - log_mgf; }
};

/// Returns the tilt whose factor at `positives` of num_queries queries is the largest. theta has
/// the sign of positives - mean and an absolute value of at most 700, so that e^theta stays finite.
[[nodiscard]] ChernoffTilt best_tilt(const RateMixture& rates, std::uint64_t num_queries,
                                     double positives);

}  // namespace bloometry::statistics
