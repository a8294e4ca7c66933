#pragma once

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
};

/// The rates of one filter as a function of n, bits per key or k, from theory alone.
struct TheoryCurve {
  std::string name;     ///< name of the chart's file
  std::string filter;   ///< constant values, such as "standard, m = 9,585,059 bits, k = 7"
  std::string against;  ///< x axis, from kChartAxisNames: num_keys, bits_per_key or num_hashes
  bool has_log_x = false;
  std::vector<TheoryRate> rates{};        ///< in ascending order of x
  std::optional<TheoryRate> requested{};  ///< rate at the requested point, which gets a mark
  std::optional<double> target{};         ///< maximum rate; drawn as a horizontal line
  std::string note{};                     ///< last sentences of the caption
};

/// Draws the curve on a logarithmic axis of rates. The chart omits rates of 0. If x is bits per
/// key, the chart also shows the information bound.
[[nodiscard]] chart::Chart theory_chart(const TheoryCurve& curve);

/// Returns the legend entry of a formula with the given name in core/theory, such as
/// "goel_gupta_upper". The entry is empty for an approximation that a chart omits because the chart
/// shows the exact rate.
/// @param has_exact whether the variant has an exact rate
[[nodiscard]] std::string theory_line(std::string_view formula, bool has_exact);

}  // namespace bloometry::report
