#include <algorithm>
#include <cmath>
#include <fmt/core.h>
#include <map>
#include <set>

#include "core/statistics/significance.hpp"
#include "experiments/chart/chart_style.hpp"
#include "experiments/report/common_values.hpp"
#include "experiments/report/division.hpp"
#include "experiments/report/labels.hpp"
#include "experiments/report/point_charts.hpp"
#include "experiments/report/row_marks.hpp"
#include "experiments/report/selection.hpp"
#include "experiments/report/untested.hpp"
#include "experiments/text/number_text.hpp"

namespace bloometry::report {
namespace {

using chart::Chart;
using nlohmann::json;

constexpr double kLeastFunnelFalsePositives = 10;  // with fewer, the standard error is unreliable
constexpr std::size_t kMostPoints = 3000;          // with more points, boxes of density are drawn
constexpr std::size_t kNumExtremes = 500;

double expected_false_positives(const SummaryRow& row) {
  return static_cast<double>(row.num_queries) * row.conditional_false_positive_rate;
}

double excess(const SummaryRow& row) {
  const double expected = expected_false_positives(row);
  const double variance = expected * (1 - row.conditional_false_positive_rate);
  return (static_cast<double>(row.num_false_positives) - expected) / std::sqrt(variance);
}

bool can_show_excess(const SummaryRow& row) {
  const double negatives = static_cast<double>(row.num_queries) - expected_false_positives(row);
  return expected_false_positives(row) >= kLeastFunnelFalsePositives &&
         negatives >= kLeastFunnelFalsePositives;
}

bool expects_fewer(const SummaryRow* a, const SummaryRow* b) {
  return expected_false_positives(*a) < expected_false_positives(*b);
}

/// Returns the rows whose excess of false positives has the largest distance from 0.
Rows extremes_of(Rows rows) {
  const auto farther = [](const SummaryRow* a, const SummaryRow* b) {
    return std::abs(excess(*a)) > std::abs(excess(*b));
  };
  std::stable_sort(rows.begin(), rows.end(), farther);
  rows.resize(std::min(rows.size(), kNumExtremes));
  return rows;
}

/// Returns the horizontal lines of the funnel: zero, the 95 % band, and the rejection limits of
/// `verify`.
constexpr int kWidth = 620;  // px
constexpr int kHeight = 360;

json funnel_lines(double threshold) {
  json values = json::array();
  values.push_back({{"z", 0}, {"kind", "theory"}});
  const auto add_both = [&](double z, const char* kind) {
    values.push_back({{"z", z}, {"kind", kind}});
    values.push_back({{"z", -z}, {"kind", kind}});
  };
  add_both(statistics::two_sided_z(0.05), "95 % of points, by chance");
  json domain = {"theory", "95 % of points, by chance"};
  if (threshold > 0) {
    add_both(statistics::two_sided_z(threshold), "limit of one test");
    domain.push_back("limit of one test");
  }
  const json dash = {{"field", "kind"},
                     {"type", "nominal"},
                     {"scale", {{"domain", domain}, {"range", {{1, 0}, {7, 4}, {2, 3}}}}},
                     {"legend",
                      {{"title", nullptr},
                       {"symbolType", "stroke"},
                       {"symbolSize", 500},
                       {"symbolStrokeColor", "#666"}}}};
  return {{"name", "limits"},
          {"data", {{"values", values}}},
          {"mark", {{"type", "rule"}, {"color", "#777"}}},
          {"encoding", {{"y", {{"field", "z"}, {"type", "quantitative"}}}, {"strokeDash", dash}}}};
}

/// The coordinate range of the funnel. It contains all tested rows. Without a tested row, it
/// contains all rows. Rows outside the range are drawn at its edge.
struct FunnelPlane {
  FunnelPlane(const Rows& rows, double least_height) : height(least_height) {
    const auto [fewest, most] = std::minmax_element(rows.begin(), rows.end(), expects_fewer);
    low = expected_false_positives(**fewest) / 1.5;
    high = expected_false_positives(**most) * 1.5;
    const bool has_tested = num_untested(rows) < rows.size();
    for (const SummaryRow* row : rows) {
      if (has_tested && !row->tested) continue;
      height = std::max(height, std::ceil(std::abs(excess(*row)) + 0.5));
    }
  }

  [[nodiscard]] bool contains(const SummaryRow& row) const {
    return std::abs(excess(row)) <= height;
  }

  [[nodiscard]] json x(const char* field) const {
    return {{"field", field},
            {"type", "quantitative"},
            {"title", "expected false positives"},
            {"scale", {{"type", "log"}, {"nice", false}, {"domain", {low, high}}}},
            {"axis", {{"format", "~s"}, {"tickCount", 6}, {"grid", false}}}};
  }

  [[nodiscard]] json y(const char* field) const {
    return {{"field", field},
            {"type", "quantitative"},
            {"title", "excess over theory (standard errors)"},
            {"scale", {{"domain", {-height, height}}, {"nice", false}, {"clamp", true}}}};
  }

  double low = 0;
  double high = 0;
  double height;
};

/// Returns the density of rows in the funnel, as boxes of equal width on the logarithmic axis.
json funnel_density(const Rows& rows, const FunnelPlane& plane) {
  constexpr double kColumns = 60;
  constexpr double kBoxHeight = 0.25;  // in standard errors
  const double width = std::log(plane.high / plane.low) / kColumns;
  std::map<std::pair<long, long>, std::size_t> counts;
  for (const SummaryRow* row : rows) {
    const double column = std::log(expected_false_positives(*row) / plane.low) / width;
    ++counts[{std::lround(std::floor(column)), std::lround(std::floor(excess(*row) / kBoxHeight))}];
  }
  json values = json::array();
  for (const auto& [box, count] : counts) {
    const auto column = static_cast<double>(box.first);
    const auto line = static_cast<double>(box.second);
    values.push_back({{"left", plane.low * std::exp(column * width)},
                      {"right", plane.low * std::exp((column + 1) * width)},
                      {"bottom", line * kBoxHeight},
                      {"top", (line + 1) * kBoxHeight},
                      {"count", count}});
  }
  return {{"name", "density"},
          {"data", {{"values", values}}},
          {"mark", {{"type", "rect"}, {"clip", true}, {"color", "#444"}}},
          {"encoding",
           {{"x", plane.x("left")},
            {"x2", {{"field", "right"}}},
            {"y", plane.y("bottom")},
            {"y2", {{"field", "top"}}},
            {"opacity",
             {{"field", "count"},
              {"type", "quantitative"},
              {"title", "points in a box"},
              {"scale", {{"type", "sqrt"}, {"range", {0.08, 0.9}}}}}},
            {"tooltip", {{{"field", "count"}, {"title", "points"}}}}}}};
}

json funnel_points(const TestedLegend& legend, const FunnelPlane& plane) {
  json encoding = {{"x", plane.x("expected_false_positives")},
                   {"y", plane.y("excess")},
                   {"order", largest_first()},
                   {"strokeWidth", chart::picked_width()},
                   {"tooltip", row_tooltip()}};
  encoding.update(legend.channels());
  return {{"name", "measured"},
          {"mark",
           {{"type", "point"},
            {"filled", false},
            {"size", {{"expr", "datum.mark_size"}}},
            {"opacity", 0.9},
            {"cursor", "pointer"}}},
          {"encoding", encoding}};
}

/// Returns the layer of arrows beside the points that are drawn at the edge, because they are
/// outside the axis. The arrows are inside the view, so that they do not cover labels of ticks.
json outside_layer(const FunnelPlane& plane) {
  return {{"name", "outside"},
          {"transform", {{{"filter", "isValid(datum.outside)"}}}},
          {"mark",
           {{"type", "point"},
            {"filled", true},
            {"size", 40},
            {"shape", {{"expr", "datum.outside > 0 ? 'triangle-up' : 'triangle-down'"}}},
            {"yOffset", {{"expr", "datum.outside > 0 ? 10 : -10"}}},
            {"color", TestedLegend::kGrey},
            {"tooltip", nullptr}}},
          {"encoding",
           {{"x", plane.x("expected_false_positives")},
            {"y", plane.y("excess")},
            {"opacity",
             chart::named_marks("outside the axis", {{"symbolType", "triangle-up"},
                                                     {"symbolFillColor", TestedLegend::kGrey},
                                                     {"symbolStrokeWidth", 0}})}}}};
}

std::string about_outside(std::size_t num_outside) {
  if (num_outside == 0) return "";
  return fmt::format(
      " The axis follows the tested points: {} outside it {} drawn at its edge with an arrow.",
      num_outside == 1 ? "1 point" : grouped(num_outside) + " points",
      num_outside == 1 ? "is" : "are");
}

Rows rows_that(const Rows& rows, bool are_tested) {
  Rows kept;
  for (const SummaryRow* row : rows) {
    if (row->tested == are_tested) kept.push_back(row);
  }
  return kept;
}

/// Leaves out points that are not tested, if there are too many for marks. Keeps those that are
/// farthest from 0.
void thin_out_untested(RowSelection& selection) {
  const Rows untested = rows_that(selection.rows(), false);
  if (untested.size() <= kNumExtremes || selection.rows().size() <= kMostPoints) return;
  const Rows kept = extremes_of(untested);
  const std::set<const SummaryRow*> farthest(kept.begin(), kept.end());
  selection.leave_out_if(
      [&](const SummaryRow& row) { return !row.tested && !farthest.contains(&row); },
      "that `verify` does not test and that are nearer to 0 than the signs");
}

/// Returns the size of each mark in square px.
std::vector<int> mark_sizes(const Rows& rows, const TestedLegend& legend,
                            const FunnelPlane& plane) {
  const json x = plane.x("")["scale"];
  return legend.mark_sizes(rows, [&](const SummaryRow& row) {
    const double share = std::clamp(excess(row) / plane.height, -1.0, 1.0);
    return MarkPosition{.x = kWidth * chart::share_of(x, expected_false_positives(row)),
                        .y = kHeight * (1 - share) / 2};
  });
}

json fields_of(const SummaryRow& row, const TestedLegend& legend, const FunnelPlane& plane,
               int mark_size) {
  json fields = {{"series", legend.series_of(row)},
                 {"entry", legend.entry_of(row)},
                 {"mark_size", mark_size},
                 {"expected_false_positives", expected_false_positives(row)},
                 {"excess", excess(row)}};
  if (!plane.contains(row)) fields["outside"] = excess(row);
  return fields;
}

}  // namespace

std::optional<Chart> excess_funnel(RowSelection selection, const ChartInput& input,
                                   double threshold, std::size_t at_least) {
  selection.leave_out_if([](const SummaryRow& row) { return !can_show_excess(row); },
                         "with fewer than 10 false positives (or negatives) expected");
  if (selection.rows().empty() || selection.rows().size() < at_least) return std::nullopt;
  const std::vector<const Axis*> axes = filter_axes(selection.rows(), input.wording);
  Chart chart{.name = "excess_funnel",
              .title = "How far false positives are from theory, in standard errors"};
  chart.caption =
      "Each mark is one row of summary.csv." +
      about_differences(selection.rows(), input.wording, axes) +
      " Each value is the number of false positives minus the number that each filter's own fill "
      "predicts, for all trials of a point together. By chance, 95 % of the points are within ±2 "
      "for every expected number. If theory is wrong, points deviate at the right, where many "
      "false positives make small errors visible. Points of one trial share keys and queries, so "
      "many of them may deviate in the same direction. Beyond the dotted lines, a single test of "
      "`verify` rejects the run.";
  chart.caption += about_untested(selection.rows(), "crosses and similar signs");
  thin_out_untested(selection);
  const Rows& shown = selection.rows();
  const double verdict_limit = threshold > 0 ? statistics::two_sided_z(threshold) : 4;
  const FunnelPlane plane(shown, verdict_limit + 1);
  const auto num_outside = static_cast<std::size_t>(std::count_if(
      shown.begin(), shown.end(), [&](const SummaryRow* row) { return !plane.contains(*row); }));
  chart.caption += about_outside(num_outside);
  json layers = json::array({funnel_lines(threshold)});
  Rows tested = rows_that(shown, true);
  if (shown.size() > kMostPoints && tested.size() > kNumExtremes) {
    layers.push_back(funnel_density(tested, plane));
    chart.caption += fmt::format(
        " Grey: the density of all {} {}points. Marks: the {} points that are farthest from 0.",
        grouped(tested.size()), tested.size() < shown.size() ? "tested " : "",
        grouped(kNumExtremes));
    tested = extremes_of(std::move(tested));
  }
  chart.caption += selection.caption();
  Rows kept = rows_that(shown, false);  // tested points are drawn last, in front
  kept.insert(kept.end(), tested.begin(), tested.end());
  const TestedLegend legend(Labels(axes, kept, input.wording), kept, input.rows);
  const std::vector<int> sizes = mark_sizes(kept, legend, plane);
  for (std::size_t i = 0; i < kept.size(); ++i) {
    chart.points.push_back({.row = static_cast<std::size_t>(kept[i] - input.rows.data()),
                            .fields = fields_of(*kept[i], legend, plane, sizes[i])});
  }
  chart.caption += TestedLegend::about_sizes(sizes);
  chart.spec = chart::base_spec(chart.title, chart.caption);
  chart.spec["transform"] = row_texts();
  layers.push_back(funnel_points(legend, plane));
  if (num_outside > 0) layers.push_back(outside_layer(plane));
  chart.spec.update({{"width", kWidth},
                     {"height", kHeight},
                     {"layer", layers},
                     {"resolve", {{"scale", {{"opacity", "independent"}}}}}});
  return chart;
}

}  // namespace bloometry::report
