#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "experiments/chart/chart.hpp"

namespace bloometry::chart {

/// Draws charts/<name>.vl.json of each chart as charts/<name>.svg, .png (twice the size, on white)
/// or .pdf: node draws the SVG with the same runtime as the page, rsvg-convert makes the rest of
/// it.
/// @throws IoError if node, rsvg-convert or the runtime is missing, or drawing fails.
void export_charts(std::span<const Chart> charts, const std::filesystem::path& folder,
                   const std::vector<std::string>& formats, const std::filesystem::path& assets);

}  // namespace bloometry::chart
