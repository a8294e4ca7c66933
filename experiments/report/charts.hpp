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

/// A chart that was asked for, or is standard, and could not be drawn.
struct OmittedChart {
  std::string name;
  std::string reason;
};

struct ChartSet {
  std::vector<chart::Chart> charts;
  std::vector<OmittedChart> omitted;
};

/// What the caller chooses for one report, whatever the config says.
struct ChartChoices {
  std::vector<std::string> names{};  ///< of kChartNames, only these; empty: those of the config
  std::string facet{};  ///< an axis or kNoFacet, of every chart with series; empty: as the config
  BenchTimes bench{};   ///< for ns_vs_rate, which is then drawn whatever else is
};

/// The charts that the config asks for under /report; if it asks for none, the standard ones that
/// its axes can feed. Names are distinct: a second rate_vs_theory is rate_vs_theory_2.
[[nodiscard]] ChartSet make_charts(const Config& config, std::span<const SummaryRow> rows,
                                   const Verdict& verdict, const ChartChoices& choices = {});

}  // namespace bloometry::report
