#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "experiments/chart/chart.hpp"

namespace bloometry::report {

/// The prediction of one formula at one x.
struct TheoryRate {
  std::string line;  ///< legend entry: kExact, kClassic or "design bound"
  double x = 0;
  double rate = 0;
};

/// The rates of one filter as a function of n, bits per key or k, from theory alone.
struct TheoryCurve {
  std::string name;     ///< name of the chart's file
  std::string filter;   ///< the constant values: "standard, m = 9,585,059 bits, k = 7"
  std::string against;  ///< x axis, from kChartAxisNames: num_keys, bits_per_key or num_hashes
  bool has_log_x = false;
  std::vector<TheoryRate> rates{};        ///< sorted by line, then from left to right
  std::optional<TheoryRate> requested{};  ///< drawn as a mark at the requested point
  std::optional<double> target{};         ///< a horizontal line: the maximum rate of the filter
  std::string note{};                     ///< end of the caption
};

/// Draws the curve on a logarithmic axis of rates. Rates of 0 are omitted. If x is bits per key,
/// the information bound is also drawn.
[[nodiscard]] chart::Chart theory_chart(const TheoryCurve& curve);

/// Returns the legend entry of a formula, given its name in core/theory, such as
/// "goel_gupta_upper". The entry is empty for an approximation that a chart omits because the exact
/// rate is shown.
/// @param has_exact whether the variant has an exact rate
[[nodiscard]] std::string theory_line(std::string_view formula, bool has_exact);

}  // namespace bloometry::report
