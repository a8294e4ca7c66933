#pragma once

#include <span>
#include <string>
#include <vector>

#include "experiments/chart/chart.hpp"
#include "experiments/plan/axis_conflicts.hpp"
#include "experiments/plan/config.hpp"
#include "experiments/report/bench_times.hpp"
#include "experiments/verdict/summary.hpp"
#include "experiments/verdict/verdict.hpp"

namespace bloometry::report {

/// A requested or standard chart that could not be drawn.
struct OmittedChart {
  std::string name;
  std::string reason;
};

struct ChartSet {
  std::vector<chart::Chart> charts;
  std::vector<OmittedChart> omitted;
  std::vector<std::string> warnings;  ///< requested settings that a chart does not follow
  /// Axes of the choices that a chart already uses otherwise. The set then lacks the chart.
  std::vector<AxisConflict> conflicts{};
};

/// The caller's choices for one report. The choices override the config.
struct ChartChoices {
  std::vector<std::string> names{};  ///< names from kChartNames; empty: as in the config
  std::string facet{};   ///< axis or kNoFacet, for all charts with series; empty: as in the config
  std::string series{};  ///< axis, for all charts with series; empty: as in the config
  FixedValues fix{};     ///< for all charts of rows, beside those of the config
  BenchTimes bench{};    ///< times for the chart ns_vs_rate; may be empty
};

/// Returns the charts that the config requests under /report. Without requests, returns the
/// standard charts for which the run has data. The names of charts are distinct: the second
/// rate_vs_theory gets the name rate_vs_theory_2.
[[nodiscard]] ChartSet make_charts(const Config& config, std::span<const SummaryRow> rows,
                                   const Verdict& verdict, const ChartChoices& choices = {});

}  // namespace bloometry::report
