#pragma once

#include <nlohmann/json.hpp>
#include <set>
#include <string>

#include "experiments/report/axis.hpp"

namespace bloometry::report {

inline constexpr const char* kExact = "exact theory";
inline constexpr const char* kClassic = "classic formula";
inline constexpr const char* kBound = "information bound";

/// The lines of theory that a chart draws: its caption and its legend name these and no others.
struct TheoryLines {
  bool exact = false;
  bool classic = false;
  bool bound = false;
  bool strokes = false;  ///< at points that have no line
  std::set<std::string> approximations{};
};

/// What a caption says of the marks and of these lines. @param marks "Marks are measured, ..."
[[nodiscard]] std::string marks_and_lines(const std::string& marks, const TheoryLines& lines);

/// Returns whether the classic formula is drawn beside the row. It is not for variable_increment:
/// of plain counters in its place it says nothing of the filter.
[[nodiscard]] bool has_classic_rate(const SummaryRow& row);

/// The rows that has_classic_rate() holds for, as a filter of a layer.
inline constexpr const char* kHasClassicRate =
    "datum.classic_false_positive_rate > 0 && datum.variant != 'variable_increment'";

/// The scale of their dashes.
[[nodiscard]] nlohmann::json dash_scale(const TheoryLines& lines);

}  // namespace bloometry::report
