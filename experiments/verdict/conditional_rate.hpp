#pragma once

#include <optional>

#include "experiments/output/trial_row.hpp"
#include "experiments/verdict/theory_point.hpp"

namespace bloometry {

/// The rate given the filter's state, worked out again from the counts in the row by the variant's
/// own formula (core/theory/theory.hpp). Absent where the counts do not determine it.
[[nodiscard]] std::optional<double> rate_from_counts(const TrialRow& row, const TheoryPoint& point);

/// Whether the row's conditional rate is the one that its own counts give, to the last bit.
[[nodiscard]] bool agrees_with_counts(const TrialRow& row, const TheoryPoint& point);

}  // namespace bloometry
