#pragma once

#include <vector>

#include "core/statistics/rate_mixture.hpp"

namespace bloometry::statistics {

/// Returns the alternatives of sequential tests: factors e^(+-s), where s starts at 0.05 and grows
/// in steps of sqrt 2, down to 1/90 and up to 360,000. For any true factor beyond 5 %, one of them
/// is within a fifth of it on the log scale. At most half the best evidence per query is lost
/// there. 31 factors cost log 31 = 3.4 of evidence once, compared with 13.8 for alpha = 1e-6. With
/// the large factors, the first positives decide if positives are not expected.
[[nodiscard]] std::vector<double> deviation_factors();

/// Returns the law of the rates times the factor. The factor is limited so that the mean rate is at
/// most 0.999, because a rate of 1 would make a negative impossible.
[[nodiscard]] RateMixture deviating(const RateMixture& rates, double factor);

}  // namespace bloometry::statistics
