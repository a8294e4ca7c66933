#include "experiments/report/speed_chart.hpp"

#include <algorithm>
#include <fmt/core.h>
#include <limits>
#include <set>

#include "core/text.hpp"
#include "experiments/chart/chart_style.hpp"
#include "experiments/report/initial_capacity.hpp"
#include "experiments/report/labels.hpp"
#include "experiments/report/row_selection.hpp"

namespace bloometry::report {
namespace {

using chart::Chart;
using nlohmann::json;

/// Returns the measured rate, or its upper bound if the measured rate is 0. A logarithmic axis
/// cannot show zero.
double drawn_bench_rate(const BenchTime& time) {
  if (time.num_false_positives == 0) return time.interval_upper;
  return static_cast<double>(time.num_false_positives) / static_cast<double>(time.num_queries);
}

json fields_of(const BenchTime& time) {
  json fields = {
      {"x", drawn_bench_rate(time)},
      {"series", time.variant},
      {"facet", time.view},
      {"variant", time.variant},
      {"call", time.call},
      {"num_inserted", time.num_inserted},
      {"num_bits", time.num_bits},
      {"bits_per_key", static_cast<double>(time.num_bits) / static_cast<double>(time.num_inserted)},
      {"num_queries", time.num_queries},
      {"num_false_positives", time.num_false_positives},
      {"interval_lower", time.interval_lower},
      {"interval_upper", time.interval_upper},
      {"ns", time.ns},
      {"ns_min", time.ns_min},
      {"ns_max", time.ns_max}};
  if (time.num_hashes) fields["num_hashes"] = *time.num_hashes;
  if (time.initial_capacity) fields["initial_capacity"] = *time.initial_capacity;
  return fields;
}

json x_channel(const std::vector<BenchTime>& times) {
  double low = 1;
  double high = 0;
  for (const BenchTime& time : times) {
    low = std::min(low, time.interval_lower > 0 ? time.interval_lower : drawn_bench_rate(time));
    high = std::max(high, time.interval_upper);
  }
  return chart::rate_channel("x", "false-positive rate", low, high);
}

json y_channel(const std::vector<BenchTime>& times, const char* field) {
  constexpr double kMargin = 1.1;  // space for a tick beyond the marks on each side
  double low = std::numeric_limits<double>::infinity();
  double high = 0;
  for (const BenchTime& time : times) {
    low = std::min(low, time.ns_min / kMargin);
    high = std::max(high, time.ns_max * kMargin);
  }
  return {{"field", field},
          {"type", "quantitative"},
          {"title", "ns per negative query"},
          {"scale", {{"type", "log"}, {"nice", false}, {"domain", {low, high}}}},
          {"axis", {{"format", "~g"}, {"values", chart::round_values(low, high)}}}};
}

json tooltip() {
  return json::parse(R"j([
    {"field": "variant", "title": "variant"},
    {"field": "call", "title": "call"},
    {"field": "ns", "type": "quantitative", "format": ".3~g", "title": "ns per negative query, median"},
    {"field": "ns_min", "type": "quantitative", "format": ".3~g", "title": "fastest repetition"},
    {"field": "ns_max", "type": "quantitative", "format": ".3~g", "title": "slowest repetition"},
    {"field": "num_false_positives", "type": "quantitative", "format": ",", "title": "false positives"},
    {"field": "num_queries", "type": "quantitative", "format": ",", "title": "of queries"},
    {"field": "bits_per_key", "type": "quantitative", "format": ".4~g", "title": "bits per key"}
  ])j");
}

/// Returns the channel of shape or dash that distinguishes single and batch calls.
json call_channel(const json& range) {
  return {{"field", "call"},
          {"type", "nominal"},
          {"scale", {{"domain", {"single", "batch"}}, {"range", range}}},
          {"legend", {{"title", "call"}, {"symbolStrokeColor", "#444"}}}};
}

json layers(const std::vector<BenchTime>& times) {
  const json x = x_channel(times);
  const json dash = call_channel(json::array({json::array({1, 0}), json::array({5, 3})}));
  const json lines = {
      {"name", "lines"},
      {"mark", {{"type", "line"}, {"strokeWidth", 1.3}, {"tooltip", nullptr}}},
      {"encoding", {{"x", x}, {"y", y_channel(times, "ns")}, {"strokeDash", dash}}}};
  const json repetitions = {
      {"name", "repetitions"},
      {"mark", {{"type", "rule"}, {"strokeWidth", 1.2}}},
      {"encoding", {{"x", x}, {"y", y_channel(times, "ns_min")}, {"y2", {{"field", "ns_max"}}}}}};
  const json points = {
      {"name", "measured"},
      {"mark",
       {{"type", "point"}, {"filled", false}, {"size", 60}, {"opacity", 1}, {"cursor", "pointer"}}},
      {"encoding",
       {{"x", x},
        {"y", y_channel(times, "ns")},
        {"shape", call_channel({"circle", "square"})},
        {"strokeWidth", chart::picked_width()},
        {"tooltip", tooltip()}}}};
  return {lines, repetitions, points};
}

/// Returns the colours of the timed variants. A variant has the same colour as in the run's other
/// charts.
json colour_channel(const std::vector<BenchTime>& times, const ChartInput& input) {
  Rows timed;
  for (const SummaryRow& row : input.rows) {
    const auto is_of_row = [&](const BenchTime& time) { return time.variant == row.variant; };
    if (std::any_of(times.begin(), times.end(), is_of_row)) timed.push_back(&row);
  }
  const Labels variants({&axis("variant")}, timed, input.wording);
  return chart::series_channels("variant", variants.in_order(),
                                variants.colours(input.rows))["color"];
}

std::vector<std::string> views_of(const std::vector<BenchTime>& times) {
  std::vector<std::string> views;
  for (const BenchTime& time : times) {
    if (std::find(views.begin(), views.end(), time.view) == views.end()) views.push_back(time.view);
  }
  return views;
}

std::string caption_of(const BenchTimes& bench) {
  std::string caption = fmt::format(
      "Each mark is a filter that `bloometry bench` filled and timed: the median time of a query "
      "of an absent key, hashing included, with the fastest and slowest repetition, against the "
      "false positives that it counted. Lower and further left is better. single: one call per "
      "key; batch: one call for many keys. Measured on {}.",
      joined(bench.machines));
  const std::vector<std::string> views = views_of(bench.times);
  if (views.size() == 1) caption += fmt::format(" Filters of {}.", views.front());
  const auto has_no_false_positive = [](const BenchTime& time) {
    return time.num_false_positives == 0;
  };
  if (std::any_of(bench.times.begin(), bench.times.end(), has_no_false_positive)) {
    caption += " A filter without a false positive is drawn at its 95 % upper bound.";
  }
  caption += account_of(bench.times.size() + bench.num_of_others,
                        {{"of filters that the run does not have", bench.num_of_others}}, "time");
  std::set<std::uint64_t> initial_capacities;
  bool all_grow = true;
  for (const BenchTime& time : bench.times) {
    if (time.initial_capacity) initial_capacities.insert(*time.initial_capacity);
    all_grow = all_grow && time.initial_capacity;
  }
  return caption + about_initial_capacities(initial_capacities, all_grow);
}

}  // namespace

std::optional<Chart> ns_vs_rate(const BenchTimes& bench, const ChartInput& input) {
  if (bench.times.empty()) return std::nullopt;
  Chart chart{.name = "ns_vs_rate", .title = "Time of a query against the false-positive rate"};
  chart.caption = caption_of(bench);
  for (const BenchTime& time : bench.times) {
    chart.points.push_back({.row = std::nullopt, .fields = fields_of(time)});
  }
  chart.spec = chart::base_spec(chart.title, chart.caption);
  const json view = {{"layer", layers(bench.times)},
                     {"encoding", {{"color", colour_channel(bench.times, input)}}}};
  chart::place(chart.spec, view, views_of(bench.times));
  return chart;
}

}  // namespace bloometry::report
