#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "experiments/report/bench_times.hpp"
#include "experiments/report/requested_charts.hpp"
#include "experiments/report/row_selection.hpp"
#include "experiments/report/series_chart.hpp"
#include "experiments/verdict/verdict.hpp"

namespace bloometry::report {

/// The data from which one chart is made.
struct Material {
  ChartInput input;
  const Verdict& verdict;
  const BenchTimes& bench;
  RowSelection selection;  ///< rows of the run that have the fixed values of the request
};

/// A chart, or the reason why the chart was not drawn.
struct Outcome {
  std::optional<chart::Chart> chart{};
  std::string reason{};
  std::string warning{};  ///< sentence about series that the chart leaves out; usually empty
};

[[nodiscard]] inline Outcome drawn(chart::Chart chart) {
  return {.chart = std::move(chart)};
}

[[nodiscard]] inline Outcome drawn_or(std::optional<chart::Chart> chart, std::string reason) {
  return {.chart = std::move(chart), .reason = std::move(reason)};
}

[[nodiscard]] inline Outcome not_drawn(std::string reason) {
  return {.reason = std::move(reason)};
}

/// Returns the x axis of a chart for which the request, or the data for `fill`, determine it.
/// Otherwise, the result is empty.
[[nodiscard]] std::string_view x_axis_of(const Request& request, const Material& material);

// The charts with series. Each function selects the rows of its chart from those of the material.
Outcome rate_vs_bits_per_key(const Request& request, const Material& material);
Outcome pareto_chart(const Request& request, const Material& material);
Outcome rate_vs_n_over_capacity(const Request& request, const Material& material);
Outcome rate_vs_n(const Request& request, const Material& material);
Outcome rate_vs_n_by_num_hashes(const Request& request, const Material& material);
Outcome memory_vs_n_chart(const Request& request, const Material& material);
Outcome duplicates_vs_originals_chart(const Request& request, const Material& material);
Outcome rate_vs_num_hashes(const Request& request, const Material& material);
Outcome rate_vs_theory(const Request& request, const Material& material);
Outcome fill(const Request& request, const Material& material);

}  // namespace bloometry::report
