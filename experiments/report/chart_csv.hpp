#pragma once

#include <string>

#include "experiments/chart/chart.hpp"

namespace bloometry::report {

/// Returns the points that the chart draws as a CSV table. Each point is a line with its panel, its
/// series, x, y, interval and theory. The function reads the layers of the chart's spec, so that
/// the table has exactly the drawn values. results/README.md describes the columns, which are the
/// same for all charts. Lines are sorted by panel, series and x; the last lines are the values of
/// lines that do not belong to a point, such as the information bound.
/// @param record as in chart::with_data()
[[nodiscard]] std::string chart_csv(const chart::Chart& chart, const chart::RowRecord& record = {});

}  // namespace bloometry::report
