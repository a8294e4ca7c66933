#pragma once

#include <cstdint>

#include "core/statistics/rate_mixture.hpp"

namespace bloometry::statistics {

/// A factor e^(theta H)/E e^(theta H) of the hits H of one filter, by which Chernoff's bound and
/// evidence against a law are made.
struct ChernoffTilt {
  double theta = 0.0;
  double log_mgf = 0.0;  ///< log E e^(theta H)

  /// log of the factor at `hits`; minus it bounds the tail beyond them.
  [[nodiscard]] double log_factor(double hits) const { return theta * hits - log_mgf; }
};

/// The tilt whose factor at `hits` of num_queries queries is the largest, theta of the sign of hits
/// - mean and of size 700 at most, so that e^theta stays finite.
[[nodiscard]] ChernoffTilt best_tilt(const RateMixture& rates, std::uint64_t num_queries,
                                     double hits);

}  // namespace bloometry::statistics
