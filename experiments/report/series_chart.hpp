#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "experiments/chart/chart.hpp"
#include "experiments/report/axis.hpp"

namespace bloometry::report {

/// The input of every chart: the rows of a run and their labels.
struct ChartInput {
  std::span<const SummaryRow> rows;
  const Wording& wording;
};

/// Maximum number of series in one view, which is the number of colours. More series are divided
/// into views.
inline constexpr std::size_t kMostUndividedSeries = 8;

/// A request for measured points with intervals over lines of theory, the usual chart in this
/// field.
struct SeriesRequest {
  enum class Quantity { kRate, kFill };

  std::string name;
  std::string title;
  std::string caption;  ///< text appended to that about marks and lines
  const Axis* x = nullptr;
  /// Axes that distinguish series, the most important first. If a view would have more than 8
  /// series, the last axes distinguish views instead.
  std::vector<std::string_view> axes{};
  std::string_view facet{};  ///< the only axis of views; empty: chosen as for `axes`
  bool has_one_view = false;
  Quantity quantity = Quantity::kRate;
  bool information_bound = false;  ///< draws 2^-(bits per key), the lower bound for any structure
  bool shows_targets = false;      ///< draws a line at each target rate
};

/// Draws the rows. Caption and legend describe only marks and lines that are drawn. Rows whose
/// expected rate is zero, and excess series and views, are omitted; the caption states how many.
[[nodiscard]] chart::Chart series_chart(const SeriesRequest& request, const Rows& rows,
                                        const ChartInput& input);

}  // namespace bloometry::report
