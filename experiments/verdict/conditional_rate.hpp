#pragma once

#include <optional>

#include "experiments/output/trial_row.hpp"
#include "experiments/verdict/theory_point.hpp"

namespace bloometry {

/// The rate given the filter's state, worked out again from the counts in the row: (X/m)^k or
/// C(X,k)/C(m,k) for standard and counting, (passing pairs / (m L))^k for variable_increment.
/// Absent where the counts do not determine it (the slices of a partitioned or scalable filter have
/// fills of their own).
[[nodiscard]] std::optional<double> rate_from_counts(const TrialRow& row, const TheoryPoint& point);

/// Whether the row's conditional rate is the one that its own counts give, to the last bit.
[[nodiscard]] bool agrees_with_counts(const TrialRow& row, const TheoryPoint& point);

}  // namespace bloometry
