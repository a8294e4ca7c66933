#pragma once

#include <vector>

#include "core/statistics/rate_mixture.hpp"

namespace bloometry::statistics {

/// Returns the alternatives of sequential tests: factors e^(+-s), where s starts at 0.05 and grows
/// in steps of sqrt 2. The factors range from 1/90 to 360,000. For any true factor that deviates by
/// more than 5 %, one of the returned factors has nearly the same log, within a fifth. A sequential
/// test with the returned factors loses at most half the best evidence per query. The mean over 31
/// factors reduces the log evidence once, by log 31 = 3.4; a test at alpha = 1e-6 needs 13.8. The
/// large factors are for rates near 0, at which the first few positives decide the test.
[[nodiscard]] std::vector<double> deviation_factors();

/// Returns the law of the rates multiplied by the factor. The factor is limited so that the mean
/// rate is at most 0.999, because a rate of 1 would make a negative impossible.
[[nodiscard]] RateMixture deviating(const RateMixture& rates, double factor);

}  // namespace bloometry::statistics
