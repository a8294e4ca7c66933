#pragma once

#include <cstddef>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "experiments/chart/chart.hpp"

namespace bloometry::report {

/// The predicted rate of one formula at one x.
struct TheoryRate {
  std::string line;  ///< legend entry of the formula, from theory_line()
  double x = 0;
  double rate = 0;
  nlohmann::json filter{};  ///< values of the filter, by their columns in tables of charts
};

/// The rates of one filter as a function of n, bits per key or k, from theory alone.
struct TheoryCurve {
  std::string name;     ///< name in captions, such as "blocked"
  std::string series;   ///< name in a legend of several curves, such as "blocked, k = 8"
  std::string caption;  ///< constant values, such as "standard, m = 9,585,059 bits, k = 7"
  std::vector<TheoryRate> rates{};        ///< in ascending order of x
  std::optional<TheoryRate> requested{};  ///< rate at the requested point, which gets a mark
};

/// A chart of theory. A single curve has the rates of several formulas. If there are several
/// curves, each has only the best known rate of its filter. Curves that coincide have lines of
/// different widths, so that each is visible.
struct TheoryPlot {
  std::string name;     ///< name of the chart's file
  std::string against;  ///< x axis, from kChartAxisNames: num_keys, bits_per_key or num_hashes
  bool has_log_x = false;
  std::vector<TheoryCurve> curves{};  ///< 1 to kMostTheoryCurves
  std::optional<double> target{};     ///< maximum rate; drawn as a horizontal line
  std::string note{};                 ///< last sentences of the caption
};

/// Maximum number of curves, which is the number of colours.
inline constexpr std::size_t kMostTheoryCurves = 8;

/// Draws the curves on a logarithmic axis of rates. The chart omits rates of 0. If x is bits per
/// key, the layer `bound` shows the information bound, unless the bound is below all rates.
[[nodiscard]] chart::Chart theory_chart(const TheoryPlot& plot);

/// Returns the legend entry of a formula with the given name in core/theory, such as
/// "goel_gupta_upper". The entry is empty for an approximation that a chart omits because the chart
/// shows the exact rate.
/// @param has_exact whether the variant has an exact rate
[[nodiscard]] std::string theory_line(std::string_view formula, bool has_exact);

}  // namespace bloometry::report
