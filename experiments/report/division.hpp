#pragma once

#include <vector>

#include "experiments/report/series_chart.hpp"

namespace bloometry::report {

/// The axes that distinguish series, and the axes that distinguish views.
struct Division {
  std::vector<const Axis*> series;
  std::vector<const Axis*> views;
};

/// Returns the axes that name the filters of points in a chart of one view without series: all axes
/// but n in which the rows differ, without the last ones if there would be more than
/// kMostUndividedSeries names. The variant is always among them if the rows differ in it.
[[nodiscard]] std::vector<const Axis*> filter_axes(const Rows& rows, const Wording& wording);

/// Divides the rows into series and views.
///
/// If the request names neither, all axes in which the rows differ distinguish series. The last
/// axes distinguish views instead if there would be more than kMostUndividedSeries series.
///
/// A requested axis of views gets the other axes as series, and a requested axis of series gets the
/// other axes as views, with these exceptions:
/// - A requested axis without different values is ignored.
/// - An axis that repeats a requested axis in other units, such as the size beside num_bits, is
///   left out.
/// - An axis that the axis of series determines, such as the variant if each k has one variant, is
///   part of the series' names. So is an axis that determines the axis of series, because each view
///   would have one series. An axis stays with the views if there would be more than
///   kMostUndividedSeries series.
[[nodiscard]] Division divided(const SeriesRequest& request, const Rows& rows,
                               const Wording& wording);

}  // namespace bloometry::report
