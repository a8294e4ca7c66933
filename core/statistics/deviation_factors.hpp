#pragma once

#include <vector>

#include "core/statistics/rate_mixture.hpp"

namespace bloometry::statistics {

/// Returns the alternatives of sequential tests: factors e^(+-s), where s starts at 0.05 and grows
/// in steps of sqrt 2. The factors range from 1/90 to 360,000. Let c be a true factor in this range
/// that differs from 1 by more than 5 %. The log of one of the returned factors differs from log c
/// by at most a fifth of log c. The evidence per query of a sequential test with the returned
/// factors is at least half of the best possible evidence. The mean over 31 factors reduces the log
/// of the evidence by at most log 31 = 3.4. For comparison, a test at alpha = 1e-6 needs a log of
/// 13.8. The large factors are for rates near 0, at which the first few positives decide the test.
[[nodiscard]] std::vector<double> deviation_factors();

/// Returns the law of the rates multiplied by the factor. The factor is limited so that the mean
/// rate is at most 0.999, because negative answers are impossible at a rate of 1. If all rates are
/// 0, the function returns a single rate of factor * 1e-6, at most 0.5.
[[nodiscard]] RateMixture deviating(const RateMixture& rates, double factor);

}  // namespace bloometry::statistics
