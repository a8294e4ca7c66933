#pragma once

#include <cstdint>

#include "core/statistics/rate_mixture.hpp"

namespace bloometry::statistics {

/// The factor e^(theta H)/E e^(theta H) of Chernoff's bound and of the evidence of ByFilterTest. H
/// is the number of positives of one filter.
struct ChernoffTilt {
  double theta = 0.0;
  double log_mgf = 0.0;  ///< log E e^(theta H)

  /// Returns the log of the factor at H = positives. The negative of the log is an upper bound on
  /// the log of the tail probability beyond `positives`.
  [[nodiscard]] double log_factor(double positives) const { return theta * positives - log_mgf; }
};

/// Returns the tilt with the largest factor at `positives` of num_queries queries. The tilt's theta
/// has the sign of positives - mean and an absolute value of at most 700, so that e^theta stays
/// finite.
[[nodiscard]] ChernoffTilt best_tilt(const RateMixture& rates, std::uint64_t num_queries,
                                     double positives);

}  // namespace bloometry::statistics
