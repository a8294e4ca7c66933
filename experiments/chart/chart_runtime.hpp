#pragma once

#include <filesystem>
#include <optional>
#include <string>

namespace bloometry::chart {

/// Where the renderer and the chart runtime are: $BLOOMETRY_CHART_DIR, else experiments/chart of
/// the source tree that the program was built from.
[[nodiscard]] std::filesystem::path assets_folder();

/// The JavaScript that draws Vega-Lite, as pinned by package-lock.json.
struct ChartRuntime {
  std::string vega;
  std::string vega_lite;
  std::string vega_embed;
};

/// Absent if it is not installed.
[[nodiscard]] std::optional<ChartRuntime> load_chart_runtime(const std::filesystem::path& folder);

/// The command that installs it.
[[nodiscard]] std::string install_command(const std::filesystem::path& folder);

}  // namespace bloometry::chart
