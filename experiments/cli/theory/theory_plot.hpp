#pragma once

#include <string>
#include <vector>

#include "experiments/cli/command_line/point_options.hpp"
#include "experiments/cli/theory/theory_options.hpp"
#include "experiments/report/theory_chart.hpp"
#include "variants/registry/filter_rates.hpp"

namespace bloometry {

/// Returns the filters of the options.
/// @throws ConfigError if a chart against the axis cannot show one of them, or so many
[[nodiscard]] std::vector<RatedFilter> drawn_filters(const PointOptions& options,
                                                     const std::string& against);

/// Returns the curves of the filters. The series of filters that differ in memory name it.
[[nodiscard]] report::TheoryPlot theory_plot(const std::vector<RatedFilter>& filters,
                                             const PointOptions& options,
                                             const TheoryChartOptions& chart);

/// Returns whether the memory of two filters differs by more than 1 %. Filters that grow do not
/// count, because their memory depends on n.
[[nodiscard]] bool differ_in_memory(const std::vector<RatedFilter>& filters);

}  // namespace bloometry
