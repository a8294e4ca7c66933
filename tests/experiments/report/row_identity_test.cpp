#include "tests/experiments/report/row_identity.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "experiments/plan/chart_request.hpp"
#include "experiments/plan/config.hpp"
#include "experiments/report/charts.hpp"
#include "experiments/report/row_marks.hpp"
#include "experiments/text/number_text.hpp"
#include "experiments/unit/spec_text.hpp"
#include "experiments/verdict/verdict.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/runs/made_up_runs.hpp"
#include "variants/registry/registry.hpp"

using namespace bloometry;
using namespace bloometry::chart;
using namespace bloometry::report;
using namespace bloometry::test;
using nlohmann::json;

namespace {

template <class T>
std::string text_of(const std::optional<T>& value) {
  return value ? number_text(static_cast<double>(*value)) : "none";
}

/// The fields that distinguish points, by name.
using Fields = std::map<std::string, std::string>;

/// Returns the fields of a point that distinguish it from other points of a run. The bindings name
/// every member, so that a new member does not compile until this function decides about it.
Fields fields_of(const Unit& unit, const Point& point) {
  // The id follows from the other members, params from the spec. A run has one root seed. The
  // trials of a point are one row.
  const auto& [id, variant, keys, hash, probes, spec, params, churn, window, stream, root_seed,
               trial, points] = unit;
  // The name contains the path and the exponent. The other members follow from them, and the label
  // is presentation.
  const auto& [kind, name, path, content, lines, duplicates, notes, exponent, label] = keys;
  // A unit's spec has one size in cells, or a target. The other sizes are absent.
  const auto& [none, target, no_bits_per_key, bits, counters, no_blocks, no_k, by_name, no_limit] =
      spec;
  // Two points of a unit differ in n or in k, since n and k determine the number of queries. The
  // requested values are those of the grids.
  const auto& [num_inserted, num_hashes, num_queries, capacity, bits_per_key] = point;
  const Churn& applied = churn.value_or(Churn());
  const auto& [rounds, erase, reinsert, wrongful_erases] = applied;
  const StreamWindow& window_parts = window.value_or(StreamWindow());
  const auto& [size, inserts_per_tick, repeats, erases] = window_parts;
  const ItemStream& stream_parts = stream.value_or(ItemStream());
  const auto& [zipf, num_distinct, insert, clear_every] = stream_parts;
  static_cast<void>(insert);  // its name is below
  return {{"variant", variant},
          {"keys", name},
          {"hash", hash},
          {"probes", probes},
          {"target_false_positive_rate", text_of(target)},
          {"num_bits", text_of(bits)},
          {"num_counters", text_of(counters)},
          {"params", params_text(by_name)},
          {"churn.rounds", std::to_string(rounds)},
          {"churn.erase", number_text(erase)},
          {"churn.reinsert", number_text(reinsert)},
          {"churn.wrongful_erases", number_text(wrongful_erases)},
          {"window.size", std::to_string(size)},
          {"window.inserts_per_tick", std::to_string(inserts_per_tick)},
          {"window.reinsert", number_text(repeats)},
          {"window.erase", number_text(erases)},
          {"stream.zipf", number_text(zipf)},
          {"stream.num_distinct", std::to_string(num_distinct)},
          {"stream.insert", std::string(stream_parts.insert_name())},
          {"stream.clear_every", std::to_string(clear_every)},
          {"num_inserted", std::to_string(num_inserted)},
          {"num_hashes", std::to_string(num_hashes)}};
}

/// Returns the names of the fields in which the points differ.
std::vector<std::string> differing(const Fields& a, const Fields& b) {
  std::vector<std::string> names;
  for (const auto& [name, value] : a) {
    if (b.at(name) != value) names.push_back(name);
  }
  return names;
}

/// Returns a config of grids, each of which changes the first grid.
json config_of(json grid, const std::vector<json>& changes, const json& more = json::object()) {
  json config = {{"name", "planted"}, {"queries", 1000}, {"grids", {grid}}};
  for (const json& change : changes) {
    json changed = grid;
    changed.update(change);
    config["grids"].push_back(changed);
  }
  config.update(more);
  return config;
}

const json kFilled = {{"num_keys", {100, 200, 300, 400}}, {"num_hashes", 3}};

json filter_of(const char* variant, const char* axis, double size) {
  json grid = kFilled;
  grid.update({{"variant", variant}, {axis, size}});
  return grid;
}

json churn_of(int rounds, double erase, double reinsert = 0, double wrongful_erases = 0) {
  return {{"churn",
           {{"rounds", rounds},
            {"erase", erase},
            {"reinsert", reinsert},
            {"wrongful_erases", wrongful_erases}}}};
}

json window_of(int size, double reinsert = 0, double erase = 0) {
  return {{"window", {{"size", size}, {"unit", "keys"}, {"reinsert", reinsert}, {"erase", erase}}}};
}

json tick_window_of(int size, int inserts_per_tick) {
  return {{"window", {{"size", size}, {"unit", "ticks"}, {"inserts_per_tick", inserts_per_tick}}}};
}

json stream_of(double zipf, int num_distinct, const char* insert = "passed", int clear_every = 0) {
  return {{"stream",
           {{"zipf", zipf},
            {"num_distinct", num_distinct},
            {"insert", insert},
            {"clear_every", clear_every}}}};
}

/// Returns configs whose points differ in one field or in a few fields.
std::vector<json> planted_configs() {
  const json standard = filter_of("standard", "num_bits", 4096);
  const json counting = filter_of("counting", "num_counters", 4096);
  json churned = counting;
  churned.update(churn_of(2, 0.3, 0.1, 0.1));
  json sized = filter_of("standard", "bits_per_key", 8);
  json scalable = filter_of("scalable", "target_false_positive_rate", 0.01);
  scalable.erase("num_hashes");
  scalable["capacity"] = 50;
  json at_capacity = standard;
  at_capacity["capacity"] = 200;
  json counting_at_capacity = counting;
  counting_at_capacity["capacity"] = 200;
  return {
      config_of(standard, {{{"variant", "partitioned"}}}),
      config_of(standard, {}, {{"keys", {"random", "url", {{"zipf", 1}}, {{"zipf", 1.0000001}}}}}),
      config_of(standard, {}, {{"hash", {"xxh3", "crc32"}}}),
      config_of(standard, {}, {{"probes", {"remix", "independent"}}}),
      config_of(standard, {{{"num_hashes", {1, 4}}}}),
      // Sizes that are equal in four digits.
      config_of(standard, {{{"num_bits", 4097}}}),
      config_of(at_capacity, {{{"num_bits", 4097}}, {{"num_bits", 4098}}}),
      config_of(counting, {{{"num_counters", 4097}}}),
      config_of(sized, {{{"bits_per_key", 8.0031}}, {{"bits_per_key", 8.0062}}}),
      config_of(sized, {{{"capacity", 200}}, {{"capacity", 300}}}),
      config_of(at_capacity, {{{"capacity", 300}}}),
      config_of(counting, {{{"params", {{"counter_bits", 2}}}},
                           {{"params", {{"counter_bits", 2}, {"saturation", "clamped"}}}}}),
      config_of(scalable, {{{"capacity", 100}}, {{"params", {{"growth_factor", 2}}}}}),
      config_of(scalable, {{{"target_false_positive_rate", 0.010000000001}}}),
      config_of(churned, {churn_of(3, 0.3, 0.1, 0.1), churn_of(4, 0.3, 0.1, 0.1)}),
      config_of(churned, {churn_of(2, 0.2, 0.1, 0.1), churn_of(2, 0.20001, 0.1, 0.1)}),
      config_of(churned, {churn_of(2, 0.3, 0.2, 0.1), churn_of(2, 0.3, 0.3, 0.1)}),
      config_of(churned, {churn_of(2, 0.3, 0.1, 0), churn_of(2, 0.3, 0.1, 0.5)}),
      config_of(counting, {churn_of(1, 0.1), churn_of(1, 0.2), churn_of(5, 0.1), churn_of(5, 0.2),
                           churn_of(9, 0.1, 0.1), churn_of(9, 0.2, 0.1)}),
      config_of(counting, {churn_of(1, 0), churn_of(2, 0)}),
      config_of(at_capacity, {window_of(5), window_of(6), window_of(7)}),
      config_of(at_capacity, {tick_window_of(5, 3), tick_window_of(5, 4), window_of(5)}),
      config_of(at_capacity,
                {stream_of(1, 90), stream_of(1, 91), stream_of(1.5, 90), stream_of(1, 90, "all"),
                 stream_of(1, 90, "passed", 7), stream_of(1, 90, "passed", 8), window_of(5)}),
      config_of(counting_at_capacity,
                {window_of(5, 0.1), window_of(5, 0.1001), window_of(5, 0.2, 0.1),
                 window_of(5, 0.2, 0.3), churn_of(1, 0.1), churn_of(1, 0.2, 0.1)})};
}

/// Returns the row of a point with made-up counts.
TrialRow row_of(const Unit& unit, const Point& point) {
  TrialRow row{.unit = unit.id,
               .variant = unit.variant,
               .keys = unit.keys.name,
               .hash = unit.hash,
               .probes = unit.probes,
               .params = unit.params,
               .trial = unit.trial,
               .num_inserted = point.num_inserted,
               .num_bits = find_variant(unit.variant).geometry(point_spec(unit, point)).num_bits(),
               .num_counters = unit.spec.num_counters,
               .target_false_positive_rate = unit.spec.target_false_positive_rate,
               .num_queries = point.num_queries,
               .num_false_positives = 10 + point.num_inserted / 10,
               .num_ones = point.num_inserted,
               .conditional_false_positive_rate = 0.1};
  if (point.num_hashes != 0) row.num_hashes = point.num_hashes;
  return row;
}

/// A run with made-up counts, and the fields of its points.
struct PlantedRun {
  explicit PlantedRun(const json& text) : config(config_from_json(text)) {
    RunData run;
    run.config = config;
    run.units = expand(config);
    std::set<Fields> distinct;
    for (const Unit& unit : run.units) {
      for (const Point& point : unit.points) {
        run.rows.push_back(row_of(unit, point));
        distinct.insert(fields_of(unit, point));
      }
    }
    points.assign(distinct.begin(), distinct.end());
    verdict = judge(run, 1e-6);
    rows = summarise(verdict);
  }

  Config config;
  std::vector<Fields> points{};
  Verdict verdict{};
  std::vector<SummaryRow> rows{};
};

void check_charts(const PlantedRun& run, std::vector<ChartRequest> requests) {
  Config config = run.config;
  config.charts = std::move(requests);
  for (const Chart& chart : make_charts(config, run.rows, run.verdict).charts) {
    check_distinct_marks(chart, run.rows);
  }
}

/// Checks every chart with every axis as series and as panels, and rate_vs_theory with every axis
/// as x.
void check_all_charts(const PlantedRun& run) {
  for (const std::string_view name : kChartNames) {
    const std::string chart(name);
    std::vector<ChartRequest> requests = {{.chart = chart, .x = {}, .facet = {}},
                                          {.chart = chart, .x = {}, .facet = "none"}};
    for (const std::string_view axis_name : kChartAxisNames) {
      const std::string axis(axis_name);
      requests.push_back({.chart = chart, .x = {}, .facet = axis});
      requests.push_back({.chart = chart, .x = {}, .facet = {}, .series = axis});
      if (chart != "rate_vs_theory") continue;
      requests.push_back({.chart = chart, .x = axis, .facet = {}});
      for (const char* other : {"churn", "churn_rounds", "window", "window_size", "stream",
                                "stream_clear_every", "size"}) {
        if (axis != other) requests.push_back({.chart = chart, .x = axis, .facet = other});
      }
    }
    check_charts(run, std::move(requests));
  }
}

}  // namespace

TEST_CASE("row identity: points that differ in a field have different keys and marks",
          "[report][summary]") {
  for (const json& config : planted_configs()) {
    INFO(config.dump());
    const PlantedRun run(config);
    CHECK(run.rows.size() == run.points.size());
    check_distinct_rows(run.rows);
    check_all_charts(run);
  }
}

TEST_CASE("row identity: the planted configs vary each field of a point alone", "[report]") {
  std::set<std::string> varied;
  std::set<std::string> all;
  for (const json& config : planted_configs()) {
    const PlantedRun run(config);
    for (const Fields& a : run.points) {
      for (const auto& [name, value] : a) all.insert(name);
      for (const Fields& b : run.points) {
        const std::vector<std::string> names = differing(a, b);
        if (names.size() == 1) varied.insert(names.front());
      }
    }
  }
  CHECK(varied == all);
}
