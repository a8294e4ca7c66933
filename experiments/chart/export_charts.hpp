#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "experiments/chart/chart.hpp"
#include "experiments/chart/export_style.hpp"

namespace bloometry::chart {

/// The formats and style of pictures of charts.
struct ExportRequest {
  std::vector<std::string> formats{};  ///< svg, png (double size, on a white background) or pdf
  ExportStyle style{};
};

/// Writes the title and the caption of the chart to <name>.txt in the folder.
/// @throws IoError if the file cannot be written
void write_caption(const Chart& chart, const std::filesystem::path& folder);

/// Draws <name>.vl.json of each chart as <name>.svg, .png or .pdf in the same folder, and writes
/// the captions. Node draws the svg with the page's chart runtime;
/// rsvg-convert makes the other formats from the svg. Every pdf and svg file embeds the glyphs that
/// the file uses. Programs that ignore fonts in an svg file draw its text with their own sans-serif
/// font.
/// @throws IoError if node, rsvg-convert or the runtime is missing, or if drawing fails. After an
/// error, each picture is complete: either the old or the new one.
void export_charts(std::span<const Chart> charts, const std::filesystem::path& folder,
                   const ExportRequest& request, const std::filesystem::path& assets);

}  // namespace bloometry::chart
