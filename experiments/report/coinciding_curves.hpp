#pragma once

#include <map>
#include <string>
#include <vector>

#include "experiments/report/theory_chart.hpp"

namespace bloometry::report {

/// Returns the groups of curves that coincide, in the order of the curves. A curve that does not
/// coincide with another one is a group.
[[nodiscard]] std::vector<std::vector<const TheoryCurve*>> coinciding_curves(
    const std::vector<TheoryCurve>& curves);

/// Returns the width of each line in px, by the curve's series. Among curves that coincide, earlier
/// curves are wider, because later ones are drawn over them.
[[nodiscard]] std::map<std::string, double> curve_widths(const std::vector<TheoryCurve>& curves);

}  // namespace bloometry::report
