#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "experiments/chart/chart.hpp"
#include "experiments/report/axis.hpp"

namespace bloometry::report {

/// The input of every chart: the rows of a run and their wording.
struct ChartInput {
  std::span<const SummaryRow> rows;
  const Wording& wording;
};

/// More series than this, the number of colours, are divided into views.
inline constexpr std::size_t kMostUndividedSeries = 8;

/// Measured points with intervals over theory's lines: the usual form of a chart in this field.
struct SeriesRequest {
  enum class Quantity { kRate, kFill };

  std::string name;
  std::string title;
  std::string caption;  ///< follows the text on marks and lines
  const Axis* x = nullptr;
  /// Axes that distinguish series, the most important first. If a view would have more than 8
  /// series, the last of them distinguish views instead.
  std::vector<std::string_view> axes{};
  std::string_view facet{};  ///< the only axis of views; empty: as above
  bool has_one_view = false;
  Quantity quantity = Quantity::kRate;
  bool information_bound = false;  ///< 2^-(bits per key), the lower bound for any structure
  bool shows_targets = false;      ///< a line at each target rate
};

/// Draws the rows. Captions and legends name only what is in the picture. Rows whose expected rate
/// is zero, and excess series and views, are omitted; the caption gives their number.
[[nodiscard]] chart::Chart series_chart(const SeriesRequest& request, const Rows& rows,
                                        const ChartInput& input);

}  // namespace bloometry::report
