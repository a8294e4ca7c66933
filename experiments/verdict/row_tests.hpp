#pragma once

#include "experiments/verdict/row_context.hpp"
#include "experiments/verdict/theory_cache.hpp"
#include "experiments/verdict/verdict.hpp"

namespace bloometry {

/// Returns the p-values of one row, tested or exempt, and the reasons why tests do not apply. The
/// function does not determine whether the row deviates, because the threshold of a deviation
/// depends on the number of tests.
/// @throws ConfigError if the row contradicts itself, for example by more false positives than
/// queries or a rate outside [0, 1]
[[nodiscard]] RowVerdict test_row(const TrialRow& row, RowContext context, TheoryCache& cache);

}  // namespace bloometry
