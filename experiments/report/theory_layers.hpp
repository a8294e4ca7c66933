#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "experiments/report/drawing.hpp"

namespace bloometry::report {

// The lines of theory in a chart of series.

/// Returns the name of the approximation in words, such as "fluid approximation" or "upper bound".
[[nodiscard]] std::string approximation_of(const SummaryRow& row);

/// Returns the lines of theory that add_theory() will draw.
[[nodiscard]] TheoryLines find_lines(const Drawing& drawing);

/// Adds the layers with the lines, bands and strokes of theory. The field `lines` of the drawing
/// must be set.
void add_theory(const Drawing& drawing, nlohmann::json& layers);

}  // namespace bloometry::report
