#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "experiments/report/drawing.hpp"

namespace bloometry::report {

// The lines of theory in a chart of series.

/// Returns the name of the theory that is drawn for the row if it is not exact, otherwise an empty
/// string.
[[nodiscard]] std::string approximation_of(const Drawing& drawing, const SummaryRow& row);

/// Returns the lines of theory that add_theory() will draw.
[[nodiscard]] TheoryLines find_lines(const Drawing& drawing);

/// Adds the layers with the lines, bands and strokes of theory. The field `lines` of the drawing
/// must be set.
void add_theory(const Drawing& drawing, nlohmann::json& layers);

}  // namespace bloometry::report
