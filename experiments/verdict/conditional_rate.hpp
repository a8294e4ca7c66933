#pragma once

#include "experiments/rows/trial_row.hpp"
#include "experiments/verdict/theory_point.hpp"

namespace bloometry {

/// Whether the row's rate given the filter's state is the one that its own counts give by the
/// variant's own formula, to the last bit; where they only bound it, whether it is in the bounds
/// (core/theory/theory.hpp). True where they say nothing.
[[nodiscard]] bool agrees_with_counts(const TrialRow& row, const TheoryPoint& point);

}  // namespace bloometry
