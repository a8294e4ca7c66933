#pragma once

#include <vector>

#include "core/statistics/rate_mixture.hpp"

namespace bloometry::statistics {

/// Returns the alternatives of sequential tests: factors e^(+-s), where s starts at 0.05 and grows
/// in steps of sqrt 2, down to 1/90 and up to 360,000. For any true factor beyond 5 %, the log of
/// one of these factors differs from that of the true factor by at most a fifth. At most half the
/// best evidence per query is then lost. The mean over 31 factors costs log 31 = 3.4 of log
/// evidence once; alpha = 1e-6 needs 13.8. The large factors serve rates near 0: the first few
/// positives then decide the test.
[[nodiscard]] std::vector<double> deviation_factors();

/// Returns the law of the rates times the factor. The factor is limited so that the mean rate is at
/// most 0.999, because a rate of 1 would make a negative impossible.
[[nodiscard]] RateMixture deviating(const RateMixture& rates, double factor);

}  // namespace bloometry::statistics
