#pragma once

#include <string>

#include "experiments/report/requested_charts.hpp"
#include "experiments/report/series_chart.hpp"

namespace bloometry::report {

/// Returns a warning about the series or the facet of the request: that they show single
/// marks, that the chart leaves out some of them, or that the chart ignores an axis of which its
/// points have one value. Returns an empty string without a reason for a warning.
/// @param rows rows from which the chart was made
[[nodiscard]] std::string warning_of(const SeriesChart& made, const Rows& rows, const Axis& x,
                                     const Request& request, const ChartInput& input);

}  // namespace bloometry::report
