#pragma once

#include "experiments/verdict/row_context.hpp"
#include "experiments/verdict/theory_cache.hpp"
#include "experiments/verdict/verdict.hpp"

namespace bloometry {

/// Returns the p-values of one row, tested or exempt, and why a test does not apply. It does not
/// decide which rows deviate, because that depends on the number of tests.
/// @throws ConfigError if the row contradicts itself (more false positives than queries, a rate
/// outside [0, 1]).
[[nodiscard]] RowVerdict test_row(const TrialRow& row, RowContext context, TheoryCache& cache);

}  // namespace bloometry
