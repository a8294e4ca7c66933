#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "experiments/chart/chart_style.hpp"
#include "experiments/report/charts.hpp"
#include "tests/experiments/report/charts_of_runs.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/runs/made_up_runs.hpp"

using namespace bloometry;
using namespace bloometry::chart;
using namespace bloometry::report;
using namespace bloometry::test;
using nlohmann::json;

TEST_CASE("charts: marks of equal memory have different sizes", "[report]") {
  HandMadeRun made = growing_run();
  const std::vector<SummaryRow> random = made.rows;
  for (SummaryRow row : random) {
    row.keys = "sequential";
    if (row.num_inserted == 10'000) row.num_bits += 1;
    made.rows.push_back(row);
  }
  const Chart chart = chart_named(charts_of(made), "memory_vs_n");
  for (const PlottedPoint& point : chart.points) {
    const SummaryRow& row = made.rows[*point.row];
    const bool is_behind = row.keys == "sequential" && row.num_inserted != 10'000;
    CHECK(point.fields["mark_size"] == (is_behind ? 3 * 38 : 38));
  }
  CHECK(layer_of(chart, "measured")["encoding"]["order"]["sort"] == "descending");
}

TEST_CASE("charts: a growing filter is drawn against a logarithmic n with its target", "[report]") {
  const ChartSet set = charts_of(growing_run());
  const auto names = names_of(set);
  CHECK(std::find(names.begin(), names.end(), "rate_vs_bits_per_key") == names.end());
  const Chart rate = chart_named(set, "rate_vs_n_over_capacity");
  CHECK(rate.spec["encoding"]["x"]["scale"]["type"] == "log");
  CHECK(has_layer(rate, "target"));
  const json y = layer_of(rate, "target")["encoding"]["y"]["scale"]["domain"];
  CHECK(y[0].get<double>() < 0.02);
  CHECK(y[1].get<double>() > 0.02);
  CHECK(rate.points.size() == 5);
  CHECK(rate.caption.find("1 point at n = 0") != std::string::npos);
  const Chart fixed = chart_named(charts_of(one_series_run()), "rate_vs_n_over_capacity");
  CHECK_FALSE(has_layer(fixed, "target"));
  CHECK(fixed.spec["encoding"]["x"]["scale"]["domain"][0] == 0);
}

TEST_CASE("charts: memory_vs_n shows bits and bits per key of growing filters", "[report]") {
  HandMadeRun made = growing_run();
  const Chart chart = chart_named(charts_of(made), "memory_vs_n");
  REQUIRE(chart.points.size() == 2 * 5);  // bits per key are not defined at n = 0
  for (const PlottedPoint& point : chart.points) {
    const SummaryRow& row = made.rows[*point.row];
    const bool is_per_key = point.fields["facet"] == "bits per key";
    const auto bits = static_cast<double>(row.num_bits);
    CHECK(point.fields["memory"] ==
          (is_per_key ? bits / static_cast<double>(row.num_inserted) : bits));
  }
  CHECK(chart.spec["resolve"]["scale"]["y"] == "independent");
  const auto names = names_of(charts_of(large_run()));
  CHECK(std::find(names.begin(), names.end(), "memory_vs_n") == names.end());
}

namespace {

/// Returns a run of growing filters with three target rates and two insert policies. The values of
/// n alone do not determine whether the axis is logarithmic.
HandMadeRun targets_run() {
  const HandMadeRun once = growing_run();
  HandMadeRun made = once;
  made.rows.clear();
  for (const double target : {0.1, 0.02, 0.004}) {
    for (const char* policy : {"blind", "check_first"}) {
      for (const std::uint64_t n : {1'000, 2'000, 3'000, 4'000, 5'000}) {
        made.rows.push_back(once.rows.back());
        made.rows.back().num_inserted = n;
        made.rows.back().target_false_positive_rate = target;
        made.rows.back().params = R"({"insert_policy":")" + std::string(policy) + R"("})";
      }
    }
  }
  return made;
}

}  // namespace

TEST_CASE("charts: targets of a variant differ in hue, policies in lightness", "[report]") {
  HandMadeRun made = targets_run();
  made.rows.push_back(make_row(100'000, 8, 5));  // another variant in the run
  const Chart chart = chart_named(charts_of(made), "memory_vs_n");
  const json colours = chart.spec["spec"]["encoding"]["color"]["scale"]["range"];
  REQUIRE(colours.size() == 6);
  const std::vector<std::string> hues = ordered_colours(3);
  for (std::size_t target = 0; target < 3; ++target) {
    const std::string& hue = hues[target];
    CHECK(colours[2 * target] == hue);
    CHECK(colours[2 * target + 1] == lightened(hue, 0.6));
  }
}

TEST_CASE("charts: the lines of targets are grey", "[report]") {
  const Chart chart = chart_named(
      requested(targets_run(), {{.chart = "rate_vs_n_over_capacity", .x = {}, .facet = "params"}}),
      "rate_vs_n_over_capacity");
  for (const char* layer : {"target", "target_text"}) {
    CHECK(layer_of(chart, layer)["encoding"]["color"]["value"] == "#666");
  }
}

TEST_CASE("charts: panels of parameters name their variant", "[report]") {
  HandMadeRun made = targets_run();
  for (const double target : {0.2, 0.3}) {  // 10 series are too many for one panel
    for (const SummaryRow& row : targets_run().rows) {
      if (row.target_false_positive_rate != 0.1) continue;
      made.rows.push_back(row);
      made.rows.back().target_false_positive_rate = target;
    }
  }
  const Chart chart = chart_named(charts_of(made), "rate_vs_n_over_capacity");
  CHECK(chart.spec["facet"]["sort"] == json({"scalable, blind", "scalable, check_first"}));
}

TEST_CASE("charts: memory_vs_n is logarithmic in n, as its caption states", "[report]") {
  const Chart chart = chart_named(charts_of(targets_run()), "memory_vs_n");
  CHECK(chart.spec["spec"]["encoding"]["x"]["scale"]["type"] == "log");
}

TEST_CASE("charts: the text of a target does not cover lines or marks", "[report]") {
  HandMadeRun made = growing_run();
  const auto target_x = [&] {
    const Chart chart = chart_named(
        requested(made, {{.chart = "rate_vs_n_over_capacity", .x = {}, .facet = "keys"}}),
        "rate_vs_n_over_capacity");
    CHECK(has_layer(chart, "target_background"));
    json found;
    for (const PlottedPoint& point : chart.points) {
      const bool is_growing = made.rows[*point.row].variant == "scalable";
      CHECK(point.fields.contains("target_x") == is_growing);
      if (is_growing) found = point.fields["target_x"];
    }
    return found.get<double>();
  };
  CHECK(target_x() < 0.01);  // the left end of an axis from 0.01 to 100 times the capacity
  for (const double load : {0.01, 0.1, 0.2}) {
    SummaryRow row = make_row(1'000, 14, 5);
    row.num_inserted = static_cast<std::uint64_t>(std::llround(load * 1'000));
    row.capacity = 1'000;
    row.expected_false_positive_rate = 0.023;  // just above the target
    row.exact_false_positive_rate = 0.023;
    row.observed_false_positive_rate = 0.023;
    row.classic_false_positive_rate.reset();
    row.num_false_positives = 23'000;
    row.interval_lower = 0.0227;
    row.interval_upper = 0.0233;
    made.rows.push_back(row);
  }
  CHECK(target_x() > 0.2);
}

TEST_CASE("charts: captions name the initial capacity of filters that grow", "[report]") {
  const auto has_text = [](const Chart& chart, const std::string& text) {
    const std::string shown = chart.spec["title"]["subtitle"].dump();
    return chart.caption.find(text) != std::string::npos &&
           shown.find("capacit") != std::string::npos;
  };
  HandMadeRun made = growing_run();
  const ChartSet set = charts_of(made);
  REQUIRE(set.charts.size() >= 4);
  for (const Chart& chart : set.charts) {
    if (chart.name == "p_value_qq") continue;  // shows p-values of trials
    CAPTURE(chart.name);
    CHECK(has_text(chart, " The filters have an initial capacity of 1,000 keys."));
  }
  const auto fill = [&] { return chart_named(charts_of(made), "fill"); };
  SECTION("beside a filter of fixed size") {
    made.rows.push_back(make_row(100'000, 8, 5));
    made.rows.push_back(make_row(50'000, 8, 5));
    made.rows.push_back(make_row(200'000, 8, 5));
    CHECK(has_text(fill(), " Filters that grow have an initial capacity of 1,000 keys."));
  }
  SECTION("several of them are in the legend, even if the config gives none") {
    for (SummaryRow row : growing_run().rows) {
      row.capacity.reset();
      row.initial_capacity = 10'000;
      made.rows.push_back(row);
    }
    const Chart chart = chart_named(charts_of(made), "memory_vs_n");
    CHECK(has_text(chart, " The filters have initial capacities of 1,000 and 10,000 keys."));
    CHECK(chart.spec["spec"]["encoding"]["color"]["scale"]["domain"] ==
          json({"scalable, initial_capacity = 1000, capacity 1,000",
                "scalable, initial_capacity = 10000, no capacity"}));
  }
  SECTION("the capacity of a grid is not repeated if it is the initial capacity") {
    for (SummaryRow row : growing_run().rows) {
      row.capacity = row.initial_capacity = 10'000;
      made.rows.push_back(row);
    }
    const Chart chart = chart_named(charts_of(made), "memory_vs_n");
    CHECK(chart.spec["spec"]["encoding"]["color"]["scale"]["domain"] ==
          json({"scalable, initial_capacity = 1000", "scalable, initial_capacity = 10000"}));
  }
  SECTION("many of them are counted") {
    for (std::uint64_t i = 2; i <= 6; ++i) {
      made.rows.push_back(growing_run().rows.back());
      made.rows.back().initial_capacity = 1'000 * i;
    }
    CHECK(has_text(chart_named(charts_of(made), "memory_vs_n"),
                   " The filters have 6 initial capacities from 1,000 to 6,000 keys."));
  }
  SECTION("charts of other filters do not name it") {
    CHECK(chart_named(charts_of(one_series_run()), "fill").caption.find("initial") ==
          std::string::npos);
  }
}

TEST_CASE("charts: the capacity of a grid can differ from the initial capacity", "[report]") {
  HandMadeRun made = growing_run();
  const auto caption = [&] {
    return chart_named(charts_of(made), "rate_vs_n_over_capacity").caption;
  };
  CHECK(caption().find(" The capacity is the initial capacity, ") != std::string::npos);
  for (SummaryRow& row : made.rows) row.initial_capacity = 50;
  CHECK(caption().find(" The capacity is the initial capacity, ") == std::string::npos);
  CHECK(caption().find(" an initial capacity of 50 keys.") != std::string::npos);
}

TEST_CASE("charts: memory_vs_n draws tables that double on their own as one series", "[report]") {
  HandMadeRun made = growing_run();
  for (SummaryRow& row : made.rows) {
    row.variant = "d_left";
    row.target_false_positive_rate.reset();
    row.initial_capacity.reset();
    row.num_hashes = 4;
    row.params = R"({"counter_bits":2,"max_capacity":100000,"remainder_bits":14})";
    row.max_capacity = 100'000;
    row.num_bits = 20'000 * std::max<std::uint64_t>(1, row.num_inserted / 1'000);
  }
  const Chart chart = chart_named(charts_of(made), "memory_vs_n");
  REQUIRE(chart.points.size() == 2 * 5);
  for (const PlottedPoint& point : chart.points) {
    CHECK(point.fields["series"] == chart.points.front().fields["series"]);
  }
}
