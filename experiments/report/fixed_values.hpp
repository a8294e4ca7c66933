#pragma once

#include <string>

#include "experiments/plan/chart_request.hpp"
#include "experiments/report/row_selection.hpp"

namespace bloometry::report {

/// Returns the text of the row's value in a config: a number, or a name without units. Returns an
/// empty string if the row does not have a value.
[[nodiscard]] std::string value_text(const Axis& axis, const SummaryRow& row,
                                     const Wording& wording);

/// Leaves out the rows that have other values than the fixed ones. Returns an empty string, or the
/// reason why no row has these values, such as "num_hashes must be one of 4, 5, 6, got 3". In this
/// case the selection may lack the rows of other fixed values.
[[nodiscard]] std::string fix_values(RowSelection& selection, const FixedValues& fix,
                                     const Wording& wording);

}  // namespace bloometry::report
