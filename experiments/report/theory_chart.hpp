#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "experiments/chart/chart.hpp"

namespace bloometry::report {

/// What one formula expects at one x.
struct TheoryRate {
  std::string line;  ///< kExact, kClassic, "design bound": a legend entry
  double x = 0;
  double rate = 0;
};

/// The rate of one filter against n, bits per key or k, by theory alone.
struct TheoryCurve {
  std::string name;     ///< of the chart's file
  std::string filter;   ///< "standard, m = 9,585,059 bits, k = 7": what does not vary
  std::string against;  ///< of kChartAxisNames: num_keys, bits_per_key or num_hashes
  bool has_log_x = false;
  std::vector<TheoryRate> rates{};    ///< of each line from left to right
  std::optional<TheoryRate> asked{};  ///< a mark: the point that the caller asked about
  std::optional<double> target{};     ///< a line across: the rate that the filter is to stay below
  std::string note{};                 ///< ends the caption
};

/// Draws the curve on a logarithmic axis of rates. Rates of 0 are left out. Against bits per key,
/// the information bound is drawn too.
[[nodiscard]] chart::Chart theory_chart(const TheoryCurve& curve);

/// The legend entry of a formula by its name in core/theory, "goel_gupta_upper"; empty if it is an
/// approximation that a chart leaves out because the exact rate is there.
/// @param has_exact whether the variant has an exact rate
[[nodiscard]] std::string theory_line(std::string_view formula, bool has_exact);

}  // namespace bloometry::report
