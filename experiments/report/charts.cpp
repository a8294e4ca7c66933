#include "experiments/report/charts.hpp"

#include <algorithm>
#include <fmt/core.h>
#include <map>
#include <set>

#include "experiments/chart/chart_style.hpp"
#include "experiments/plan/chart_request.hpp"
#include "experiments/report/initial_capacity.hpp"
#include "experiments/report/labels.hpp"
#include "experiments/report/point_charts.hpp"
#include "experiments/report/requested_charts.hpp"
#include "experiments/report/selection.hpp"
#include "experiments/report/series_chart.hpp"
#include "experiments/report/speed_chart.hpp"
#include "experiments/text/number_text.hpp"

namespace bloometry::report {
namespace {

using chart::Chart;

using Names = std::vector<std::string_view>;

constexpr std::size_t kLeastStandardPoints = 8;  // fewer points do not show a distribution

/// The data that all charts use.
struct Material {
  ChartInput input;
  const Verdict& verdict;
  const BenchTimes& bench;
  Rows rows;
};

/// A chart, or the reason why the chart was not drawn.
struct Outcome {
  std::optional<Chart> chart;
  std::string reason;
};

Outcome drawn(Chart chart) {
  return {.chart = std::move(chart), .reason = {}};
}

Outcome drawn_or(std::optional<Chart> chart, const std::string& reason) {
  return {.chart = std::move(chart), .reason = reason};
}

/// Returns the axes whose values follow from x. Axes that follow from x do not distinguish points.
Names implied_by(std::string_view x) {
  if (x == "bits_per_key" || x == "num_bits" || x == "num_counters" ||
      x == "target_false_positive_rate") {
    return {"size"};
  }
  if (x == "num_keys" || x == "num_inserted" || x == "n_over_capacity") return {"num_inserted"};
  return {x};
}

/// Returns the axes that do not follow from x, starting with the most important axis. The result
/// does not include k if the chart shows each size at its best k.
Names other_axes(std::string_view x, bool best_num_hashes) {
  Names names = {"size", "variant", "params",       "num_hashes", "probes",
                 "hash", "keys",    "num_inserted", "capacity"};
  for (const std::string_view implied : implied_by(x)) std::erase(names, implied);
  if (best_num_hashes) std::erase(names, "num_hashes");
  return names;
}

/// Returns whether the rows have enough values of x. For a chart that the config requests, two
/// values of x are enough. For a standard chart, at least one series must have three values,
/// because fewer values do not form a curve.
bool feeds(const Rows& rows, std::string_view x, const Request& request, const Material& material) {
  const Wording& wording = material.input.wording;
  const std::size_t enough = request.is_standard ? 3 : 2;
  const Names others = request.is_standard ? other_axes(x, true) : Names();
  const std::vector<const Axis*> apart = varying(others, rows, wording);
  std::map<std::string, std::set<std::string>> values;  // values per series
  return std::any_of(rows.begin(), rows.end(), [&](const SummaryRow* row) {
    std::set<std::string>& of_series = values[joined_label(apart, *row, wording)];
    of_series.insert(axis(x).label(*row, wording));
    return of_series.size() >= enough;
  });
}

template <class Predicate>
Rows filtered(const Rows& rows, const Predicate& predicate) {
  Rows kept;
  std::copy_if(rows.begin(), rows.end(), std::back_inserter(kept), predicate);
  return kept;
}

Rows without_growing(const Rows& rows) {
  return filtered(rows, [](const SummaryRow* row) { return !grows(*row); });
}

/// Returns a sentence about k if some size uses the best of several k. Returns an empty string if
/// `best` contains all rows.
/// @param all rows from which `best` was chosen
std::string about_k(const Rows& all, const Rows& best) {
  if (best.size() == all.size()) return "";
  const auto has_capacity = [](const SummaryRow* row) { return row->capacity.has_value(); };
  const bool has_all = std::all_of(best.begin(), best.end(), has_capacity);
  const bool has_some = std::any_of(best.begin(), best.end(), has_capacity);
  return fmt::format(" Each size uses the tried k with the lowest expected rate, at {}",
                     has_all    ? "capacity."
                     : has_some ? "capacity or the largest n."
                                : "the largest n.");
}

Rows with_capacity(const Rows& rows) {
  return filtered(rows, [](const SummaryRow* row) { return row->capacity.has_value(); });
}

Rows without_capacity(const Rows& rows) {
  return filtered(rows, [](const SummaryRow* row) { return !row->capacity.has_value(); });
}

/// Sets the facet of the series chart to that of the request.
void set_facet(SeriesRequest& series, const Request& request) {
  series.has_one_view = request.facet == kNoFacet;
  const Axis* facet = find_axis(request.facet);
  if (facet != nullptr) series.facet = facet->name;
}

bool is_of_keys_held(std::string_view name) {
  return name == "num_inserted" || name == "num_keys" || name == "capacity";
}

/// Returns a sentence about n for the caption if rows with other n were left out.
std::string about_most_keys(const Rows& all, const Rows& kept) {
  if (kept.size() == all.size()) return "";
  const std::uint64_t num_keys = kept.front()->num_inserted;
  const bool is_one_n = std::all_of(kept.begin(), kept.end(), [&](const SummaryRow* row) {
    return row->num_inserted == num_keys;
  });
  return is_one_n ? fmt::format(" All hold n = {} keys; other n are left out.", grouped(num_keys))
                  : " Each kind of filter holds its largest n; other n are left out.";
}

/// Returns only the rows with the largest n if one series per n would give too many series.
/// @param kinds the axes, other than n, that distinguish series
Rows most_keys_of(const Rows& rows, std::string_view x, const Names& kinds, const Request& request,
                  const Wording& wording) {
  if (is_of_keys_held(request.facet)) return rows;
  Names with_n = kinds;
  with_n.emplace_back("num_inserted");
  const Labels all(series_axes(with_n, rows, wording), rows, wording);
  if (all.in_order().size() <= kMostUndividedSeries) return rows;
  return at_most_keys(rows, axis(x), series_axes(kinds, rows, wording), wording);
}

Outcome rate_vs_bits_per_key(const Request& request, const Material& material) {
  const Wording& wording = material.input.wording;
  const Rows full = at_capacity(without_growing(material.rows), wording);
  const Rows best = at_best_num_hashes(full, wording);
  const Names kinds = {"variant", "params", "probes", "hash", "keys"};
  Names with_n = kinds;
  with_n.emplace_back("num_inserted");
  const Rows rows = most_keys_of(best, "bits_per_key", kinds, request, wording);
  if (!feeds(rows, "bits_per_key", request, material)) {
    return {
        .chart = {},
        .reason = "the run does not have a filter of fixed size with three sizes in bits per key"};
  }
  SeriesRequest series{.name = request.chart,
                       .title = "False-positive rate against memory",
                       .caption = about_k(full, best) + about_most_keys(best, rows),
                       .x = &axis("bits_per_key"),
                       .axes = with_n,
                       .information_bound = true};
  set_facet(series, request);
  return drawn(series_chart(series, rows, material.input));
}

Outcome pareto_chart(const Request& request, const Material& material) {
  const Wording& wording = material.input.wording;
  const Rows full = at_capacity(without_growing(material.rows), wording);
  const Rows rows = at_best_num_hashes(full, wording);
  SeriesRequest series{.name = request.chart,
                       .title = "Pareto front: false-positive rate against memory",
                       .caption = about_k(full, rows),
                       .axes = {"variant", "params", "probes", "hash", "keys"}};
  set_facet(series, request);
  return drawn_or(pareto(series, rows, material.input),
                  "the chart needs filters of fixed size, of two variants and three sizes");
}

Outcome rate_vs_n_over_capacity(const Request& request, const Material& material) {
  const Rows all = with_capacity(material.rows);
  const Rows rows = at_best_num_hashes(all, material.input.wording);
  if (!feeds(rows, "n_over_capacity", request, material)) {
    return {.chart = {},
            .reason = "the run does not have a filter with a capacity and three numbers of keys"};
  }
  const bool all_grow = without_growing(rows).empty();
  SeriesRequest series{
      .name = request.chart,
      .title = all_grow ? "False-positive rate as a filter grows"
                        : "False-positive rate as a filter fills, and past its capacity",
      .caption =
          std::string(has_only_initial_capacities(rows) ? " The capacity is the initial capacity, "
                                                          "that of the first stage."
                                                        : "") +
          about_k(all, rows),
      .x = &axis("n_over_capacity"),
      .axes = {"size", "variant", "params", "probes", "hash", "keys", "capacity"},
      .shows_targets = true};
  set_facet(series, request);
  return drawn(series_chart(series, rows, material.input));
}

Outcome rate_vs_n(const Request& request, const Material& material) {
  const Rows all = without_capacity(material.rows);
  const Rows rows = at_best_num_hashes(all, material.input.wording);
  if (!feeds(rows, "num_inserted", request, material)) {
    return {.chart = {},
            .reason =
                "the run does not have a filter without a capacity but with three numbers of keys"};
  }
  SeriesRequest series{.name = request.chart,
                       .title = "False-positive rate against the number of keys",
                       .caption = about_k(all, rows),
                       .x = &axis("num_inserted"),
                       .axes = {"size", "variant", "params", "probes", "hash", "keys"},
                       .shows_targets = true};
  set_facet(series, request);
  return drawn(series_chart(series, rows, material.input));
}

/// Returns the rows for charts against k: the rows of the full filters for every k.
Rows at_every_num_hashes(const Material& material) {
  return filtered(at_capacity(material.rows, material.input.wording),
                  [](const SummaryRow* row) { return row->num_hashes.has_value(); });
}

Outcome rate_vs_num_hashes(const Request& request, const Material& material) {
  const Rows all = at_every_num_hashes(material);
  const Rows rows =
      most_keys_of(all, "num_hashes", {"size", "variant", "params", "probes", "hash", "keys"},
                   request, material.input.wording);
  if (!feeds(rows, "num_hashes", request, material)) {
    return {.chart = {}, .reason = "the run does not have a size with three values of k"};
  }
  SeriesRequest series{
      .name = request.chart,
      .title = "False-positive rate against the number of hashes",
      .caption =
          " Each line has its minimum at the best k of its size, if the run includes this k." +
          about_most_keys(all, rows),
      .x = &axis("num_hashes"),
      .axes = {"size", "variant", "params", "probes", "hash", "keys", "num_inserted"}};
  set_facet(series, request);
  return drawn(series_chart(series, rows, material.input));
}

Outcome speed(const Request&, const Material& material) {
  return drawn_or(ns_vs_rate(material.bench, material.input),
                  "the chart needs times: `bloometry bench --json` writes a file with times, and "
                  "`report --bench FILE` reads the file");
}

Outcome rate_vs_theory(const Request& request, const Material& material) {
  if (request.x.empty()) return drawn(observed_vs_expected(material.rows, material.input));
  const Axis* x = find_axis(request.x);
  if (x == nullptr) return {.chart = {}, .reason = "unknown axis " + request.x};
  const bool needs_k = x->name == "num_hashes" || request.facet == "num_hashes";
  const Wording& wording = material.input.wording;
  const Rows rows = needs_k ? material.rows : at_best_num_hashes(material.rows, wording);
  SeriesRequest series{
      .name = request.chart,
      .title = fmt::format("Measured and expected false-positive rate against {}", x->title),
      .caption = about_k(material.rows, rows),
      .x = x,
      .axes = other_axes(x->name, !needs_k)};
  set_facet(series, request);
  return drawn(series_chart(series, rows, material.input));
}

/// Returns a sentence about the fill of the filters in the chart.
std::string about_fill(const Rows& rows) {
  if (without_growing(rows).empty()) {
    return " The fill is that of all stages together; it drops when an empty one is opened.";
  }
  const auto is_standard = [](const SummaryRow* row) {
    return row->variant == "standard" && row->capacity;
  };
  return std::any_of(rows.begin(), rows.end(), is_standard)
             ? " At the best k a standard filter is half full when it holds its capacity."
             : "";
}

Outcome memory_vs_n_chart(const Request& request, const Material& material) {
  const Rows rows = filtered(material.rows, [](const SummaryRow* row) { return grows(*row); });
  if (!feeds(rows, "num_inserted", request, material)) {
    return {.chart = {},
            .reason = "the run does not have a filter that grows with three numbers of keys"};
  }
  return drawn(memory_vs_n(rows, material.input));
}

Outcome fill_vs_num_hashes(const Request& request, const Material& material) {
  const Rows rows = at_every_num_hashes(material);
  if (!feeds(rows, "num_hashes", request, material)) {
    return {.chart = {}, .reason = "the run does not have a size with two values of k"};
  }
  SeriesRequest series{
      .name = request.chart,
      .title = "How full the filters are, against the number of hashes",
      .caption = " Each hash sets one more bit per key, unless that bit is set already.",
      .x = &axis("num_hashes"),
      .axes = {"size", "variant", "params", "probes", "hash", "keys", "num_inserted"},
      .quantity = SeriesRequest::Quantity::kFill};
  set_facet(series, request);
  return drawn(series_chart(series, rows, material.input));
}

/// Draws the fill against n at the best k of each size. If the config requests k as x, draws the
/// fill against k.
Outcome fill(const Request& request, const Material& material) {
  if (request.x == "num_hashes") return fill_vs_num_hashes(request, material);
  const Rows filling = at_best_num_hashes(with_capacity(material.rows), material.input.wording);
  const bool has_load = feeds(filling, "n_over_capacity", request, material);
  const Rows rows = has_load ? filling : at_best_num_hashes(material.rows, material.input.wording);
  const char* x = has_load ? "n_over_capacity" : "num_inserted";
  if (!feeds(rows, x, request, material)) {
    return {.chart = {}, .reason = "the run does not have a filter with three numbers of keys"};
  }
  SeriesRequest series{.name = request.chart,
                       .title = "How full the filters are",
                       .caption = about_fill(rows),
                       .x = &axis(x),
                       .axes = {"size", "variant", "params", "probes", "hash", "keys", "capacity"},
                       .quantity = SeriesRequest::Quantity::kFill};
  set_facet(series, request);
  return drawn(series_chart(series, rows, material.input));
}

Outcome by_point(const Request&, const Material& material) {
  return drawn(rate_by_point(material.rows, material.input));
}

Outcome funnel(const Request& request, const Material& material) {
  const std::size_t at_least = request.is_standard ? kLeastStandardPoints : 1;
  return drawn_or(
      excess_funnel(material.rows, material.input, material.verdict.threshold, at_least),
      fmt::format("fewer than {} points have 10 or more expected false positives", at_least));
}

Outcome qq(const Request& request, const Material& material) {
  const std::size_t at_least = request.is_standard ? kLeastStandardPoints : 1;
  return drawn_or(p_value_qq(material.verdict, at_least),
                  fmt::format("fewer than {} independent trials were tested", at_least));
}

Outcome heatmap(const Request& request, const Material& material) {
  if (request.is_standard && !has_more_than_grey(material.rows)) {
    return {.chart = {}, .reason = "no cell differs from theory by more than chance explains"};
  }
  return drawn_or(relative_error_heatmap(material.rows, material.input),
                  "the run does not have a filter with two values of n and two of k");
}

using Maker = Outcome (*)(const Request&, const Material&);

struct ChartKind {
  std::string_view name;
  Maker make;
};

/// All charts with their names in configs, in the order of the page.
constexpr ChartKind kKinds[] = {{"rate_vs_bits_per_key", rate_vs_bits_per_key},
                                {"pareto", pareto_chart},
                                {"rate_vs_n_over_capacity", rate_vs_n_over_capacity},
                                {"rate_vs_n", rate_vs_n},
                                {"memory_vs_n", memory_vs_n_chart},
                                {"rate_vs_num_hashes", rate_vs_num_hashes},
                                {"ns_vs_rate", speed},
                                {"rate_by_point", by_point},
                                {"rate_vs_theory", rate_vs_theory},
                                {"excess_funnel", funnel},
                                {"p_value_qq", qq},
                                {"relative_error_heatmap", heatmap},
                                {"fill", fill}};

constexpr bool has_all_charts() {
  return std::equal(std::begin(kKinds), std::end(kKinds), kChartNames.begin(), kChartNames.end(),
                    [](const ChartKind& kind, std::string_view name) { return kind.name == name; });
}

static_assert(has_all_charts(), "kKinds must list the charts of kChartNames, in their order");

Maker find_maker(std::string_view name) {
  for (const ChartKind& kind : kKinds) {
    if (kind.name == name) return kind.make;
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

/// Returns the rows that the chart shows.
Rows rows_in(const Chart& chart, const ChartInput& input) {
  Rows rows;
  for (const chart::PlottedPoint& point : chart.points) {
    if (point.row) rows.push_back(&input.rows[*point.row]);
  }
  return rows;
}

/// Adds the facts to title and caption that do not depend on the kind of chart.
void complete_texts(Chart& chart, const Material& material) {
  name_only_variant(chart, material.rows);
  chart.caption += about_initial_capacity(rows_in(chart, material.input));
  const nlohmann::json texts = chart::base_spec(chart.title, chart.caption);
  chart.spec["title"] = texts["title"];
  chart.spec["description"] = texts["description"];
}

Outcome make(const Request& request, const Material& material) {
  const Maker maker = find_maker(request.chart);
  if (maker == nullptr) return {.chart = {}, .reason = "unknown chart"};
  Outcome outcome = maker(request, material);
  if (outcome.chart && outcome.chart->points.empty()) {
    return {.chart = {}, .reason = "no point can be drawn; " + outcome.chart->caption};
  }
  if (outcome.chart) complete_texts(*outcome.chart, material);
  return outcome;
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
                          .rows = all_rows(rows)};
  std::map<std::string, int> uses;
  for (const Request& request : requested_charts(config, rows.size(), choices)) {
    Outcome outcome = make(request, material);
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
