#pragma once

#include <vector>

#include "core/statistics/rate_mixture.hpp"

namespace bloometry::statistics {

/// The alternatives of sequential tests: factors e^(+-s), s from 0.05 in steps of sqrt 2, down to
/// 1/90 and up to 360,000. Whatever the true factor beyond 5 % is, one of them is within a fifth of
/// it on the log scale, where half the best evidence per query is lost at most; 31 factors cost
/// log 31 = 3.4 of evidence once, beside the 13.8 of alpha = 1e-6. The large ones let the first
/// hits decide where none was expected.
[[nodiscard]] std::vector<double> deviation_factors();

/// The law of the rates times the factor. Rates that a factor pushes to 1 would make a single miss
/// impossible: 0.999 is the most that is asked.
[[nodiscard]] RateMixture deviating(const RateMixture& rates, double factor);

}  // namespace bloometry::statistics
