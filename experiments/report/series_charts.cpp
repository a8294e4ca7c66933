#include <algorithm>
#include <fmt/core.h>
#include <map>
#include <set>

#include "experiments/plan/axis_conflicts.hpp"
#include "experiments/plan/chart_request.hpp"
#include "experiments/report/chart_maker.hpp"
#include "experiments/report/churn_axes.hpp"
#include "experiments/report/division_warning.hpp"
#include "experiments/report/labels.hpp"
#include "experiments/report/point_charts.hpp"
#include "experiments/report/selection.hpp"
#include "experiments/report/stream_axes.hpp"
#include "experiments/report/window_axes.hpp"
#include "experiments/text/number_text.hpp"

namespace bloometry::report {
namespace {

using Names = std::vector<std::string_view>;

/// Returns the axes whose values follow from x. Axes that follow from x do not distinguish points.
Names implied_by(std::string_view x) {
  if (x == "bits_per_key" || x == "num_bits" || x == "num_counters" ||
      x == "target_false_positive_rate") {
    return {"size"};
  }
  if (x == "num_keys" || x == "num_inserted" || x == "n_over_capacity") return {"num_inserted"};
  if (x == "churn") return {kChurnAxes.begin(), kChurnAxes.end()};
  if (x == "stream") return {kStreamAxes.begin(), kStreamAxes.end()};
  if (x == "window") return {kWindowAxes.begin(), kWindowAxes.end()};
  return {x};
}

/// Returns the axes that do not follow from x, starting with the most important axis. The result
/// does not include k if the chart shows each size at its best k.
Names other_axes(std::string_view x, bool best_num_hashes) {
  Names names = with_workload_axes({"size", "variant", "params", "num_hashes", "probes", "hash",
                                    "keys", "num_inserted", "capacity"});
  for (const std::string_view implied : implied_by(x)) std::erase(names, implied);
  if (best_num_hashes) std::erase(names, "num_hashes");
  return names;
}

/// Returns whether the rows have enough values of x. For a chart that the config requests, two
/// values of x are enough. For a standard chart, at least one series must have three values,
/// because fewer values do not form a curve.
/// @param best_num_hashes whether each size has one k
bool feeds(const Rows& rows, std::string_view x, const Request& request, const Material& material,
           bool best_num_hashes = true) {
  const Wording& wording = material.input.wording;
  const std::size_t enough = request.is_standard ? 3 : 2;
  const Names others = request.is_standard ? other_axes(x, best_num_hashes) : Names();
  const std::vector<const Axis*> apart = varying(others, rows, wording);
  std::map<std::string, std::set<std::string>> values;  // values per series
  return std::any_of(rows.begin(), rows.end(), [&](const SummaryRow* row) {
    std::set<std::string>& of_series = values[joined_label(apart, *row, wording)];
    of_series.insert(axis(x).label(*row, wording));
    return of_series.size() >= enough;
  });
}

bool has_capacity(const SummaryRow& row) {
  return row.capacity.has_value();
}

bool all_grow(const Rows& rows) {
  return std::all_of(rows.begin(), rows.end(), [](const SummaryRow* row) { return grows(*row); });
}

void leave_out_growing(RowSelection& selection) {
  selection.leave_out_if(grows, "of filters that grow");
}

void keep_with_capacity(RowSelection& selection) {
  selection.leave_out_if([](const SummaryRow& row) { return !has_capacity(row); },
                         "of filters without a capacity");
}

/// Keeps the rows of full filters (at_capacity).
void keep_at_capacity(RowSelection& selection, const Wording& wording) {
  selection.keep(at_capacity(selection.rows(), wording), "at n farther from the capacity");
}

/// Returns whether the request treats k as an axis, so that its chart shows every k. Among the
/// charts at the best k, only rate_vs_theory uses the x of its request.
bool has_every_num_hashes(const Request& request) {
  const bool has_k_as_x = request.x == "num_hashes" && request.chart == "rate_vs_theory";
  return has_k_as_x || request.facet == "num_hashes" || request.series == "num_hashes" ||
         request.fix.contains("num_hashes");
}

/// Keeps the rows at the best k of each filter, unless the request shows every k. Returns a
/// sentence about k for the caption if rows were left out, otherwise an empty string.
std::string keep_best_num_hashes(RowSelection& selection, const Request& request,
                                 const Wording& wording) {
  if (has_every_num_hashes(request)) return "";
  const std::size_t num_before = selection.rows().size();
  selection.keep(at_best_num_hashes(selection.rows(), wording), kOtherNumHashesReason);
  const Rows& best = selection.rows();
  if (best.size() == num_before) return "";
  const auto has_one = [](const SummaryRow* row) { return has_capacity(*row); };
  const bool has_all = std::all_of(best.begin(), best.end(), has_one);
  const bool has_some = std::any_of(best.begin(), best.end(), has_one);
  return fmt::format(
      " Each size has one k: of those tried, the k with the lowest expected rate at {}.",
      has_all    ? "capacity"
      : has_some ? "capacity or the largest n"
                 : "the largest n");
}

bool is_of_keys_held(std::string_view name) {
  return name == "num_inserted" || name == "num_keys" || name == "capacity";
}

/// Keeps only the rows with the largest n if one series per n would give too many series. Returns a
/// sentence about n for the caption if the kinds differ in their largest n.
/// @param kinds the axes, other than n, that distinguish series
std::string keep_most_keys(RowSelection& selection, std::string_view x, Names kinds,
                           const Request& request, const Wording& wording) {
  if (is_of_keys_held(request.facet) || is_of_keys_held(request.series)) return "";
  // Along a series of one m, n follows from m/n.
  const bool is_of_memory = request.series == "num_bits" || request.series == "num_counters";
  if (is_of_memory && x == "bits_per_key") return "";
  if (has_every_num_hashes(request) && x != "num_hashes") kinds.emplace_back("num_hashes");
  kinds = with_workload_axes(std::move(kinds));
  const Rows all = selection.rows();
  Names with_n = kinds;
  with_n.emplace_back("num_inserted");
  const Labels labels(series_axes(with_n, all, wording), all, wording);
  if (labels.in_order().size() <= kMostUndividedSeries) return "";
  selection.keep(at_most_keys(all, axis(x), series_axes(kinds, all, wording), wording),
                 kOtherNumKeysReason);
  const Rows& kept = selection.rows();
  if (kept.size() == all.size()) return "";
  const auto is_other = [&](const SummaryRow* row) {
    return row->num_inserted != kept.front()->num_inserted;
  };
  const bool has_several = std::any_of(kept.begin(), kept.end(), is_other);
  return has_several ? " Each kind of filter holds its largest n." : "";
}

/// Sets the series and the facet of the chart to those of the request.
void set_division(SeriesRequest& series, const Request& request) {
  series.has_one_view = request.facet == kNoFacet;
  if (const Axis* facet = find_axis(request.facet)) series.facet = facet->name;
  if (const Axis* axis = find_axis(request.series)) series.series = axis->name;
}

/// Draws the series of the request. Churn, windows and streams distinguish series in every chart.
Outcome draw(SeriesRequest series, const Request& request, RowSelection selection,
             const Material& material) {
  for (const std::string_view name : with_workload_axes({})) std::erase(series.axes, name);
  series.axes = with_workload_axes(std::move(series.axes));
  for (const std::string_view implied : implied_by(series.x->name)) {
    std::erase(series.axes, implied);
  }
  set_division(series, request);
  const Rows rows = selection.rows();
  SeriesChart made = series_chart(series, std::move(selection), material.input);
  std::string warning = warning_of(made, rows, *series.x, request, material.input);
  return {.chart = std::move(made.chart), .reason = {}, .warning = std::move(warning)};
}

}  // namespace

Outcome rate_vs_bits_per_key(const Request& request, const Material& material) {
  const Wording& wording = material.input.wording;
  RowSelection selection = material.selection;
  leave_out_growing(selection);
  keep_at_capacity(selection, wording);
  std::string caption = keep_best_num_hashes(selection, request, wording);
  const Names kinds = {"variant", "params", "probes", "hash", "keys"};
  caption += keep_most_keys(selection, "bits_per_key", kinds, request, wording);
  if (!feeds(selection.rows(), "bits_per_key", request, material)) {
    return not_drawn(
        "the run does not have a filter of fixed size with three sizes in bits per key");
  }
  Names with_n = kinds;
  with_n.emplace_back("num_inserted");
  return draw({.name = request.chart,
               .title = "False-positive rate against memory",
               .caption = caption,
               .x = &axis("bits_per_key"),
               .axes = with_n,
               .information_bound = !has_other_load(selection.rows())},
              request, selection, material);
}

Outcome pareto_chart(const Request& request, const Material& material) {
  const Wording& wording = material.input.wording;
  RowSelection selection = material.selection;
  leave_out_growing(selection);
  keep_at_capacity(selection, wording);
  SeriesRequest series{.name = request.chart,
                       .title = "Pareto front: false-positive rate against memory",
                       .caption = keep_best_num_hashes(selection, request, wording),
                       .axes = with_workload_axes({"variant", "params", "probes", "hash", "keys"})};
  set_division(series, request);
  return drawn_or(pareto(series, selection, material.input),
                  "the chart needs filters of fixed size, of two variants and three sizes");
}

Outcome rate_vs_n_over_capacity(const Request& request, const Material& material) {
  RowSelection selection = material.selection;
  keep_with_capacity(selection);
  const std::string about_k = keep_best_num_hashes(selection, request, material.input.wording);
  if (!feeds(selection.rows(), "n_over_capacity", request, material)) {
    return not_drawn("the run does not have a filter with a capacity and three numbers of keys");
  }
  const bool is_growth = all_grow(selection.rows());
  return draw(
      {.name = request.chart,
       .title = is_growth ? "False-positive rate as a filter grows"
                          : "False-positive rate as a filter fills, and past its capacity",
       .caption =
           std::string(has_only_initial_capacities(selection.rows())
                           ? " The capacity is the initial capacity, that of the first stage."
                           : "") +
           about_k,
       .x = &axis("n_over_capacity"),
       .axes = {"size", "variant", "params", "probes", "hash", "keys", "capacity"},
       .shows_targets = true},
      request, selection, material);
}

Outcome rate_vs_n(const Request& request, const Material& material) {
  RowSelection selection = material.selection;
  selection.leave_out_if(has_capacity, "of filters with a capacity");
  const std::string about_k = keep_best_num_hashes(selection, request, material.input.wording);
  if (!feeds(selection.rows(), "num_inserted", request, material)) {
    return not_drawn(
        "the run does not have a filter without a capacity but with three numbers of keys");
  }
  return draw({.name = request.chart,
               .title = "False-positive rate against the number of keys",
               .caption = about_k,
               .x = &axis("num_inserted"),
               .axes = {"size", "variant", "params", "probes", "hash", "keys"},
               .shows_targets = true},
              request, selection, material);
}

/// Draws the figure of textbooks: the rate of a filter of fixed size against n, one series per k.
Outcome rate_vs_n_by_num_hashes(const Request& request, const Material& material) {
  RowSelection selection = material.selection;
  selection.leave_out_if([](const SummaryRow& row) { return !row.num_hashes; },
                         "whose filter chooses k itself");
  if (request.is_standard) {
    const auto has_own_size = [](const SummaryRow& row) {
      return has_capacity(row) || row.requested_bits_per_key;
    };
    selection.leave_out_if(has_own_size, "of filters whose size follows from their number of keys");
  }
  const std::vector<const Axis*> of_k = {&axis("num_hashes")};
  const bool has_one_k =
      Labels(of_k, selection.rows(), material.input.wording).in_order().size() < 2;
  if (has_one_k || !feeds(selection.rows(), "num_inserted", request, material, false)) {
    return not_drawn(
        "the run does not have a filter of fixed size with two values of k and three of n");
  }
  return draw(
      {.name = request.chart,
       .title = "False-positive rate against the number of keys, for each k",
       .x = &axis("num_inserted"),
       .axes = {"size", "variant", "params", "num_hashes", "probes", "hash", "keys", "capacity"},
       .series = "num_hashes"},
      request, selection, material);
}

namespace {

/// Keeps the rows for charts against k: the rows of the full filters for every k.
void keep_for_num_hashes(RowSelection& selection, const Wording& wording) {
  keep_at_capacity(selection, wording);
  selection.leave_out_if([](const SummaryRow& row) { return !row.num_hashes; },
                         "whose filter chooses k itself");
}

}  // namespace

Outcome rate_vs_num_hashes(const Request& request, const Material& material) {
  RowSelection selection = material.selection;
  keep_for_num_hashes(selection, material.input.wording);
  const std::string about_n = keep_most_keys(
      selection, "num_hashes", {"size", "variant", "params", "probes", "hash", "keys"}, request,
      material.input.wording);
  if (!feeds(selection.rows(), "num_hashes", request, material)) {
    return not_drawn("the run does not have a size with three values of k");
  }
  return draw(
      {.name = request.chart,
       .title = "False-positive rate against the number of hashes",
       .caption =
           " Each line has its minimum at the best k of its size, if the run includes this k." +
           about_n,
       .x = &axis("num_hashes"),
       .axes = {"size", "variant", "params", "probes", "hash", "keys", "num_inserted"}},
      request, selection, material);
}

Outcome rate_vs_theory(const Request& request, const Material& material) {
  if (request.x.empty()) return drawn(observed_vs_expected(material.selection, material.input));
  const Axis* x = find_axis(request.x);
  if (x == nullptr) return not_drawn("unknown axis " + request.x);
  RowSelection selection = material.selection;
  const std::string about_k = keep_best_num_hashes(selection, request, material.input.wording);
  return draw({.name = request.chart,
               .title = fmt::format("Measured and expected false-positive rate against {}",
                                    title_of(*x, selection.rows())),
               .caption = about_k,
               .x = x,
               .axes = other_axes(x->name, !has_every_num_hashes(request))},
              request, selection, material);
}

Outcome duplicates_vs_originals_chart(const Request&, const Material& material) {
  RowSelection selection = material.selection;
  selection.leave_out_if([](const SummaryRow& row) { return !row.stream; },
                         "without a stream of items");
  return drawn_or(
      duplicates_vs_originals(selection, material.input),
      "the run does not have two filters with a stream of which some duplicates passed and some "
      "originals were stopped");
}

Outcome memory_vs_n_chart(const Request& request, const Material& material) {
  RowSelection selection = material.selection;
  selection.leave_out_if([](const SummaryRow& row) { return !row.has_growing_memory(); },
                         "of filters of fixed size");
  if (!feeds(selection.rows(), "num_inserted", request, material)) {
    return not_drawn("the run does not have a filter that grows with three numbers of keys");
  }
  return drawn(memory_vs_n(selection, material.input));
}

namespace {

/// Returns a sentence about the fill of the filters in the chart.
std::string about_fill(const Rows& rows) {
  if (all_grow(rows)) {
    return " The fill is that of all stages together; it drops when an empty one is opened.";
  }
  const auto is_standard = [](const SummaryRow* row) {
    return row->variant == "standard" && row->capacity;
  };
  return std::any_of(rows.begin(), rows.end(), is_standard)
             ? " At the best k a standard filter is half full when it holds its capacity."
             : "";
}

Outcome fill_vs_num_hashes(const Request& request, const Material& material) {
  RowSelection selection = material.selection;
  keep_for_num_hashes(selection, material.input.wording);
  if (!feeds(selection.rows(), "num_hashes", request, material)) {
    return not_drawn("the run does not have a size with two values of k");
  }
  return draw({.name = request.chart,
               .title = "How full the filters are, against the number of hashes",
               .caption = " Each hash sets one more bit per key, unless that bit is set already.",
               .x = &axis("num_hashes"),
               .axes = {"size", "variant", "params", "probes", "hash", "keys", "num_inserted"},
               .quantity = SeriesRequest::Quantity::kFill},
              request, selection, material);
}

}  // namespace

std::string_view x_axis_of(const Request& request, const Material& material) {
  const std::string_view x = bloometry::x_axis_of(request);
  if (request.chart != "fill" || !x.empty()) return x;
  RowSelection selection = material.selection;
  keep_with_capacity(selection);
  return feeds(selection.rows(), "n_over_capacity", request, material) ? "n_over_capacity"
                                                                       : "num_inserted";
}

/// Draws the fill against n at the best k of each size. If the config requests k as x, draws the
/// fill against k.
Outcome fill(const Request& request, const Material& material) {
  const std::string_view x = x_axis_of(request, material);
  if (x == "num_hashes") return fill_vs_num_hashes(request, material);
  RowSelection selection = material.selection;
  if (x == "n_over_capacity") keep_with_capacity(selection);
  keep_best_num_hashes(selection, request, material.input.wording);
  if (!feeds(selection.rows(), x, request, material)) {
    return not_drawn("the run does not have a filter with three numbers of keys");
  }
  return draw({.name = request.chart,
               .title = "How full the filters are",
               .caption = about_fill(selection.rows()),
               .x = &axis(x),
               .axes = {"size", "variant", "params", "probes", "hash", "keys", "capacity"},
               .quantity = SeriesRequest::Quantity::kFill},
              request, selection, material);
}

}  // namespace bloometry::report
