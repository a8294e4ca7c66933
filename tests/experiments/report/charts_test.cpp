#include "experiments/report/charts.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/core.h>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "experiments/chart/chart_style.hpp"
#include "experiments/report/row_marks.hpp"
#include "experiments/report/selection.hpp"
#include "tests/experiments/report/charts_of_runs.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/runs/made_up_runs.hpp"

using namespace bloometry;
using namespace bloometry::chart;
using namespace bloometry::report;
using namespace bloometry::test;
using nlohmann::json;

namespace {

void set_no_hit(SummaryRow& row, double upper_bound) {
  row.num_false_positives = 0;
  row.observed_false_positive_rate = 0;
  row.interval_lower = 0;
  row.interval_upper = upper_bound;
}

}  // namespace

TEST_CASE("charts: draws every standard chart it has data for", "[report]") {
  SECTION("a full grid has all but rate_vs_n") {
    CHECK(names_of(charts_of(large_run())) ==
          std::vector<std::string>{"rate_vs_bits_per_key", "pareto", "rate_vs_n_over_capacity",
                                   "rate_vs_num_hashes", "rate_vs_theory", "excess_funnel",
                                   "p_value_qq", "relative_error_heatmap", "fill"});
  }
  SECTION("one n has no heat map, with the reason") {
    const ChartSet set = charts_of(grid_run({1}, {4, 8, 12}, {2, 4, 6}));
    const auto names = names_of(set);
    CHECK(std::find(names.begin(), names.end(), "relative_error_heatmap") == names.end());
    const auto omitted = std::find_if(set.omitted.begin(), set.omitted.end(), [](const auto& o) {
      return o.name == "relative_error_heatmap";
    });
    REQUIRE(omitted != set.omitted.end());
    CHECK(omitted->reason == "no cell differs from theory by more than chance explains");
  }
  SECTION("few points are drawn by point") {
    CHECK(
        names_of(charts_of(one_series_run())) ==
        std::vector<std::string>{"rate_vs_n_over_capacity", "rate_by_point", "p_value_qq", "fill"});
  }
  SECTION("an axis with two values is not drawn") {
    const ChartSet set = charts_of(grid_run({0.5, 1}, {4, 8}, {3, 6}));
    for (const std::string& name : names_of(set)) {
      INFO(name);
      CHECK_FALSE(name.starts_with("rate_vs_n"));
      CHECK(name != "rate_vs_bits_per_key");
      CHECK(name != "fill");
    }
    CHECK(names_of(charts_of(grid_run({0.5, 1}, {4, 8, 12}, {3, 6}))).front() ==
          "rate_vs_bits_per_key");
  }
  SECTION("no rows give no charts") {
    CHECK(charts_of(empty_run()).charts.empty());
  }
}

TEST_CASE("charts: the distribution of p-values needs enough trials", "[report]") {
  HandMadeRun made = large_run();
  add_trials(made, 7);
  const auto names = names_of(charts_of(made));
  CHECK(std::find(names.begin(), names.end(), "p_value_qq") == names.end());
}

TEST_CASE("charts: p_value_qq draws one row per trial", "[report]") {
  HandMadeRun made = large_run();
  const std::vector<RowVerdict> once = made.verdict.rows;
  for (RowVerdict row : once) {
    row.row.num_inserted += 1;
    row.expected_false_positives /= 2;
    made.verdict.rows.push_back(row);
  }
  CHECK(chart_named(charts_of(made), "p_value_qq").points.size() == once.size());
}

TEST_CASE("charts: memory is drawn with the information bound", "[report]") {
  const Chart chart = chart_named(charts_of(large_run()), "rate_vs_bits_per_key");
  const json& layers = chart.spec["layer"];
  const auto bound = std::find_if(layers.begin(), layers.end(),
                                  [](const json& layer) { return layer["name"] == "bound"; });
  REQUIRE(bound != layers.end());
  for (const json& value : (*bound)["data"]["values"]) {
    CHECK(value["bound"].get<double>() == Approx(std::exp2(-value["x"].get<double>())));
  }
}

TEST_CASE("charts: bits per key of filters past their capacity are named those of the capacity",
          "[report]") {
  constexpr const char* kTitle = "memory m / capacity (bits per key of the capacity)";
  const HandMadeRun past = grid_run({2}, {4, 8, 12}, {5});
  const Chart chart =
      chart_named(requested(past, {{.chart = "rate_vs_bits_per_key", .x = {}, .facet = {}}}),
                  "rate_vs_bits_per_key");
  CHECK(chart.spec["encoding"]["x"]["title"] == kTitle);
  CHECK_FALSE(has_layer(chart, "bound"));  // it would be that of the capacity
  CHECK(chart.caption.find("information bound") == std::string::npos);
  const HandMadeRun all = grid_run({0.5, 1, 2}, {4, 8, 12}, {5});
  const auto requests = std::vector<ChartRequest>{
      {.chart = "rate_vs_n_over_capacity", .x = {}, .facet = {}, .series = "bits_per_key"},
      {.chart = "rate_vs_bits_per_key", .x = {}, .facet = {}}};
  const ChartSet set = requested(all, requests);
  CHECK(to_text(chart_named(set, "rate_vs_n_over_capacity").spec).find(kTitle) !=
        std::string::npos);
  const Chart full = chart_named(set, "rate_vs_bits_per_key");
  CHECK(full.spec["encoding"]["x"]["title"] == "memory m/n (bits per key)");
  CHECK(has_layer(full, "bound"));
}

TEST_CASE("charts: a series has one k, the best at capacity", "[report]") {
  const HandMadeRun made = large_run();
  const Chart chart = chart_named(charts_of(made), "rate_vs_n_over_capacity");
  CHECK(chart.points.size() == 2 * 8 * 6);  // variants, n, sizes
  for (const PlottedPoint& point : chart.points) {
    const SummaryRow& row = made.rows[*point.row];
    if (row.num_bits == 800'000) CHECK((row.num_hashes == 5U || row.num_hashes == 6U));
  }
}

TEST_CASE("charts: zero false positives are drawn as upper bounds with their own mark and legend",
          "[report]") {
  HandMadeRun made = one_series_run();
  SECTION("one point without false positives") {
    made.rows[0] = make_row(100'000, 8, 5, 100);
    set_no_hit(made.rows[0], 2 * made.rows[0].expected_false_positive_rate);
    const Chart chart = chart_named(charts_of(made), "rate_vs_n_over_capacity");
    CHECK(chart.points.size() == 5);
    REQUIRE(has_layer(chart, "measured_upper_bound"));
    const json& layer = chart.spec["layer"].back();
    CHECK(layer["mark"]["shape"] == "triangle-down");
    CHECK(layer["encoding"]["y"]["field"] == "interval_upper");
    CHECK(layer_of(chart, "measured")["encoding"]["opacity"]["scale"]["domain"] ==
          json({"○ measured, 95 % interval", "▽ 0 false positives: 95 % upper bound"}));
  }
  SECTION("no such layer without one") {
    CHECK_FALSE(
        has_layer(chart_named(charts_of(made), "rate_vs_n_over_capacity"), "measured_upper_bound"));
  }
}

TEST_CASE("charts: points that a logarithmic axis cannot show are left out and counted",
          "[report]") {
  HandMadeRun made = one_series_run();
  made.rows.push_back(make_row(0, 8, 5));
  const Chart chart = chart_named(charts_of(made), "rate_vs_n_over_capacity");
  CHECK(chart.points.size() == 5);
  CHECK(chart.caption.find("Left out: 1 point whose expected rate is 0") != std::string::npos);
  CHECK(to_text(chart.spec["title"]["subtitle"]).find("Left out: 1") != std::string::npos);
}

TEST_CASE("charts: the shade around theory contains the chance of filters and of queries",
          "[report]") {
  HandMadeRun made = one_series_run();
  for (SummaryRow& row : made.rows) {
    row.expected_rate_stddev = 0.2 * row.expected_false_positive_rate;
    row.num_trials = 4;
  }
  SummaryRow& row = made.rows.back();
  const double rate = row.expected_false_positive_rate;
  SECTION("both sources add up") {
    const Chart chart = chart_named(charts_of(made), "rate_vs_n_over_capacity");
    REQUIRE(has_layer(chart, "band"));
    CHECK(says(chart,
               "95 % of measured rates fall in the shade around theory, which adds the "
               "chance of the filters to that of the queries."));
    const double variance =
        std::pow(0.2 * rate, 2) / 4 + (rate * (1 - rate) - std::pow(0.2 * rate, 2)) / 100'000;
    CHECK(chart.points.back().fields["band_upper"].get<double>() ==
          Approx(rate + 1.959964 * std::sqrt(variance)));
    CHECK(chart.points.back().fields["band_lower"].get<double>() ==
          Approx(rate - 1.959964 * std::sqrt(variance)));
  }
  SECTION("down to the edge of the axis") {
    row.expected_rate_stddev = 3 * rate;
    const Chart chart = chart_named(charts_of(made), "rate_vs_n_over_capacity");
    CHECK(chart.points.back().fields["band_lower"] == 0);
    const json& band = layer_of(chart, "band");
    CHECK(band["transform"][1]["calculate"].get<std::string>() ==
          fmt::format("max(datum.band_lower, {})",
                      band["encoding"]["y"]["scale"]["domain"][0].get<double>()));
  }
  SECTION("not around points without a test") {
    row.tested = false;
    const Chart chart = chart_named(charts_of(made), "rate_vs_n_over_capacity");
    CHECK_FALSE(chart.points.back().fields.contains("band_upper"));
    CHECK(chart.points.front().fields.contains("band_upper"));
    CHECK(says(chart, "points that `verify` does not test have none."));
  }
  SECTION("not around points of repeated queries") {
    row.keys = "zipf:1.1";
    CHECK_FALSE(band_of_rates(row));
  }
  SECTION("not if the chance of the filters is narrower than the line") {
    for (SummaryRow& each : made.rows) {
      each.expected_rate_stddev = 0.001 * each.expected_false_positive_rate;
    }
    CHECK_FALSE(has_layer(chart_named(charts_of(made), "rate_vs_n_over_capacity"), "band"));
  }
}

TEST_CASE("charts: theory without an exact value is drawn as an approximation", "[report]") {
  HandMadeRun made = one_series_run();
  for (SummaryRow& row : made.rows) {
    row.exact_false_positive_rate.reset();
    row.expected_by = "fluid";
  }
  const Chart chart = chart_named(charts_of(made), "rate_vs_n_over_capacity");
  CHECK(chart.points.front().fields["approximation"] == "fluid approximation");
  CHECK(to_text(chart.spec).find("\"exact theory\"]") == std::string::npos);
}

TEST_CASE("charts: triangles of equal upper bounds are at their x, with different sizes",
          "[report]") {
  HandMadeRun made = grid_run({1}, {4, 8, 12}, {4});
  for (SummaryRow& row : made.rows) {
    set_no_hit(row, 2 * row.expected_false_positive_rate);  // both variants have the same rate
  }
  made.rows.back().interval_upper *= 2;  // this mark is the only one at its position
  const Chart chart = chart_named(charts_of(made), "rate_vs_bits_per_key");
  std::map<std::pair<double, double>, std::set<int>> sizes;  // at one position
  for (const auto& point : chart.points) {
    const SummaryRow& row = made.rows.at(*point.row);
    const int size = point.fields.at("mark_size").get<int>();
    CHECK(sizes[{point.fields.at("x").get<double>(), row.interval_upper}].insert(size).second);
  }
  CHECK(sizes.size() == 4);
  CHECK_FALSE(layer_of(chart, "measured_upper_bound")["mark"].contains("xOffset"));
  CHECK(chart.caption.find(" Triangles at one place have different sizes.") != std::string::npos);
}

TEST_CASE("charts: an upper bound far above theory is left out and counted", "[report]") {
  HandMadeRun made = one_series_run();
  const double expected = made.rows[0].expected_false_positive_rate;
  for (const std::string name : {"rate_vs_n_over_capacity", "rate_vs_theory"}) {
    INFO(name);
    const auto chart_of_bound = [&](double upper_bound) {
      set_no_hit(made.rows[0], upper_bound);
      return chart_named(requested(made, {{.chart = name, .x = {}, .facet = {}}}), name);
    };
    CHECK(has_layer(chart_of_bound(9 * expected), "measured_upper_bound"));
    const Chart idle = chart_of_bound(11 * expected);
    CHECK_FALSE(has_layer(idle, "measured_upper_bound"));
    CHECK(idle.caption.find(
              "Left out: 1 point without a false positive, whose upper bound is more than ten "
              "times the expected rate (") != std::string::npos);
  }
}

TEST_CASE("charts: a config's own list replaces the standard charts", "[report]") {
  const HandMadeRun made = grid_run({0.5, 1, 2}, {4, 8, 16}, {3, 6});
  SECTION("with x and facet") {
    const ChartSet set =
        requested(made, {{.chart = "rate_vs_theory", .x = "num_inserted", .facet = "bits_per_key"},
                         {.chart = "rate_vs_theory", .x = "num_hashes", .facet = {}}});
    CHECK(names_of(set) == std::vector<std::string>{"rate_vs_theory", "rate_vs_theory_2"});
    CHECK(set.charts[0].spec["facet"]["sort"] ==
          json({"4 bits per key, k = 3", "8 bits per key, k = 6", "16 bits per key, k = 6"}));
  }
  SECTION("names on the x axis are not joined by lines") {
    const ChartSet set =
        requested(made, {{.chart = "rate_vs_theory", .x = "variant", .facet = {}}});
    REQUIRE(set.charts.size() == 1);
    CHECK_FALSE(has_layer(set.charts[0], "exact"));
    CHECK(has_layer(set.charts[0], "expected"));
    CHECK(set.charts[0].spec["spec"]["encoding"]["x"]["sort"] == json({"standard", "counting"}));
  }
  SECTION("a chart without data is reported with the reason") {
    const ChartSet set = requested(made, {{.chart = "rate_vs_n", .x = {}, .facet = {}}});
    CHECK(set.charts.empty());
    REQUIRE(set.omitted.size() == 1);
    CHECK(set.omitted[0].reason ==
          "the run does not have a filter without a capacity but with three numbers of keys");
  }
}

TEST_CASE("charts: data are inlined, with one record and its own id per point", "[report]") {
  const HandMadeRun made = large_run();
  for (const Chart& chart : charts_of(made).charts) {
    const json spec = with_data(chart, row_records(made.rows));
    CHECK(spec["$schema"] == "https://vega.github.io/schema/vega-lite/v6.json");
    const json& values = spec["data"]["values"];
    REQUIRE(values.size() == chart.points.size());
    std::set<std::size_t> ids;
    for (const json& value : values) ids.insert(value["id"].get<std::size_t>());
    CHECK(ids.size() == values.size());
    CHECK(to_text(spec).find("\"url\"") == std::string::npos);
  }
}

TEST_CASE("charts: the same run gives the same bytes", "[report]") {
  const auto bytes = [] {
    const HandMadeRun made = large_run();
    std::string text;
    for (const Chart& chart : charts_of(made).charts)
      text += to_text(with_data(chart, row_records(made.rows)));
    return text;
  };
  CHECK(bytes() == bytes());
}

TEST_CASE("charts: requested names and facet replace those of the config", "[report]") {
  HandMadeRun made = large_run();
  made.run.config.charts = {{.chart = "fill", .x = {}, .facet = {}},
                            {.chart = "rate_vs_theory", .x = "num_hashes", .facet = {}}};
  const auto chosen = [&](const ChartChoices& choices) {
    return make_charts(made.run.config, made.rows, made.verdict, choices);
  };
  const ChartSet two = chosen({.names = {"rate_vs_theory", "rate_vs_n"}, .facet = "variant"});
  REQUIRE(names_of(two) == std::vector<std::string>{"rate_vs_theory"});
  CHECK(two.charts[0].spec["facet"]["sort"] == json({"standard", "counting"}));
  CHECK(two.charts[0].spec["spec"]["encoding"]["x"]["title"] == axis("num_hashes").title);
  REQUIRE(two.omitted.size() == 1);
  CHECK(two.omitted[0].name == "rate_vs_n");
  CHECK_FALSE(
      chosen({.names = {"rate_vs_theory"}, .facet = "none"}).charts[0].spec.contains("facet"));
  CHECK(names_of(chosen({.names = {}, .facet = "none"})) ==
        std::vector<std::string>{"fill", "rate_vs_theory"});
}

TEST_CASE("charts: the fill is drawn against k if the config requests it", "[report]") {
  HandMadeRun made = large_run();
  made.run.config.charts = {{.chart = "fill", .x = "num_hashes", .facet = "none"}};
  const Chart by_k = chart_named(charts_of(made), "fill");
  CHECK(by_k.spec["encoding"]["x"]["title"] == axis("num_hashes").title);
  std::set<json> values;
  for (const auto& point : by_k.points) values.insert(point.fields.at("x"));
  CHECK(values.size() > 1);
  made.run.config.charts.front().x.clear();
  CHECK(chart_named(charts_of(made), "fill").spec["encoding"]["x"]["title"] !=
        axis("num_hashes").title);
}

TEST_CASE("charts: lines of theory are straight between points", "[report]") {
  for (const Chart& chart : charts_of(large_run()).charts) {
    INFO(chart.name);
    CHECK(to_text(chart.spec).find("monotone") == std::string::npos);
  }
  const Chart chart = chart_named(charts_of(one_series_run()), "rate_vs_n_over_capacity");
  CHECK(chart.caption.find("solid lines join exact theory at the measured points") !=
        std::string::npos);
}
