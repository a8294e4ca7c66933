#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "experiments/chart/chart.hpp"
#include "experiments/chart/export_style.hpp"

namespace bloometry::chart {

/// The formats and style of exported charts.
struct ExportRequest {
  std::vector<std::string> formats{};  ///< svg, png (twice the size, on white), pdf
  ExportStyle style{};
};

/// Draws <name>.vl.json of each chart as <name>.svg, .png or .pdf beside it, and writes its title
/// and caption to <name>.txt. The SVG is drawn by node with the same runtime as the page;
/// rsvg-convert makes the other formats from it. A pdf and an svg embed the letters that they use.
/// Programs that ignore fonts in an svg draw its text with their own sans-serif font.
/// @throws IoError if node, rsvg-convert or the runtime is missing, or drawing fails; pictures are
/// not replaced then.
void export_charts(std::span<const Chart> charts, const std::filesystem::path& folder,
                   const ExportRequest& request, const std::filesystem::path& assets);

}  // namespace bloometry::chart
