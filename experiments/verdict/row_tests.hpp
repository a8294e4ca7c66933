#pragma once

#include "experiments/verdict/row_context.hpp"
#include "experiments/verdict/theory_cache.hpp"
#include "experiments/verdict/verdict.hpp"

namespace bloometry {

/// p-values of one row, tested or studied, and why a test does not apply. Decides nothing: what
/// deviates depends on how many tests there are.
/// @throws ConfigError if the row contradicts itself (more hits than queries, a rate outside
/// [0, 1]).
[[nodiscard]] RowVerdict test_row(const TrialRow& row, RowContext context, TheoryCache& cache);

}  // namespace bloometry
