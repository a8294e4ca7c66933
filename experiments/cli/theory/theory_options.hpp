#pragma once

#include <filesystem>
#include <string>

#include "experiments/chart/export_charts.hpp"
#include "experiments/cli/command_line/point_options.hpp"

namespace bloometry {

/// Options of the curve that `theory` can draw in addition to its numbers.
struct TheoryChartOptions {
  std::filesystem::path file;        ///< a .svg, .png, .pdf or .json file; empty: no chart
  std::string against = "num_keys";  ///< x axis: num_keys, bits_per_key or num_hashes
  chart::ExportStyle style{};        ///< style of the picture, ignored for .json
};

// exit_code.hpp states what every command returns and throws.
int variants_command(bool json);
int theory_command(const PointOptions& options);
int theory_chart_command(const PointOptions& options, const TheoryChartOptions& chart);

}  // namespace bloometry
