#include "experiments/chart/export_charts.hpp"

#include <algorithm>
#include <fmt/core.h>

#include "core/error.hpp"
#include "experiments/chart/chart_runtime.hpp"
#include "experiments/files/file_descriptor.hpp"
#include "experiments/files/scratch_folder.hpp"
#include "experiments/process/run_program.hpp"

namespace bloometry::chart {
namespace {

namespace fs = std::filesystem;

bool contains(const std::vector<std::string>& formats, const std::string& format) {
  return std::find(formats.begin(), formats.end(), format) != formats.end();
}

/// Draws all charts with one node process, because starting node takes longer than drawing a chart.
void draw_svg(std::span<const Chart> charts, const fs::path& folder, const fs::path& parts,
              const ExportRequest& request, const fs::path& assets) {
  std::vector<std::string> arguments = {"node", (assets / "render.mjs").string()};
  const ExportStyle& style = request.style;
  if (contains(request.formats, "svg")) arguments.emplace_back("--embed-fonts");
  if (style.width) arguments.insert(arguments.end(), {"--width", std::to_string(*style.width)});
  for (const Chart& chart : charts) {
    const std::string file = chart.name + ".vl.json";
    const nlohmann::json spec = nlohmann::json::parse(read_file(folder / file));
    replace_file(parts / file, to_text(styled(spec, style)));
    arguments.push_back((parts / file).string());
    arguments.push_back((parts / (chart.name + ".svg")).string());
  }
  run_program(arguments, "nodejs");
}

void convert(const fs::path& svg, const fs::path& target, const std::string& format) {
  std::vector<std::string> arguments = {"rsvg-convert", "--format", format, "--output",
                                        target.string()};
  if (format == "png") {
    arguments.insert(arguments.end(), {"--zoom", "2", "--background-color", "white"});
  }
  arguments.push_back(svg.string());
  run_program(arguments, "librsvg2-bin");
}

}  // namespace

void write_caption(const Chart& chart, const fs::path& folder) {
  replace_file(folder / (chart.name + ".txt"),
               fmt::format("{}\n\n{}\n", chart.title, chart.caption));
}

void export_charts(std::span<const Chart> charts, const fs::path& folder,
                   const ExportRequest& request, const fs::path& assets) {
  if (charts.empty() || request.formats.empty()) return;
  if (!load_chart_runtime(assets)) {
    throw IoError("the chart runtime is not installed; run: " + install_command(assets));
  }
  const ScratchFolder scratch(folder, ".export-");
  const fs::path& parts = scratch.path();
  draw_svg(charts, folder, parts, request, assets);
  for (const Chart& chart : charts) {
    const fs::path svg = parts / (chart.name + ".svg");
    for (const std::string format : {"png", "pdf"}) {
      if (!contains(request.formats, format)) continue;
      const fs::path part = parts / fmt::format("{}.{}", chart.name, format);
      convert(svg, part, format);
      replace_file(folder / part.filename(), read_file(part));
    }
    if (contains(request.formats, "svg")) {
      replace_file(folder / (chart.name + ".svg"), read_file(svg));
    }
    write_caption(chart, folder);
  }
}

}  // namespace bloometry::chart
