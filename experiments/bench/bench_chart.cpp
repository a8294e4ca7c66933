#include "experiments/bench/bench_chart.hpp"

#include <algorithm>
#include <fmt/core.h>
#include <nlohmann/json.hpp>
#include <string>

#include "experiments/bench/summary.hpp"
#include "experiments/chart/chart_style.hpp"
#include "experiments/process/machine.hpp"
#include "experiments/text/number_text.hpp"

namespace bloometry::bench {
namespace {

using chart::Chart;
using chart::PlottedPoint;
using nlohmann::json;

constexpr int kRowHeight = 30;
constexpr int kPanelWidth = 210;

/// The results that one chart shows: all cases of one source of keys.
using Cases = std::vector<const CaseResult*>;

std::string label_of_keys(std::uint64_t num_keys) {
  const auto n = static_cast<double>(num_keys);
  return n < 1e6 ? rounded(n / 1e3, 4) + " thousand keys" : rounded(n / 1e6, 4) + " million keys";
}

/// Returns a description of the machine and the build for the caption. Published times are
/// meaningless without a description of the machine and the build.
std::string machine_text() {
  const json machine = describe_build_and_machine();
  const auto text = [&](const char* field) { return machine.at(field).get<std::string>(); };
  return fmt::format("Measured on {}, instructions {}, bloometry {} at {}.", text("cpu"),
                     text("isa"), text("version"), text("git_revision"));
}

std::string series_of(Call call, unsigned num_threads) {
  const std::string name(name_of(call));
  return num_threads == 1 ? name : fmt::format("{}, {} threads", name, num_threads);
}

json fields_of(const CaseResult& bench_case, const TargetResult& target, const Figure& figure,
               const Repetitions& repetitions) {
  const auto& [op, call, num_threads] = figure;
  const Spread time = spread_of(repetitions);
  json fields = {{"filter", target.plan.name},
                 {"n", label_of_keys(bench_case.num_keys)},
                 {"op", name_of(op)},
                 {"series", series_of(call, num_threads)},
                 {"ns", time.median},
                 {"ns_min", time.min},
                 {"ns_max", time.max},
                 {"floor_ns", nullptr},
                 {"ratio", nullptr},
                 {"bits_per_key",
                  static_cast<double>(target.num_bits) / static_cast<double>(bench_case.num_keys)}};
  if (num_threads > 1) return fields;
  const Repetitions& floor = target.floor(op, call);
  fields["floor_ns"] = spread_of(floor).median;
  fields["ratio"] = spread_of_ratios(repetitions, floor).median;
  return fields;
}

std::vector<PlottedPoint> points_of(const Cases& cases) {
  std::vector<PlottedPoint> points;
  for (const CaseResult* bench_case : cases) {
    for (const TargetResult& target : bench_case->targets) {
      for (const auto& [figure, repetitions] : target.ns_per_key) {
        points.push_back(
            {.row = std::nullopt, .fields = fields_of(*bench_case, target, figure, repetitions)});
      }
    }
  }
  return points;
}

/// Returns the names of a filter's series, from top to bottom.
std::vector<std::string> series_in_order(const std::vector<unsigned>& threads) {
  std::vector<std::string> series;
  for (const unsigned num_threads : threads) {
    for (const Call call : kAllCalls) series.push_back(series_of(call, num_threads));
  }
  return series;
}

/// Returns the distinct values of one field of the points, in the order of the points.
json values_of(const std::vector<PlottedPoint>& points, const char* field) {
  json values = json::array();
  for (const PlottedPoint& point : points) {
    const json& value = point.fields.at(field);
    if (std::find(values.begin(), values.end(), value) == values.end()) values.push_back(value);
  }
  return values;
}

json x_channel(const char* field) {
  return {
      {"field", field},
      {"type", "quantitative"},
      {"title", "ns per key"},
      {"scale", {{"type", "log"}, {"nice", false}, {"padding", 8}}},
      {"axis", {{"format", "~g"}, {"values", {0.5, 1, 2, 5, 10, 20, 50, 100, 200, 500, 1000}}}}};
}

json tooltip() {
  return json::parse(R"j([
    {"field": "filter", "title": "filter"},
    {"field": "series", "title": "call"},
    {"field": "ns", "type": "quantitative", "format": ".3~g", "title": "ns per key, median"},
    {"field": "ns_min", "type": "quantitative", "format": ".3~g", "title": "fastest repetition"},
    {"field": "ns_max", "type": "quantitative", "format": ".3~g", "title": "slowest repetition"},
    {"field": "floor_ns", "type": "quantitative", "format": ".3~g", "title": "floor"},
    {"field": "ratio", "type": "quantitative", "format": ".3~g", "title": "times the floor"},
    {"field": "bits_per_key", "type": "quantitative", "format": ".4~g", "title": "bits per key"}
  ])j");
}

/// Returns the layers of a panel: the floor as a vertical stroke, the range as a line, and the
/// median as a point. The series of a filter are drawn one below the other.
json layers(const json& filters, const std::vector<std::string>& series) {
  const json y = {{"field", "filter"}, {"type", "nominal"}, {"sort", filters}, {"title", nullptr}};
  const json offset = {{"field", "series"}, {"type", "nominal"}, {"sort", series}};
  const json channels = chart::series_channels("call", series);
  json floor = {{"mark", {{"type", "tick"}, {"thickness", 2}, {"size", kRowHeight / 3 + 2}}},
                {"encoding", {{"x", x_channel("floor_ns")}, {"color", channels["color"]}}}};
  json range = {
      {"mark", {{"type", "rule"}, {"strokeWidth", 1.4}}},
      {"encoding",
       {{"x", x_channel("ns_min")}, {"x2", {{"field", "ns_max"}}}, {"color", channels["color"]}}}};
  json median = {{"mark", {{"type", "point"}, {"filled", true}, {"size", 46}, {"opacity", 1}}},
                 {"encoding",
                  {{"x", x_channel("ns")},
                   {"color", channels["color"]},
                   {"shape", channels["shape"]},
                   {"tooltip", tooltip()}}}};
  return {{"layer", {floor, range, median}}, {"encoding", {{"y", y}, {"yOffset", offset}}}};
}

/// Returns a sentence about the filters that grow, because their memory depends on their initial
/// capacity. Returns an empty string if none of the filters grows.
std::string about_initial_capacity(const BenchSettings& settings, const Cases& cases) {
  const auto grows = [](const TargetResult& target) {
    return target.plan.initial_capacity.has_value();
  };
  const bool has_growing = std::any_of(cases.begin(), cases.end(), [&](const CaseResult* one) {
    return std::any_of(one->targets.begin(), one->targets.end(), grows);
  });
  if (!has_growing) return "";
  const std::optional<std::uint64_t>& requested = settings.initial_capacity;
  return requested ? fmt::format(" Filters that grow have an initial capacity of {}.",
                                 plural(*requested, "key"))
                   : " Filters that grow have the number of keys as their initial capacity.";
}

Chart make_chart(const BenchResult& result, const std::string& keys, const Cases& cases) {
  const BenchSettings& settings = result.plan.settings;
  Chart chart{.name = chart_name(keys), .title = "Time per key, " + describe_keys(keys)};
  chart.caption = fmt::format(
      "Filters sized for a false-positive rate of {}, keys hashed with {} (filters of other "
      "libraries: with the hash of that library). {} Points: median of {} repetitions, hashing "
      "included; lines: fastest to slowest. Upright strokes: the floor, which is the time to read "
      "one random 64-byte line of an array as large as the filter, or to write the line for insert "
      "and erase, without prefetch for single calls and with prefetch for batches. single: one "
      "call per key; batch: one for {} keys. negative: absent keys; positive: members; mix: half "
      "of each.{}",
      rounded(settings.rate, 4), settings.hash, machine_text(), settings.num_repetitions,
      kBlockKeys,
      settings.threads.size() > 1
          ? " With several threads, the keys of all threads are counted together."
          : "");
  chart.caption += about_initial_capacity(settings, cases);
  chart.points = points_of(cases);
  const json filters = values_of(chart.points, "filter");
  chart.spec = chart::base_spec(chart.title, chart.caption);
  chart.spec["facet"] = {{"row",
                          {{"field", "n"},
                           {"type", "nominal"},
                           {"sort", values_of(chart.points, "n")},
                           {"header", {{"title", nullptr}}}}},
                         {"column",
                          {{"field", "op"},
                           {"type", "nominal"},
                           {"sort", values_of(chart.points, "op")},
                           {"header", {{"title", nullptr}}}}}};
  const std::vector<std::string> series = series_in_order(settings.threads);
  json view = layers(filters, series);
  view["width"] = kPanelWidth;
  view["height"] = kRowHeight * std::max<std::size_t>(filters.size(), 1) * series.size() / 2;
  chart.spec["spec"] = std::move(view);
  chart.spec["resolve"] = {{"scale", {{"x", "shared"}}}};
  return chart;
}

}  // namespace

std::string chart_name(std::string_view keys) {
  return fmt::format("bench_{}", keys);
}

std::vector<Chart> make_bench_charts(const BenchResult& result) {
  std::vector<Chart> charts;
  for (const std::string& keys : all_bench_keys()) {
    Cases cases;
    for (const CaseResult& bench_case : result.cases) {
      if (bench_case.keys == keys && !bench_case.targets.empty()) cases.push_back(&bench_case);
    }
    if (!cases.empty()) charts.push_back(make_chart(result, keys, cases));
  }
  return charts;
}

}  // namespace bloometry::bench
