#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <vector>

#include "experiments/plan/config.hpp"
#include "experiments/report/charts.hpp"
#include "tests/experiments/report/charts_of_runs.hpp"
#include "tests/experiments/report/rows_of_config.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/runs/made_up_runs.hpp"

using namespace bloometry;
using namespace bloometry::chart;
using namespace bloometry::report;
using namespace bloometry::test;
using nlohmann::json;

namespace {

/// Runs in which some axes determine others: one size per n, several n of one size, several
/// capacities, a k per size, parameters of one variant, and counters beside filters that grow.
const std::vector<std::string> kConfigs = {
    R"({"name": "a", "queries": 100000, "grids": [{"variant": ["standard", "blocked"],
        "num_keys": [100, 1000, 10000, 100000], "bits_per_key": [6, 8, 12], "num_hashes": [3, 6]}]})",
    R"({"name": "b", "queries": 100000, "grids": [{"variant": ["standard", "blocked"],
        "num_keys": [1000, 3000, 50000, 1000000], "num_bits": [100000, 8000000],
        "num_hashes": [4, 7]}]})",
    R"({"name": "c", "queries": 100000, "keys": ["random", "sequential"], "grids": [
        {"variant": "counting", "num_keys": [100, 1000, 5000], "num_counters": [10000, 40000],
         "num_hashes": [4, 7]},
        {"variant": "scalable", "capacity": 1000, "num_keys": [100, 1000, 5000],
         "target_false_positive_rate": [0.01, 0.001]}]})",
    R"({"name": "d", "queries": 100000, "grids": [
        {"variant": "standard", "capacity": 1000, "num_keys": [100, 1000, 2000],
         "bits_per_key": [8, 12], "num_hashes": [4, 6]},
        {"variant": "blocked", "capacity": 10000, "num_keys": [100, 1000, 10000, 20000],
         "bits_per_key": [8, 12], "num_hashes": [4, 6], "params": {"block_bits": 256}},
        {"variant": "blocked", "capacity": 1000, "num_keys": [100, 1000, 2000],
         "bits_per_key": [8, 12], "num_hashes": [4, 6], "params": {"block_bits": 512}}]})",
    R"({"name": "e", "queries": 100000, "grids": [{"variant": ["standard", "blocked"],
        "num_keys": [1000, 2000, 4000], "capacity": 2000, "bits_per_key": [5, 8, 12, 16],
        "num_hashes": "optimal_at_capacity"}]})"};

HandMadeRun run_of_config(const std::string& config) {
  HandMadeRun made;
  made.run.config = config_from_json(json::parse(config));
  made.rows = rows_of_config(made.run.config);
  return made;
}

ChartSet charts_with(const HandMadeRun& made, const ChartChoices& choices) {
  return make_charts(made.run.config, made.rows, made.verdict, choices);
}

/// Returns the names of the series in each panel.
std::map<std::string, std::set<std::string>> series_by_panel(const Chart& chart) {
  std::map<std::string, std::set<std::string>> series;
  for (const PlottedPoint& point : chart.points) {
    if (!point.fields.contains("facet") || !point.fields["series"].is_string()) return {};
    series[point.fields["facet"]].insert(point.fields["series"].get<std::string>());
  }
  return series;
}

std::size_t num_series(const std::map<std::string, std::set<std::string>>& by_panel) {
  std::set<std::string> all;
  for (const auto& [panel, series] : by_panel) all.insert(series.begin(), series.end());
  return all.size();
}

/// Returns whether the requested axis of series gave each panel one series of several.
bool has_one_series_per_panel(const Chart& chart) {
  const auto by_panel = series_by_panel(chart);
  const bool is_single = std::all_of(by_panel.begin(), by_panel.end(),
                                     [](const auto& panel) { return panel.second.size() == 1; });
  return by_panel.size() > 1 && num_series(by_panel) > 1 && is_single;
}

std::size_t num_sizes_in(const std::string& label) {
  std::size_t count = 0;
  for (const char* words : {" bits per key", "m = "}) {
    for (std::size_t at = label.find(words); at != label.npos; at = label.find(words, at + 1)) {
      ++count;
    }
  }
  return count;
}

}  // namespace

TEST_CASE("division: no axis of series gives each panel one series", "[report]") {
  std::size_t num_checked = 0;
  for (const std::string& config : kConfigs) {
    const HandMadeRun made = run_of_config(config);
    for (const std::string_view name : kChartAxisNames) {
      for (const Chart& chart : charts_with(made, {.series = std::string(name)}).charts) {
        if (chart.caption.find(" further series ") != chart.caption.npos) continue;
        if (series_by_panel(chart).empty()) continue;
        if (chart.name == "memory_vs_n" || chart.name == "pareto") continue;
        INFO(config << "\n" << chart.name << ", series " << name);
        CHECK_FALSE(has_one_series_per_panel(chart));
        ++num_checked;
      }
    }
  }
  CHECK(num_checked > 200);
}

TEST_CASE("division: a series of sizes states its size once", "[report]") {
  for (const std::string& config : kConfigs) {
    const HandMadeRun made = run_of_config(config);
    for (const std::string name : {"size", "bits_per_key", "num_bits", "num_counters"}) {
      const bool is_growing = config.find("scalable") != config.npos;
      if (is_growing) continue;  // the bits per key of a filter that grows are not its size
      for (const Chart& chart : charts_with(made, {.series = name}).charts) {
        if (chart.name == "pareto" || chart.caption.find(" ignores ") != chart.caption.npos)
          continue;
        for (const auto& [panel, series] : series_by_panel(chart)) {
          for (const std::string& label : series) {
            INFO(config << "\n"
                        << chart.name << ", series " << name << ": " << panel << "; " << label);
            CHECK(num_sizes_in(panel + ", " + label) <= 1);
          }
        }
      }
    }
  }
}

TEST_CASE("division: an axis that determines the series is part of their names", "[report]") {
  const auto panels_of = [](const std::string& config, const std::string& chart,
                            const std::string& series) {
    const ChartSet set = charts_with(run_of_config(config), {.names = {chart}, .series = series});
    return series_by_panel(chart_named(set, chart));
  };
  // json lists the panels if a check fails.
  const json of_bits = panels_of(kConfigs[1], "rate_vs_n_by_num_hashes", "num_bits");
  CHECK(of_bits == json({{"standard, k = 4", {"m = 100,000 bits", "m = 8,000,000 bits"}},
                         {"standard, k = 7", {"m = 100,000 bits", "m = 8,000,000 bits"}},
                         {"blocked, k = 4", {"m = 100,352 bits", "m = 8,000,000 bits"}},
                         {"blocked, k = 7", {"m = 100,352 bits", "m = 8,000,000 bits"}}}));
  const json of_k = panels_of(kConfigs[4], "rate_vs_n_over_capacity", "num_hashes");
  CHECK(of_k == json({{"standard",
                       {"k = 11, 16 bits per key", "k = 3, 5 bits per key", "k = 6, 8 bits per key",
                        "k = 8, 12 bits per key"}},
                      {"blocked",
                       {"k = 10, 16 bits per key", "k = 4, 5 bits per key", "k = 5, 8 bits per key",
                        "k = 8, 12 bits per key"}}}));
  for (const auto& [panel, series] : panels_of(kConfigs[3], "rate_vs_n_over_capacity", "params")) {
    INFO(panel);
    for (const std::string& label : series) {
      CHECK((label.starts_with("standard") || label.starts_with("blocked, block_bits = ")));
    }
  }
}

TEST_CASE("division: an axis with one value is ignored, with a warning", "[report]") {
  const HandMadeRun made = run_of_config(kConfigs[1]);
  const ChartSet plain = charts_with(made, {.names = {"rate_vs_n"}});
  for (const ChartChoices& choices : {ChartChoices{.names = {"rate_vs_n"}, .series = "hash"},
                                      ChartChoices{.names = {"rate_vs_n"}, .facet = "hash"}}) {
    const ChartSet set = charts_with(made, choices);
    CHECK(series_by_panel(set.charts.at(0)) == series_by_panel(plain.charts.at(0)));
    REQUIRE(set.warnings.size() == 1);
    CHECK(set.warnings[0].ends_with(" hash is ignored, because all points have one value of it"));
  }
}

TEST_CASE("division: series and panels of single marks have a warning", "[report]") {
  const HandMadeRun made = run_of_config(kConfigs[0]);
  using Warnings = std::vector<std::string>;
  CHECK(charts_with(made, {.names = {"rate_vs_n"}, .series = "num_bits"}).warnings ==
        Warnings{"each series of the chart rate_vs_n has one value of num_inserted: use another "
                 "series than num_bits"});
  CHECK(charts_with(made, {.names = {"rate_vs_n"}, .facet = "num_bits"}).warnings ==
        Warnings{"each panel of the chart rate_vs_n has one value of num_inserted: use another "
                 "facet than num_bits"});
  CHECK(charts_with(made, {.names = {"rate_vs_n"}, .facet = "variant"}).warnings.empty());
}

TEST_CASE("charts: an axis that a chart already uses is a conflict", "[report]") {
  const HandMadeRun made = run_of_config(kConfigs[0]);
  const auto conflicts_of = [&](const ChartChoices& choices) {
    const ChartSet set = charts_with(made, choices);
    std::vector<std::string> texts;
    for (const AxisConflict& conflict : set.conflicts) {
      texts.push_back(conflict.field + ": " + conflict_text({&conflict, 1}, '\''));
    }
    return texts;
  };
  const auto end_of = [&](const ChartChoices& choices) {
    const std::vector<std::string> texts = conflicts_of(choices);
    REQUIRE(texts.size() == 1);
    CHECK(texts[0].find(": must be one of variant, params, ") != texts[0].npos);
    return texts[0].substr(0, texts[0].find(':')) + texts[0].substr(texts[0].find(", because"));
  };
  CHECK(end_of({.names = {"rate_vs_n"}, .series = "num_keys"}) ==
        "series, because num_inserted is the x axis of rate_vs_n, got 'num_keys'");
  CHECK(end_of({.names = {"rate_vs_n"}, .facet = "num_inserted"}) ==
        "facet, because num_inserted is the x axis of rate_vs_n, got 'num_inserted'");
  CHECK(end_of({.names = {"rate_vs_n"}, .fix = {{"num_keys", "1000"}}}) ==
        "fix, because num_inserted is the x axis of rate_vs_n, got 'num_keys'");
  CHECK(end_of({.names = {"fill"}, .series = "num_inserted"}) ==
        "series, because num_inserted is the x axis of fill, got 'num_inserted'");
  CHECK(end_of({.names = {"pareto"}, .facet = "bits_per_key"}) ==
        "facet, because bits_per_key is the x axis of pareto, got 'bits_per_key'");
  CHECK(end_of({.names = {"rate_vs_n_by_num_hashes"}, .facet = "num_hashes"}) ==
        "facet, because num_hashes is the axis of series of rate_vs_n_by_num_hashes, got "
        "'num_hashes'");
  // All sizes of this run are in bits per key.
  CHECK(end_of({.names = {"rate_vs_bits_per_key"}, .series = "size"}) ==
        "series, because bits_per_key is the x axis of rate_vs_bits_per_key, got 'size'");
  CHECK(conflicts_of({.names = {"rate_vs_n"}, .series = "size"}).empty());
  CHECK(conflicts_of({.names = {"rate_by_point"}, .series = "num_inserted"}).empty());
}

TEST_CASE("charts: a choice leaves out standard charts that it contradicts", "[report]") {
  const ChartSet set = charts_with(run_of_config(kConfigs[0]), {.series = "num_inserted"});
  CHECK(set.conflicts.empty());
  CHECK(set.warnings == std::vector<std::string>{
                            "the chart rate_vs_n is left out, because num_inserted is the x axis",
                            "the chart fill is left out, because num_inserted is the x axis"});
  const std::vector<std::string> names = names_of(set);
  CHECK(std::find(names.begin(), names.end(), "rate_vs_bits_per_key") != names.end());
  CHECK(std::find(names.begin(), names.end(), "rate_vs_n") == names.end());
  SECTION("and lists each of them once, for all of its conflicts") {
    const HandMadeRun made = run_of_config(kConfigs[0]);
    const std::string n = std::to_string(made.rows.front().num_inserted);
    const ChartSet both = charts_with(made, {.series = "num_inserted", .fix = {{"num_keys", n}}});
    std::map<std::string, std::vector<std::string>> reasons;
    for (const OmittedChart& omitted : both.omitted)
      reasons[omitted.name].push_back(omitted.reason);
    REQUIRE(reasons.contains("rate_vs_n"));
    for (const auto& [name, of_chart] : reasons) {
      INFO(name);
      CHECK(of_chart.size() == 1);
    }
  }
  SECTION("and lists those without data") {
    const ChartSet of_capacity =
        charts_with(run_of_config(kConfigs[0]), {.series = "n_over_capacity"});
    const auto is_omitted = [](const OmittedChart& omitted) {
      return omitted.name == "rate_vs_n_over_capacity" &&
             omitted.reason.find("the run does not have") == 0;
    };
    CHECK(std::count_if(of_capacity.omitted.begin(), of_capacity.omitted.end(), is_omitted) == 1);
  }
  SECTION("unless no other chart is left") {
    const HandMadeRun one_size = fixed_size_run({20'000, 50'000, 100'000, 200'000}, {4});
    const ChartSet none = charts_with(one_size, {.series = "num_inserted"});
    CHECK(none.conflicts.size() == 2);
  }
}
