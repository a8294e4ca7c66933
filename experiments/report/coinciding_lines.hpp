#pragma once

#include <optional>
#include <string>

#include "experiments/report/drawing.hpp"

namespace bloometry::report {

/// Returns the rate or the fill that theory predicts for a row, if a line shows it.
[[nodiscard]] std::optional<double> theory_value(const Drawing& drawing, const SummaryRow& row);

/// Returns the name of the theory of theory_value() for the row, such as kExact.
[[nodiscard]] std::string theory_line_name(const Drawing& drawing, const SummaryRow& row);

/// Finds the lines of theory of different series that coincide in a view. Sets `shared_lines` of
/// the drawing, and adds sentences to the notes that name the series.
///
/// A line coincides with another one if it runs along it from its first point to its last one,
/// nowhere by more than 1 px beside it. The longest line of those that coincide is drawn, in grey,
/// because it belongs to several series. Lines of the classic formula are compared with one
/// another, and so are the other lines.
void find_coinciding_lines(Drawing& drawing);

/// Returns whether the classic formula and the exact theory of some point look like one line.
[[nodiscard]] bool has_hidden_classic_line(const Drawing& drawing);

}  // namespace bloometry::report
