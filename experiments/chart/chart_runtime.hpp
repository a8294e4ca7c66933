#pragma once

#include <filesystem>
#include <optional>
#include <string>

namespace bloometry::chart {

/// Returns the folder of the renderer and the chart runtime (data_folder.hpp). The folder is
/// $BLOOMETRY_CHART_DIR, share/bloometry/chart of an installed program, or experiments/chart of the
/// source tree.
[[nodiscard]] std::filesystem::path assets_folder();

/// The JavaScript libraries that draw Vega-Lite, in the versions of package-lock.json.
struct ChartRuntime {
  std::string vega;
  std::string vega_lite;
  std::string vega_embed;
};

/// Returns the chart runtime, or nullopt if the runtime is not installed in the folder.
[[nodiscard]] std::optional<ChartRuntime> load_chart_runtime(const std::filesystem::path& folder);

/// Returns the shell command that installs the chart runtime.
[[nodiscard]] std::string install_command(const std::filesystem::path& folder);

}  // namespace bloometry::chart
