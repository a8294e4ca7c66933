#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "experiments/chart/chart.hpp"
#include "experiments/report/axis.hpp"

namespace bloometry::report {

/// The rows of a run and how they are put into words: what every chart is made from.
struct ChartInput {
  std::span<const SummaryRow> rows;
  const Wording& wording;
};

/// More series than this, which is how many colours there are, are divided into views.
inline constexpr std::size_t kMostUndividedSeries = 8;

/// Measured points with intervals over theory's lines: the form of most charts of the field.
struct SeriesRequest {
  enum class Quantity { kRate, kFill };

  std::string name;
  std::string title;
  std::string caption;  ///< follows what is said of marks and lines, which are known once drawn
  const Axis* x = nullptr;
  /// Axes that tell series apart, the most important first. Where there would be more than 8 series
  /// in a view, the last of them tell views apart instead.
  std::vector<std::string_view> axes{};
  std::string_view facet{};  ///< the one axis that tells views apart; empty: as above
  bool has_one_view = false;
  Quantity quantity = Quantity::kRate;
  bool information_bound = false;  ///< 2^-(bits per key), below which no structure can be
  bool shows_targets = false;      ///< a line at each target rate
};

/// Draws the rows. Captions and legends name only what is in the picture. Rows whose expected rate
/// is zero, and series and views beyond what can be read, are left out; the caption says how many.
[[nodiscard]] chart::Chart series_chart(const SeriesRequest& request, const Rows& rows,
                                        const ChartInput& input);

}  // namespace bloometry::report
