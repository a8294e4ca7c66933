#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "experiments/chart/chart.hpp"
#include "experiments/report/chart_axis.hpp"
#include "experiments/report/row_selection.hpp"

namespace bloometry::report {

/// The input of every chart: the rows of a run and their labels.
struct ChartInput {
  std::span<const SummaryRow> rows;
  const Wording& wording;
};

/// Maximum number of series in one view, which is the number of colours. If a chart has more
/// series, they are divided into views.
inline constexpr std::size_t kMostUndividedSeries = 8;

/// Maximum number of series in all views of a chart together, which share one legend.
inline constexpr std::size_t kMostSeries = 3 * kMostUndividedSeries;

/// Maximum number of views of a chart.
inline constexpr std::size_t kMostSeriesViews = 100;

/// A request for a chart of measured points with intervals, over lines of theory.
struct SeriesRequest {
  enum class Quantity { kRate, kFill };

  std::string name;
  std::string title;
  std::string caption{};  ///< caption after the sentences about marks and lines
  const Axis* x = nullptr;
  /// Axes that distinguish series, starting with the most important axis. If a view would have more
  /// than 8 series, the last axes distinguish views instead.
  std::vector<std::string_view> axes{};
  std::string_view series{};  ///< the only axis of series; other axes give views, or `facet` does
  std::string_view facet{};   ///< the only axis of views; empty: chosen from `axes`
  bool has_one_view = false;
  Quantity quantity = Quantity::kRate;
  bool information_bound = false;  ///< true to draw 2^-(bits per key), a lower bound of all rates
  bool shows_targets = false;      ///< true to draw a line at each target rate
};

/// A chart, with the numbers of series and views that it leaves out because there are too many.
struct SeriesChart {
  chart::Chart chart;
  std::size_t num_series = 0;  ///< including the hidden ones
  std::size_t num_views = 0;
  std::size_t num_hidden_series = 0;
  std::size_t num_hidden_views = 0;
};

/// Draws the selected rows. The caption and the legend describe only marks and lines that are
/// drawn. The chart omits rows whose expected rate is zero, and excess series and views. The
/// caption gives the number of omitted rows for each reason.
[[nodiscard]] SeriesChart series_chart(const SeriesRequest& request, RowSelection selection,
                                       const ChartInput& input);

}  // namespace bloometry::report
