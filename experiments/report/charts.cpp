#include "experiments/report/charts.hpp"

#include <algorithm>
#include <fmt/core.h>
#include <map>

#include "core/text.hpp"
#include "experiments/chart/chart_style.hpp"
#include "experiments/plan/chart_request.hpp"
#include "experiments/report/chart_maker.hpp"
#include "experiments/report/common_values.hpp"
#include "experiments/report/division.hpp"
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
                                {"duplicates_vs_originals", duplicates_vs_originals_chart, false},
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

/// Returns the texts of each row in the chart's legend and headers.
std::map<const SummaryRow*, std::string> labels_in(const Chart& chart, const Material& material) {
  std::map<const SummaryRow*, std::string> labels;
  for (const chart::PlottedPoint& point : chart.points) {
    if (!point.row) continue;
    std::string& label = labels[&material.input.rows[*point.row]];
    for (const char* field : {"series", "facet"}) label += point.fields.value(field, "") + "\n";
  }
  return labels;
}

/// Returns a sentence about the points at which filters refused inserts, or an empty string.
std::string about_refused_inserts(const Rows& rows) {
  const auto num_points = std::count_if(rows.begin(), rows.end(), [](const SummaryRow* row) {
    return row->num_refused_inserts.value_or(0) > 0;
  });
  if (num_points == 0) return "";
  return fmt::format(
      " At {} of {}, filters refused inserts: they contain fewer than n keys, and the rate of "
      "theory "
      "is an upper bound.",
      num_points, plural(rows.size(), "point"));
}

/// Adds the facts to title and caption that do not depend on the kind of chart.
void complete_texts(Chart& chart, const Material& material) {
  const Rows rows = rows_in(chart, material);
  name_only_variant(chart, rows.empty() ? material.selection.rows() : rows);
  const Wording& wording = material.input.wording;
  const std::map<const SummaryRow*, std::string> labels = labels_in(chart, material);
  const auto is_named = [&](const Rows& of_variant, const Axis& axis) {
    // Labels contain only parameters that differ.
    return axis.name != "params" &&
           std::all_of(of_variant.begin(), of_variant.end(), [&](const SummaryRow* row) {
             const std::string value = axis.label(*row, wording);
             const auto found = labels.find(row);
             return !value.empty() && found != labels.end() &&
                    found->second.find(value) != std::string::npos;
           });
  };
  chart.caption += about_common_values(rows, wording, is_named) + about_initial_capacity(rows) +
                   about_refused_inserts(rows);
  const nlohmann::json texts = chart::base_spec(chart.title, chart.caption);
  chart.spec["title"] = texts["title"];
  chart.spec["description"] = texts["description"];
}

/// Returns whether the chart of the request uses its field series, facet or fix.
bool uses(const ChartKind& kind, const Request& request, std::string_view field) {
  if (field == "fix") return kind.has_rows;
  if (field == "series" && kind.name == "pareto") return false;
  return kind.has_series && (kind.name != "rate_vs_theory" || !request.x.empty());
}

/// Returns a sentence about the settings of the request that its chart does not have.
/// @param x x axis of the chart
std::string unused_settings(const ChartKind& kind, const Request& request, std::string_view x) {
  std::vector<std::string> unused;
  const auto check = [&](const char* field, bool is_set) {
    if (is_set && !uses(kind, request, field)) unused.emplace_back(field);
  };
  check("facet", !request.facet.empty() && request.facet != kNoFacet);
  check("series", !request.series.empty());
  check("fix", !request.fix.empty());
  if (!request.x.empty() && !is_same_axis(request.x, x)) unused.emplace_back("x");
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
    outcome.warning = unused_settings(kind, request, x_axis_of(request, material));
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

/// Returns whether two axes are the same in the rows: by name, or because their labels are equal,
/// as those of the size and of the bits per key in some runs.
bool is_same_in(const Material& all, std::string_view a, std::string_view b) {
  if (is_same_axis(a, b)) return true;
  const Wording& wording = all.input.wording;
  const Rows& rows = all.selection.rows();
  return differ_in(rows, axis(a), wording) &&
         std::all_of(rows.begin(), rows.end(), [&](const SummaryRow* row) {
           return axis(a).label(*row, wording) == axis(b).label(*row, wording);
         });
}

/// Returns the conflicts that the caller's choices cause in the chart of a request.
std::vector<AxisConflict> conflicts_of(const Request& request, const ChartChoices& choices,
                                       const Material& all) {
  const ChartKind* kind = find_kind(request.chart);
  if (kind == nullptr) return {};
  std::vector<AxisConflict> conflicts =
      axis_conflicts(request, x_axis_of(request, all),
                     [&](std::string_view a, std::string_view b) { return is_same_in(all, a, b); });
  std::erase_if(conflicts, [&](const AxisConflict& conflict) {
    const bool is_chosen = conflict.field == "fix"      ? choices.fix.contains(conflict.axis)
                           : conflict.field == "series" ? !choices.series.empty()
                                                        : !choices.facet.empty();
    return !is_chosen || !uses(*kind, request, conflict.field);
  });
  return conflicts;
}

/// The charts of a report in the making.
class ChartSetMaker {
 public:
  ChartSetMaker(const ChartChoices& choices, const Material& material)
      : choices_(&choices), material_(&material) {}

  void add(const Request& request) {
    const std::vector<AxisConflict> conflicts = conflicts_of(request, *choices_, *material_);
    if (!conflicts.empty()) {
      if (request.is_standard) {
        of_standard_.push_back(conflicts);
      } else {
        set_.conflicts.insert(set_.conflicts.end(), conflicts.begin(), conflicts.end());
      }
      return;
    }
    Outcome outcome = make(request, *material_);
    if (!outcome.warning.empty()) warn(outcome.warning);
    if (!outcome.chart) {
      set_.omitted.push_back({.name = request.chart, .reason = outcome.reason});
      return;
    }
    has_divided_ = has_divided_ || uses(*find_kind(request.chart), request, "facet");
    const int use = ++uses_[outcome.chart->name];
    if (use > 1) outcome.chart->name += fmt::format("_{}", use);
    set_.charts.push_back(std::move(*outcome.chart));
  }

  /// Returns the charts. Leaves out a standard chart if the choices contradict its axes, because
  /// the choices are for other charts. If there is no other chart, the choices are an error.
  ChartSet finish() {
    for (const std::vector<AxisConflict>& conflicts : of_standard_) omit(conflicts);
    return std::move(set_);
  }

 private:
  /// Leaves out a standard chart, once for all of its conflicts.
  void omit(const std::vector<AxisConflict>& conflicts) {
    const std::string& name = conflicts.front().chart;
    const Outcome outcome = make({{.chart = name, .x = {}, .facet = {}}, true}, *material_);
    if (!outcome.chart) {  // the run does not have data for it
      set_.omitted.push_back({.name = name, .reason = outcome.reason});
      return;
    }
    std::vector<std::string> reasons;
    bool is_error = false;
    for (const AxisConflict& conflict : conflicts) {
      reasons.push_back(fmt::format("{} is {}", conflict.other, conflict.use));
      if (conflict.field == "fix" || has_divided_) continue;
      set_.conflicts.push_back(conflict);
      is_error = true;
    }
    if (is_error) return;
    const std::string reason = joined(reasons, {}, " and ");
    warn(fmt::format("the chart {} is left out, because {}", name, reason));
    set_.omitted.push_back({.name = name, .reason = reason});
  }

  void warn(const std::string& warning) {
    std::vector<std::string>& warnings = set_.warnings;
    const bool is_new = std::find(warnings.begin(), warnings.end(), warning) == warnings.end();
    if (is_new) warnings.push_back(warning);
  }

  const ChartChoices* choices_;
  const Material* material_;
  ChartSet set_{};
  std::vector<std::vector<AxisConflict>> of_standard_{};  ///< of each chart
  bool has_divided_ = false;  ///< whether a chart that series and facet can divide was drawn
  std::map<std::string, int> uses_{};
};

}  // namespace

ChartSet make_charts(const Config& config, std::span<const SummaryRow> rows, const Verdict& verdict,
                     const ChartChoices& choices) {
  if (rows.empty()) return {};
  const Wording wording(rows, key_labels(config));
  const Material material{.input = {.rows = rows, .wording = wording},
                          .verdict = verdict,
                          .bench = choices.bench,
                          .selection = RowSelection(all_rows(rows))};
  ChartSetMaker maker(choices, material);
  for (const Request& request : requested_charts(config, rows.size(), choices)) maker.add(request);
  return maker.finish();
}

}  // namespace bloometry::report
