#pragma once

#include <nlohmann/json.hpp>
#include <set>
#include <string>

#include "experiments/report/axis.hpp"

namespace bloometry::report {

inline constexpr const char* kExact = "exact theory";
inline constexpr const char* kClassic = "classic formula";
inline constexpr const char* kBound = "information bound";

/// The lines of theory that a chart contains. Its caption and its legend describe these lines only.
struct TheoryLines {
  bool exact = false;
  bool classic = false;
  bool bound = false;
  bool strokes = false;  ///< strokes at points without a line
  std::set<std::string> approximations{};
};

/// Returns the caption's text about the marks and these lines. @param marks "Marks are measured,
/// ..."
[[nodiscard]] std::string marks_and_lines(const std::string& marks, const TheoryLines& lines);

/// Returns whether the classic formula is drawn for the row. It is not drawn for
/// variable_increment, because its value for plain counters does not apply to that variant.
[[nodiscard]] bool has_classic_rate(const SummaryRow& row);

/// The condition of has_classic_rate() as the filter expression of a layer.
inline constexpr const char* kHasClassicRate =
    "datum.classic_false_positive_rate > 0 && datum.variant != 'variable_increment'";

/// Returns the scale of the lines' dashes.
[[nodiscard]] nlohmann::json dash_scale(const TheoryLines& lines);

}  // namespace bloometry::report
