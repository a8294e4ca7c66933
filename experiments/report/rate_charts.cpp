#include <algorithm>
#include <array>
#include <fmt/core.h>
#include <set>
#include <string>

#include "core/text.hpp"
#include "experiments/chart/chart_style.hpp"
#include "experiments/report/common_values.hpp"
#include "experiments/report/division.hpp"
#include "experiments/report/labels.hpp"
#include "experiments/report/point_charts.hpp"
#include "experiments/report/row_marks.hpp"
#include "experiments/report/selection.hpp"
#include "experiments/report/theory_lines.hpp"
#include "experiments/report/untested.hpp"
#include "experiments/report/window_axes.hpp"
#include "experiments/text/number_text.hpp"

namespace bloometry::report {
namespace {

using chart::Chart;
using chart::PlottedPoint;
using nlohmann::json;

constexpr std::size_t kMostRatePoints = 3000;

/// Keeps at most kMostRatePoints rows, evenly spread over the expected rates.
void thin_out(RowSelection& selection) {
  if (selection.rows().size() <= kMostRatePoints) return;
  Rows rows = selection.rows();
  std::stable_sort(rows.begin(), rows.end(), [](const SummaryRow* a, const SummaryRow* b) {
    return a->expected_false_positive_rate < b->expected_false_positive_rate;
  });
  Rows kept;
  for (std::size_t i = 0; i < kMostRatePoints; ++i) {
    kept.push_back(rows[i * (rows.size() - 1) / (kMostRatePoints - 1)]);
  }
  selection.keep(std::move(kept),
                 "between those drawn, which are spread evenly over the expected rates");
}

std::pair<double, double> range_of(const Rows& rows) {
  double low = 1;
  double high = 1e-300;
  for (const SummaryRow* row : rows) {
    const double classic =
        has_classic_rate(*row) ? *row->classic_false_positive_rate : drawn_rate(*row);
    low = std::min({low, drawn_rate(*row), row->expected_false_positive_rate, classic});
    if (row->interval_lower > 0) low = std::min(low, row->interval_lower);
    if (const std::optional<Band> band = band_of_rates(*row)) {
      if (band->lower > 0) low = std::min(low, band->lower);
      high = std::max(high, band->upper);
    }
    high = std::max({high, row->interval_upper, row->expected_false_positive_rate, classic});
  }
  return {low, std::max(high, low)};
}

/// Returns the scale of rate_by_point.
json rate_scale(const Rows& rows) {
  const auto [low, high] = range_of(rows);
  return chart::rate_channel("x", "", low, high)["scale"];
}

PlottedPoint point_of(const SummaryRow& row, const ChartInput& input, json fields) {
  return {.row = static_cast<std::size_t>(&row - input.rows.data()), .fields = std::move(fields)};
}

/// Returns the layer with one kind of mark in rate_by_point. The string `kind` is the legend entry
/// of the marks.
json mark_by_point(const std::string& name, json mark, json x, const std::string& kind,
                   const std::string& filter) {
  mark["clip"] = true;
  return {{"name", name},
          {"transform", {{{"filter", filter}}}},
          {"mark", mark},
          {"encoding", {{"x", std::move(x)}, {"color", {{"datum", kind}}}}}};
}

json by_point_layers(const Rows& rows) {
  const auto [low, high] = range_of(rows);
  const auto channel = [low = low, high = high](const std::string& field) {
    return chart::rate_channel(field, "false-positive rate", low, high);
  };
  const std::string measured = "measured, 95 % interval";
  json layers = json::array();
  json band = mark_by_point("band", {{"type", "bar"}, {"size", 14}, {"opacity", 0.22}},
                            channel("band_lower"), "", "");
  band["transform"] = band_transforms(band["encoding"]["x"]["scale"]);
  band["encoding"]["color"] = {{"field", "theory_name"}, {"type", "nominal"}};
  band["encoding"]["x2"] = {{"field", "band_upper"}};
  layers.push_back(band);
  layers.push_back(mark_by_point("exact", {{"type", "tick"}, {"thickness", 3}, {"size", 20}},
                                 channel("exact_false_positive_rate"), kExact,
                                 "datum.exact_false_positive_rate > 0"));
  layers.push_back(mark_by_point("classic", {{"type", "tick"}, {"thickness", 1.5}, {"size", 26}},
                                 channel("classic_false_positive_rate"), kClassic,
                                 kHasClassicRate));
  json approximation =
      mark_by_point("approximation", {{"type", "tick"}, {"thickness", 3}, {"size", 20}},
                    channel("expected_false_positive_rate"), "", "isValid(datum.approximation)");
  approximation["encoding"]["color"] = {{"field", "approximation"}, {"type", "nominal"}};
  layers.push_back(approximation);
  json interval =
      mark_by_point("interval", {{"type", "rule"}, {"strokeWidth", 1.6}}, channel("interval_lower"),
                    measured, "datum.num_false_positives > 0");
  interval["encoding"]["x2"] = {{"field", "interval_upper"}};
  interval["transform"] = interval_transforms(interval["encoding"]["x"]["scale"]);
  layers.push_back(interval);
  add_cut_marks(rows, "x", layers);
  const json point = {{"type", "point"}, {"filled", false}, {"size", 70}, {"cursor", "pointer"}};
  json points = mark_by_point("measured", point, channel("observed_false_positive_rate"), measured,
                              "datum.num_false_positives > 0");
  json bounds =
      mark_by_point("measured_upper_bound", point, channel("interval_upper"),
                    "0 false positives: 95 % upper bound", "datum.num_false_positives == 0");
  bounds["mark"]["shape"] = "triangle-left";
  for (json* layer : {&points, &bounds}) {
    (*layer)["encoding"]["tooltip"] = row_tooltip();
    (*layer)["encoding"]["strokeWidth"] = chart::picked_width();
    layers.push_back(*layer);
  }
  return layers;
}

/// Returns the sentence about the classic formula, and for which variants it is not drawn.
std::string about_classic(const Rows& rows) {
  const std::set<std::string> without = variants_without_classic_rate(rows);
  const bool is_drawn = std::any_of(rows.begin(), rows.end(),
                                    [](const SummaryRow* row) { return has_classic_rate(*row); });
  if (!is_drawn) return "";
  return fmt::format(", thin ticks the classic formula (1-e^(-kn/m))^k{}",
                     without.empty() ? "" : fmt::format(" (none for {})", joined(without)));
}

std::string about_bands(const Rows& rows) {
  const auto [low, high] = range_of(rows);
  return has_visible_band(rows, low, high) ? band_caption(rows) : "";
}

json by_point_fields(const SummaryRow& row, const Labels& names) {
  json fields = band_fields(row);
  fields["series"] = names.of(row);
  if (!row.exact_false_positive_rate) fields["approximation"] = theory_name(row.expected_by);
  return fields;
}

/// Returns the names of the theories that are not exact.
std::set<std::string> approximations_of(const Rows& rows) {
  std::set<std::string> names;
  for (const SummaryRow* row : rows) {
    if (!row->exact_false_positive_rate) names.insert(theory_name(row->expected_by));
  }
  return names;
}

/// Returns the colour scale of the marks. The scale contains only drawn marks, so that other marks
/// do not get a legend entry.
json by_point_colours(const Rows& rows) {
  json domain = json::array();
  json range = json::array();
  const auto add = [&](const char* kind, const char* colour, auto predicate) {
    if (!std::any_of(rows.begin(), rows.end(), predicate)) return;
    domain.push_back(kind);
    range.push_back(colour);
  };
  using Row = const SummaryRow*;
  add("measured, 95 % interval", "#0072B2", [](Row row) { return row->num_false_positives > 0; });
  add("0 false positives: 95 % upper bound", "#56B4E9",
      [](Row row) { return row->num_false_positives == 0; });
  add(kExact, "#009E73", [](Row row) { return row->exact_false_positive_rate.has_value(); });
  constexpr std::array kOthers = {"#E69F00", "#CC79A7", "#7F7F7F", "#B8A800"};
  std::size_t number = 0;
  for (const std::string& name : approximations_of(rows)) {
    add(name.c_str(), kOthers[number++ % kOthers.size()], [](Row) { return true; });
  }
  add(kClassic, "#D55E00", [](Row row) { return has_classic_rate(*row); });
  return {{"scale", {{"domain", domain}, {"range", range}}},
          {"legend", {{"title", nullptr}, {"symbolOpacity", 1}}}};
}

constexpr int kScatterSide = 460;  // px

/// The two axes of the scatter plot. Both axes have equal ranges, so that equal rates are on the
/// diagonal.
struct ScatterAxes {
  explicit ScatterAxes(const Rows& rows) {
    for (const SummaryRow* row : rows) {
      least = std::min({least, least_drawn_rate(*row), row->expected_false_positive_rate});
      most = std::max({most, row->expected_false_positive_rate, row->interval_upper});
    }
    least /= 2;
  }

  [[nodiscard]] json x(const char* field = "expected_false_positive_rate") const {
    return chart::rate_channel(field, "expected false-positive rate", least, most);
  }

  [[nodiscard]] json y(const char* field) const {
    return chart::rate_channel(field, "measured false-positive rate", least, most);
  }

  double least = 1;
  double most = 0;
};

bool has_no_false_positive(const SummaryRow* row) {
  return row->num_false_positives == 0;
}

json diagonal_layer(const ScatterAxes& axes) {
  const json ends = axes.x()["scale"]["domain"];
  return {
      {"name", "diagonal"},
      {"data", {{"values", {{{"x", ends[0]}}, {{"x", ends[1]}}}}}},
      {"mark", {{"type", "line"}, {"clip", true}, {"color", "#888"}}},
      {"encoding",
       {{"x", axes.x("x")},
        {"y", axes.y("x")},
        {"opacity", chart::named_marks("measured = expected", {{"symbolType", "stroke"},
                                                               {"symbolStrokeColor", "#888"}})}}}};
}

json scatter_interval_layer(const ScatterAxes& axes, const json& colour) {
  const json y = axes.y("interval_lower");
  return {{"name", "interval"},
          {"transform", interval_transforms(y["scale"])},
          {"mark", {{"type", "rule"}, {"clip", true}, {"opacity", 0.7}}},
          {"encoding",
           {{"x", axes.x()}, {"y", y}, {"y2", {{"field", "interval_upper"}}}, {"color", colour}}}};
}

json scatter_points_layer(const ScatterAxes& axes, const char* name, const char* field,
                          const char* filter, const json& colour) {
  return {{"name", name},
          {"transform", {{{"filter", filter}}}},
          {"mark",
           {{"type", "point"},
            {"filled", false},
            {"opacity", 0.9},
            {"size", {{"expr", "datum.mark_size"}}},
            {"cursor", "pointer"}}},
          {"encoding",
           {{"x", axes.x()},
            {"y", axes.y(field)},
            {"color", colour},
            {"order", largest_first()},
            {"strokeWidth", chart::picked_width()},
            {"tooltip", row_tooltip()}}}};
}

/// Returns the size of each mark of the scatter plot in square px.
std::vector<int> scatter_mark_sizes(const Rows& rows, const TestedLegend& legend) {
  const json scale = ScatterAxes(rows).x()["scale"];
  return legend.mark_sizes(rows, [&](const SummaryRow& row) {
    return MarkPosition{
        .x = kScatterSide * chart::share_of(scale, row.expected_false_positive_rate),
        .y = kScatterSide * chart::share_of(scale, drawn_rate(row))};
  });
}

json scatter_layers(const Rows& rows, const TestedLegend& legend) {
  const ScatterAxes axes(rows);
  const json channels = legend.channels();
  const json& colour = channels["color"];
  json points = scatter_points_layer(axes, "measured", "observed_false_positive_rate",
                                     "datum.num_false_positives > 0", colour);
  points["encoding"]["shape"] = channels["shape"];
  json bounds = scatter_points_layer(axes, "measured_upper_bound", "interval_upper",
                                     "datum.num_false_positives == 0", colour);
  bounds["mark"]["shape"] = "triangle-down";
  bounds["encoding"]["opacity"] = chart::named_marks(
      "0 false positives: 95 % upper bound",
      {{"symbolType", "triangle-down"}, {"symbolStrokeColor", "#666"}, {"symbolSize", 50}});
  json layers = {diagonal_layer(axes), scatter_interval_layer(axes, colour)};
  add_cut_marks(rows, "y", layers);
  layers.push_back(points);
  if (std::any_of(rows.begin(), rows.end(), has_no_false_positive))
    layers.push_back(std::move(bounds));
  return layers;
}

std::string about_bounds(const Rows& rows) {
  std::set<std::string> variants;
  for (const SummaryRow* row : rows) {
    if (has_only_bound(*row)) variants.insert(row->variant);
  }
  return variants.empty()
             ? ""
             : fmt::format(
                   " For some points of {}, theory gives only an upper bound, and the rate may be "
                   "far below it.",
                   joined(variants));
}

}  // namespace

Chart rate_by_point(RowSelection selection, const ChartInput& input) {
  leave_out_zero_rates(selection);
  const Rows& kept = selection.rows();
  Chart chart{.name = "rate_by_point", .title = "Measured rate beside theory, point by point"};
  chart.caption = fmt::format(
      "Circles are measured rates with their 95 % intervals (for the chance of the queries), thick "
      "ticks what theory expects{}."
      "{}{}{}{}{}",
      about_classic(kept), about_cut_intervals(kept, rate_scale(kept)),
      about_repeated_queries(kept), about_bounds(kept), about_bands(kept), selection.caption());
  std::vector<const Axis*> axes =
      varying(with_workload_axes({"variant", "params", "keys", "hash", "probes", "size", "capacity",
                                  "num_inserted", "num_hashes"}),
              kept, input.wording);
  distinguish(axes, kept, input.wording, [](const SummaryRow&) { return ""; });
  if (axes.empty()) axes = {&axis("variant"), &axis("num_inserted"), &axis("num_hashes")};
  const Labels names(axes, kept, input.wording);
  for (const SummaryRow* row : kept) {
    chart.points.push_back(point_of(*row, input, by_point_fields(*row, names)));
  }
  chart.spec = chart::base_spec(chart.title, chart.caption);
  chart.spec["transform"] = row_texts();
  json layers = by_point_layers(kept);
  for (json& layer : layers) layer["encoding"]["color"].update(by_point_colours(kept));
  constexpr std::size_t kLetters = 60;
  constexpr std::size_t kLeastStep = 38;  // px
  constexpr std::size_t kLineHeight = 15;
  const json lines = chart::lines_of_labels(names.in_order(), kLetters);
  std::size_t step = kLeastStep;
  for (const json& label : lines) step = std::max(step, kLineHeight * label.size() + 8);
  const json y = {
      {"field", "series"},
      {"type", "nominal"},
      {"sort", names.in_order()},
      {"title", nullptr},
      {"axis", {{"grid", true}, {"labelLimit", 0}, {"labelExpr", chart::label_expr(lines)}}}};
  chart.spec.update(
      {{"width", 520}, {"height", {{"step", step}}}, {"layer", layers}, {"encoding", {{"y", y}}}});
  return chart;
}

Chart observed_vs_expected(RowSelection selection, const ChartInput& input) {
  leave_out_zero_rates(selection);
  selection.leave_out_if(has_idle_bound, kIdleBoundReason);
  thin_out(selection);
  const Rows& kept = selection.rows();
  const std::vector<const Axis*> axes = filter_axes(kept, input.wording);
  Chart chart{.name = "rate_vs_theory", .title = "Measured against expected rate, every point"};
  chart.caption = "Each mark is one row of summary.csv." +
                  about_differences(kept, input.wording, axes) +
                  " On the diagonal the measured rate is the expected one; bars are 95 % intervals "
                  "(for the chance of the queries).";
  if (std::any_of(kept.begin(), kept.end(), has_no_false_positive)) {
    chart.caption +=
        " Triangles that point down did not have a false positive: the rate is below them.";
  }
  chart.caption += about_cut_intervals(kept, ScatterAxes(kept).y("")["scale"]) +
                   about_repeated_queries(kept) + about_bounds(kept) +
                   about_untested(kept, "crosses and similar signs");
  chart.caption += selection.caption();
  const TestedLegend legend(Labels(axes, kept, input.wording), kept, input.rows);
  const std::vector<int> sizes = scatter_mark_sizes(kept, legend);
  chart.caption += TestedLegend::about_sizes(sizes);
  for (std::size_t i = 0; i < kept.size(); ++i) {
    chart.points.push_back(point_of(*kept[i], input,
                                    {{"series", legend.series_of(*kept[i])},
                                     {"entry", legend.entry_of(*kept[i])},
                                     {"mark_size", sizes[i]}}));
  }
  chart.spec = chart::base_spec(chart.title, chart.caption);
  chart.spec["transform"] = row_texts();
  chart.spec.update({{"width", kScatterSide},
                     {"height", kScatterSide},
                     {"layer", scatter_layers(kept, legend)},
                     {"resolve", {{"scale", {{"opacity", "independent"}}}}}});
  return chart;
}

}  // namespace bloometry::report
