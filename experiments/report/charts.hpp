#pragma once

#include <span>
#include <string>
#include <vector>

#include "experiments/chart/chart.hpp"
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
};

/// The caller's choices for one report. The choices override the config.
struct ChartChoices {
  std::vector<std::string> names{};  ///< from kChartNames; empty: as in the config
  std::string
      facet{};         ///< an axis or kNoFacet, for all charts with series; empty: as in the config
  BenchTimes bench{};  ///< times for ns_vs_rate, which is drawn if there are any
};

/// Returns the charts that the config requests under /report. If it does not request any, returns
/// the standard charts for which the run has data. Names are distinct: a second rate_vs_theory is
/// rate_vs_theory_2.
[[nodiscard]] ChartSet make_charts(const Config& config, std::span<const SummaryRow> rows,
                                   const Verdict& verdict, const ChartChoices& choices = {});

}  // namespace bloometry::report
