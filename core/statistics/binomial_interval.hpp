#pragma once

#include <cstdint>

namespace bloometry::statistics {

struct Interval {
  double lower = 0.0;
  double upper = 1.0;
};

/// Clopper-Pearson interval of a proportion: covers it with probability >= 1 - alpha, whatever it
/// is.
///
/// lower = Beta quantile(alpha/2; x, Q-x+1), 0 for no hit; upper = Beta quantile(1-alpha/2; x+1,
/// Q-x), 1 for all hits; [0, 1] without a query. alpha = 0.05 is 95 % confidence; small alpha
/// (1e-12) is exact because 1 - alpha is never formed.
/// @throws std::domain_error if hits > queries or alpha is outside (0, 1).
Interval clopper_pearson(std::uint64_t hits, std::uint64_t queries, double alpha);

}  // namespace bloometry::statistics
