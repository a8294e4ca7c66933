#pragma once

#include <functional>

#include "experiments/report/drawing.hpp"

namespace bloometry::report {

/// Finds the series whose marks cover one another in a view. Numbers the series of each group in
/// `place_in_group`, and adds a sentence that names them to the notes.
/// @param axis_share function that returns the position of a row's mark on the y axis, in [0, 1]
void find_coinciding_series(Drawing& drawing,
                            const std::function<double(const SummaryRow&)>& axis_share);

}  // namespace bloometry::report
