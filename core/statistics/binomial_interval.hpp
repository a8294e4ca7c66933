#pragma once

#include <cstdint>

namespace bloometry::statistics {

struct Interval {
  double lower = 0.0;
  double upper = 1.0;
};

/// Returns the Clopper-Pearson interval of a proportion. The interval covers any true proportion
/// with probability >= 1 - alpha.
///
/// For x positives of Q queries, the lower limit is Beta quantile(alpha/2; x, Q-x+1), or 0 without
/// positives. The upper limit is Beta quantile(1-alpha/2; x+1, Q-x), or 1 if all queries are
/// positives. Without queries, the interval is [0, 1]. The value alpha = 0.05 means 95 %
/// confidence. The precision is full for a small alpha such as 1e-12, because 1 - alpha is never
/// computed.
/// @throws std::domain_error if positives > queries or alpha is outside (0, 1).
Interval clopper_pearson(std::uint64_t positives, std::uint64_t queries, double alpha);

}  // namespace bloometry::statistics
