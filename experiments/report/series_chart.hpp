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

/// Measured points with intervals over theory's lines: the form of most charts of the field.
struct SeriesRequest {
  enum class Quantity { kRate, kFill };

  std::string name;
  std::string title;
  std::string caption;
  const Axis* x = nullptr;
  std::vector<std::string_view> colours{};  ///< axes that tell series apart
  std::vector<std::string_view> facets{};   ///< axes that tell views apart
  Quantity quantity = Quantity::kRate;
  bool information_bound = false;  ///< 2^-(bits per key), below which no structure can be
};

/// Draws the rows. Rows whose expected rate is zero, and series and views beyond what can be read,
/// are left out; the caption says how many.
[[nodiscard]] chart::Chart series_chart(const SeriesRequest& request, const Rows& rows,
                                        const ChartInput& input);

}  // namespace bloometry::report
