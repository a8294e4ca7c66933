#pragma once

#include <vector>

#include "experiments/unit/trial_row.hpp"
#include "experiments/unit/unit.hpp"

namespace bloometry {

/// Checks that the rows are those of the unit's points, in their order, and that their counts are
/// possible. A row of a filter that cannot erase must not have counts of erases or of saturated
/// counters. A row without churn or erases of a window must not have counts of erases above 0. Such
/// counts exempt a row from some tests. A row without a window or a stream
/// must not have its counts.
/// @throws ConfigError that names the unit, the row, and the first column that is wrong
void require_rows_of(const Unit& unit, const std::vector<TrialRow>& rows);

}  // namespace bloometry
