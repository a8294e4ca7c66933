#include "experiments/chart/chart_runtime.hpp"

#include "experiments/files/data_folder.hpp"
#include "experiments/files/file_descriptor.hpp"
#include "experiments/text/shell_text.hpp"

#ifndef BLOOMETRY_CHART_DIR
#define BLOOMETRY_CHART_DIR "experiments/chart"
#endif

namespace bloometry::chart {

std::filesystem::path assets_folder() {
  return data_folder("BLOOMETRY_CHART_DIR", "chart", BLOOMETRY_CHART_DIR);
}

std::optional<ChartRuntime> load_chart_runtime(const std::filesystem::path& folder) {
  const std::filesystem::path modules = folder / "node_modules";
  const std::filesystem::path vega = modules / "vega/build/vega.min.js";
  const std::filesystem::path lite = modules / "vega-lite/build/vega-lite.min.js";
  const std::filesystem::path embed = modules / "vega-embed/build/vega-embed.min.js";
  for (const std::filesystem::path& file : {vega, lite, embed}) {
    std::error_code error;
    if (!std::filesystem::is_regular_file(file, error)) return std::nullopt;
  }
  return ChartRuntime{
      .vega = read_file(vega), .vega_lite = read_file(lite), .vega_embed = read_file(embed)};
}

std::string install_command(const std::filesystem::path& folder) {
  return "npm ci --ignore-scripts --prefix " + shell_word(folder.string());
}

}  // namespace bloometry::chart
