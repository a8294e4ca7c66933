#pragma once

#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <string_view>

#include "experiments/report/chart_axis.hpp"

namespace bloometry::report {

inline constexpr const char* kExact = "exact theory";
inline constexpr const char* kClassic = "classic formula";
inline constexpr const char* kBound = "information bound";

/// Returns the name of a formula in legends, tooltips and tables, such as "fluid approximation" or
/// "model of independent probes". Only a rate that is exact for the filter is called exact theory.
/// @param formula name in SummaryRow::expected_by or ExpectedRate::formula
[[nodiscard]] std::string theory_name(std::string_view formula);

/// Returns the name of the theory of a row's fill. A formula that is not exact for the rate, such
/// as fluid, may be exact for the fill; a model or a bound is not.
[[nodiscard]] std::string fill_theory_name(const SummaryRow& row);

/// The lines of theory that a chart contains. The caption and the legend of a chart describe only
/// lines that the chart contains.
struct TheoryLines {
  bool exact = false;
  bool classic = false;
  bool bound = false;
  bool joined = false;         ///< true if pale lines join the marks of filters that grow
  bool strokes = false;        ///< true if points without a line have strokes
  bool bound_strokes = false;  ///< true if a stroke is an upper bound
  /// Variants without a dashed line, if others have one.
  std::set<std::string> without_classic{};
  /// Whose lines are those of a model, approximation or bound, by its name, as text such as " of
  /// scalable". Empty if all lines are.
  std::map<std::string, std::string> approximations{};
  /// Names of all approximations of the run, which have the same dashes in each of its charts.
  std::set<std::string> of_run{};
  bool grow = false;           ///< true if filters that grow have lines
  bool hides_classic = false;  ///< true if a solid line covers a dashed one
};

/// Returns the part of the caption about the marks and the lines. The text `marks` starts with
/// "Marks are measured".
[[nodiscard]] std::string marks_and_lines(const std::string& marks, const TheoryLines& lines);

/// Returns whether the classic formula is drawn for the row. The formula is for plain counters and
/// does not apply to variable_increment.
[[nodiscard]] bool has_classic_rate(const SummaryRow& row);

/// Returns the variants for which the classic formula is not drawn in any of the rows.
[[nodiscard]] std::set<std::string> variants_without_classic_rate(const Rows& rows);

/// The condition of has_classic_rate() as the filter expression of a Vega-Lite layer.
inline constexpr const char* kHasClassicRate =
    "datum.classic_false_positive_rate > 0 && datum.variant != 'variable_increment'";

/// Returns the points of the information bound 2^-(bits per key), with the fields `x` and `bound`.
/// On a linear x, the bound is a straight line through two points.
[[nodiscard]] nlohmann::json bound_points(double low, double high, bool has_log_x);

/// Returns the scale of the lines' dashes.
[[nodiscard]] nlohmann::json dash_scale(const TheoryLines& lines);

}  // namespace bloometry::report
