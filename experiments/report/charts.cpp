#include "experiments/report/charts.hpp"

#include <algorithm>
#include <fmt/core.h>
#include <map>

#include "core/text.hpp"
#include "experiments/chart/chart_style.hpp"
#include "experiments/plan/chart_request.hpp"
#include "experiments/report/chart_maker.hpp"
#include "experiments/report/common_values.hpp"
#include "experiments/report/fixed_values.hpp"
#include "experiments/report/initial_capacity.hpp"
#include "experiments/report/point_charts.hpp"
#include "experiments/report/selection.hpp"
#include "experiments/report/speed_chart.hpp"

namespace bloometry::report {
namespace {

using chart::Chart;

constexpr std::size_t kLeastStandardPoints = 8;  // fewer points do not show a distribution

Outcome speed(const Request&, const Material& material) {
  return drawn_or(ns_vs_rate(material.bench, material.input),
                  "the chart needs times: `bloometry bench --json` writes a file with times, and "
                  "`report --bench FILE` reads the file");
}

Outcome by_point(const Request&, const Material& material) {
  return drawn(rate_by_point(material.selection, material.input));
}

Outcome funnel(const Request& request, const Material& material) {
  const std::size_t at_least = request.is_standard ? kLeastStandardPoints : 1;
  return drawn_or(
      excess_funnel(material.selection, material.input, material.verdict.threshold, at_least),
      fmt::format("fewer than {} points have 10 or more expected false positives", at_least));
}

Outcome qq(const Request& request, const Material& material) {
  const std::size_t at_least = request.is_standard ? kLeastStandardPoints : 1;
  return drawn_or(p_value_qq(material.verdict, at_least),
                  fmt::format("fewer than {} independent trials were tested", at_least));
}

Outcome heatmap(const Request& request, const Material& material) {
  if (request.is_standard && !has_more_than_grey(material.selection.rows())) {
    return not_drawn("no cell differs from theory by more than chance explains");
  }
  return drawn_or(relative_error_heatmap(material.selection, material.input),
                  "the run does not have a filter with two values of n and two of k");
}

using Maker = Outcome (*)(const Request&, const Material&);

struct ChartKind {
  std::string_view name;
  Maker make;
  bool has_series;       ///< whether `series` and `facet` of a request apply
  bool has_rows = true;  ///< whether `fix` applies
};

/// All charts with their names in configs, in the order of the page.
constexpr ChartKind kKinds[] = {{"rate_vs_bits_per_key", rate_vs_bits_per_key, true},
                                {"pareto", pareto_chart, true},
                                {"rate_vs_n_over_capacity", rate_vs_n_over_capacity, true},
                                {"rate_vs_n", rate_vs_n, true},
                                {"rate_vs_n_by_num_hashes", rate_vs_n_by_num_hashes, true},
                                {"memory_vs_n", memory_vs_n_chart, false},
                                {"rate_vs_num_hashes", rate_vs_num_hashes, true},
                                {"ns_vs_rate", speed, false, false},
                                {"rate_by_point", by_point, false},
                                {"rate_vs_theory", rate_vs_theory, true},
                                {"excess_funnel", funnel, false},
                                {"p_value_qq", qq, false, false},
                                {"relative_error_heatmap", heatmap, false},
                                {"fill", fill, true}};

constexpr bool has_all_charts() {
  return std::equal(std::begin(kKinds), std::end(kKinds), kChartNames.begin(), kChartNames.end(),
                    [](const ChartKind& kind, std::string_view name) { return kind.name == name; });
}

static_assert(has_all_charts(), "kKinds must list the charts of kChartNames, in their order");

const ChartKind* find_kind(std::string_view name) {
  for (const ChartKind& kind : kKinds) {
    if (kind.name == name) return &kind;
  }
  return nullptr;
}

/// Adds the variant to the chart's title if all rows have the same variant, because a legend
/// contains only properties that differ between series.
void name_only_variant(Chart& chart, const Rows& rows) {
  const auto is_other = [&](const SummaryRow* row) {
    return row->variant != rows.front()->variant;
  };
  if (rows.empty() || std::any_of(rows.begin(), rows.end(), is_other)) return;
  chart.title += ": " + rows.front()->variant;
}

/// Returns the rows that the chart shows. A chart of density has marks only for some of them.
Rows rows_in(const Chart& chart, const Material& material) {
  const bool has_density =
      chart.spec.contains("layer") &&
      std::any_of(chart.spec["layer"].begin(), chart.spec["layer"].end(),
                  [](const auto& layer) { return layer["name"] == "density"; });
  if (has_density) return material.selection.rows();
  Rows rows;
  for (const chart::PlottedPoint& point : chart.points) {
    if (point.row) rows.push_back(&material.input.rows[*point.row]);
  }
  return rows;
}

/// Adds the facts to title and caption that do not depend on the kind of chart.
void complete_texts(Chart& chart, const Material& material) {
  const Rows rows = rows_in(chart, material);
  name_only_variant(chart, rows.empty() ? material.selection.rows() : rows);
  chart.caption += about_common_values(rows, material.input.wording) + about_initial_capacity(rows);
  const nlohmann::json texts = chart::base_spec(chart.title, chart.caption);
  chart.spec["title"] = texts["title"];
  chart.spec["description"] = texts["description"];
}

/// Returns a sentence about the settings of the request that its chart does not have.
std::string unused_settings(const ChartKind& kind, const Request& request) {
  const bool has_panels = kind.has_series && (kind.name != "rate_vs_theory" || !request.x.empty());
  std::vector<std::string> unused;
  if (!has_panels && !request.facet.empty() && request.facet != kNoFacet) {
    unused.emplace_back("facet");
  }
  if ((!has_panels || kind.name == "pareto") && !request.series.empty()) {
    unused.emplace_back("series");
  }
  if (!kind.has_rows && !request.fix.empty()) unused.emplace_back("fix");
  if (unused.empty()) return "";
  return fmt::format("the chart {} does not use {}", kind.name, joined(unused));
}

/// Returns the chart of a request whose values are fixed.
Outcome make_fixed(const ChartKind& kind, const Request& request, const Material& material) {
  Outcome outcome = kind.make(request, material);
  if (outcome.chart && outcome.chart->points.empty()) {
    return not_drawn("no point can be drawn; " + outcome.chart->caption);
  }
  if (outcome.chart) complete_texts(*outcome.chart, material);
  if (!request.is_standard && outcome.warning.empty()) {
    outcome.warning = unused_settings(kind, request);
  }
  return outcome;
}

Outcome make(const Request& request, const Material& all) {
  const ChartKind* kind = find_kind(request.chart);
  if (kind == nullptr) return not_drawn("unknown chart");
  Material material = all;
  const std::string problem =
      kind->has_rows ? fix_values(material.selection, request.fix, all.input.wording) : "";
  return problem.empty() ? make_fixed(*kind, request, material) : not_drawn(problem);
}

}  // namespace

ChartSet make_charts(const Config& config, std::span<const SummaryRow> rows, const Verdict& verdict,
                     const ChartChoices& choices) {
  ChartSet set;
  if (rows.empty()) return set;
  const Wording wording(rows, key_labels(config));
  const Material material{.input = {.rows = rows, .wording = wording},
                          .verdict = verdict,
                          .bench = choices.bench,
                          .selection = RowSelection(all_rows(rows))};
  std::map<std::string, int> uses;
  for (const Request& request : requested_charts(config, rows.size(), choices)) {
    Outcome outcome = make(request, material);
    if (!outcome.warning.empty()) set.warnings.push_back(outcome.warning);
    if (!outcome.chart) {
      set.omitted.push_back({.name = request.chart, .reason = outcome.reason});
      continue;
    }
    const int use = ++uses[outcome.chart->name];
    if (use > 1) outcome.chart->name += fmt::format("_{}", use);
    set.charts.push_back(std::move(*outcome.chart));
  }
  return set;
}

}  // namespace bloometry::report
