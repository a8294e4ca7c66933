#include "experiments/report/untested.hpp"

#include <cmath>
#include <string>
#include <vector>

#include "core/text.hpp"
#include "experiments/report/chart_csv.hpp"
#include "experiments/report/row_marks.hpp"
#include "experiments/text/number_text.hpp"
#include "tests/experiments/report/charts_of_runs.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/runs/made_up_runs.hpp"

using namespace bloometry;
using namespace bloometry::chart;
using namespace bloometry::report;
using namespace bloometry::test;
using nlohmann::json;

namespace {

constexpr const char* kWeak = "hash crc32 is marked weak";

void exempt(SummaryRow& row, const std::string& reason = kWeak) {
  row.tested = false;
  row.exemption_reason = reason;
}

/// Adds standard errors to the false positives of a row.
void add_excess(SummaryRow& row, double excess) {
  const double expected =
      static_cast<double>(row.num_queries) * row.conditional_false_positive_rate;
  row.num_false_positives = static_cast<std::uint64_t>(
      expected + excess * std::sqrt(expected * (1 - row.conditional_false_positive_rate)));
}

Chart funnel_of(const HandMadeRun& made) {
  return chart_named(charts_of(made), "excess_funnel");
}

json y_domain(const Chart& chart) {
  return layer_of(chart, "measured")["encoding"]["y"]["scale"]["domain"];
}

}  // namespace

TEST_CASE("charts: the funnel has signs and legend entries for points without a test", "[report]") {
  HandMadeRun made = grid_run({0.5, 1, 2}, {4, 6}, {3, 4});
  const json domain = y_domain(funnel_of(made));
  CHECK_FALSE(has_layer(funnel_of(made), "outside"));
  exempt(made.rows[0]);
  exempt(made.rows[1]);
  exempt(made.rows[2], "popular keys are queried repeatedly");
  add_excess(made.rows[0], 300);
  add_excess(made.rows[2], -20);
  const Chart chart = funnel_of(made);
  INFO(chart.caption);
  CHECK(y_domain(chart) == domain);  // the axis follows the tested points
  const json& colour = layer_of(chart, "measured")["encoding"]["color"];
  CHECK(colour["field"] == "series");
  CHECK(colour["scale"]["domain"] ==
        json({"4 bits per key, standard, k = 3", "4 bits per key, standard, k = 4",
              "4 bits per key, counting, k = 3", "4 bits per key, counting, k = 4",
              "6 bits per key, standard, k = 3", "6 bits per key, standard, k = 4",
              "6 bits per key, counting, k = 3", "6 bits per key, counting, k = 4"}));
  CHECK(says(chart, " Marks of one colour differ in: keys inserted n."));
  const json& shape = layer_of(chart, "measured")["encoding"]["shape"];
  CHECK(shape["field"] == "entry");
  CHECK(shape["scale"]["domain"] == json({"tested", "not tested: hash crc32 is marked weak",
                                          "not tested: popular keys are queried repeatedly"}));
  CHECK(shape["scale"]["range"][1] != shape["scale"]["range"][2]);
  CHECK(says(chart, " of these 24 points (crosses and similar signs)"));
  CHECK(says(chart, ": hash crc32 is marked weak (2); popular keys are queried repeatedly (1)."));
  CHECK(says(chart, ": 2 points outside it are drawn at its edge with an arrow."));
  const std::string csv = chart_csv(chart, row_records(made.rows));
  CHECK(csv.find(",hash crc32 is marked weak\n") != std::string::npos);
  std::size_t num_up = 0;
  std::size_t num_down = 0;
  for (const PlottedPoint& point : chart.points) {
    const SummaryRow& row = made.rows[*point.row];
    CHECK(point.fields["entry"].get<std::string>().starts_with("not tested") == !row.tested);
    CHECK(point.fields["series"].get<std::string>().find(row.variant) != std::string::npos);
    if (!point.fields.contains("outside")) continue;
    CHECK_FALSE(row.tested);
    // The table has the value, not the place at the edge.
    CHECK(csv.find("," + shortest_text(point.fields["excess"].get<double>()) + ",") !=
          std::string::npos);
    ++(point.fields["outside"].get<double>() > 0 ? num_up : num_down);
  }
  CHECK(num_up == 1);
  CHECK(num_down == 1);
  REQUIRE(has_layer(chart, "outside"));
}

TEST_CASE("charts: measured against expected rates have the same signs", "[report]") {
  HandMadeRun made = grid_run({0.5, 1, 2}, {4, 6}, {3, 4});
  exempt(made.rows[0]);
  const Chart chart = chart_named(charts_of(made), "rate_vs_theory");
  CHECK(says(chart, " `verify` does not test 1 of these 24 points (crosses and similar signs)"));
  for (const char* layer : {"measured", "interval"}) {
    const json& colour = layer_of(chart, layer)["encoding"]["color"];
    CHECK(colour["field"] == "series");
    CHECK(colour["scale"]["domain"].size() == 8);
  }
  CHECK(layer_of(chart, "measured")["encoding"]["shape"]["scale"]["domain"] ==
        json({"tested", "not tested: hash crc32 is marked weak"}));
}

TEST_CASE("charts: marks of single points have the colours of at most eight series", "[report]") {
  const auto colours_of = [](const HandMadeRun& made) {
    const Chart chart = chart_named(charts_of(made), "excess_funnel");
    return layer_of(chart, "measured")["encoding"]["color"]["scale"]["domain"];
  };
  HandMadeRun made = grid_run({0.5, 1, 2}, {4, 6}, {3, 4, 5});  // 12 series with k
  CHECK(colours_of(made) == json({"4 bits per key, standard", "4 bits per key, counting",
                                  "6 bits per key, standard", "6 bits per key, counting"}));
  CHECK(
      says(funnel_of(made), " Marks of one colour differ in: keys inserted n, hash functions k."));
  CHECK(layer_of(funnel_of(made), "measured")["encoding"]["shape"]["field"] == "series");
  made = grid_run({0.5}, {4, 4.5, 5, 5.5, 6}, {3, 4});  // 10 series without k
  CHECK(colours_of(made) == json({"standard", "counting"}));
  CHECK(says(funnel_of(made), " Marks of one colour differ in: size"));
}

TEST_CASE("charts: without a tested point the funnel's axis contains all points", "[report]") {
  HandMadeRun made = grid_run({0.5, 1, 2}, {4, 6}, {3, 4});
  for (SummaryRow& row : made.rows) exempt(row);
  add_excess(made.rows[0], 300);
  const Chart chart = funnel_of(made);
  CHECK(y_domain(chart)[1].get<double>() > 300);
  CHECK_FALSE(has_layer(chart, "outside"));
}

TEST_CASE("charts: the density of a funnel contains only tested points", "[report]") {
  HandMadeRun made = large_run();
  const std::vector<SummaryRow> once = made.rows;
  while (made.rows.size() < 6'000) {
    made.rows.insert(made.rows.end(), once.begin(), once.end());
  }
  for (std::size_t i = 0; i < 1'500; ++i) exempt(made.rows[i]);
  const Chart chart = funnel_of(made);
  INFO(chart.caption);
  std::size_t num_boxed = 0;
  for (const json& box : layer_of(chart, "density")["data"]["values"]) {
    num_boxed += box["count"].get<std::size_t>();
  }
  CHECK(chart.points.size() == 1'000);  // 500 of each kind
  CHECK(says(chart, "Grey: the density of all " + grouped(num_boxed) + " tested points."));
  CHECK(says(chart, "that `verify` does not test and that are nearer to 0 than the signs"));
}

TEST_CASE("charts: many reasons share the last legend entry", "[report]") {
  std::vector<SummaryRow> rows(9);
  for (std::size_t i = 0; i < rows.size(); ++i) exempt(rows[i], "reason " + std::to_string(i));
  Rows all;
  for (const SummaryRow& row : rows) all.push_back(&row);
  const UntestedEntries entries(all);
  REQUIRE(entries.in_order().size() == 7);
  CHECK(entries.in_order().back() == "not tested: other reasons");
  CHECK(entries.of(rows[0]) == "not tested: reason 0");
  CHECK(entries.of(rows[8]) == "not tested: other reasons");
  for (std::size_t i = 0; i < entries.in_order().size(); ++i) {
    CHECK_FALSE(UntestedEntries::sign(i).empty());
  }
  CHECK(about_untested(all, "signs").find("; 3 other reasons.") != std::string::npos);
}

TEST_CASE("charts: a heat map frames cells without a test, and its colours follow the others",
          "[report]") {
  HandMadeRun made = grid_run({0.5, 1, 2}, {8}, {4, 5});
  std::erase_if(made.rows, [](const SummaryRow& row) { return row.variant != "standard"; });
  const auto set_error = [](SummaryRow& row, double error) {
    row.observed_false_positive_rate = (1 + error) * row.expected_false_positive_rate;
  };
  const auto map_of = [&] {
    return chart_named(requested(made, {{.chart = "relative_error_heatmap", .x = {}, .facet = {}}}),
                       "relative_error_heatmap");
  };
  const auto limit_of = [](const Chart& chart) {
    return layer_of(chart, "measured")["encoding"]["color"]["scale"]["domain"][3].get<double>();
  };
  set_error(made.rows[0], 0.15);
  set_error(made.rows[1], 40);
  CHECK_FALSE(has_layer(map_of(), "not_tested"));
  CHECK(limit_of(map_of()) == 50);
  exempt(made.rows[1]);
  const Chart chart = map_of();
  INFO(chart.caption);
  REQUIRE(has_layer(chart, "not_tested"));
  CHECK(limit_of(chart) == 0.2);
  CHECK(says(chart, " 1 of the others is beyond the end of the scale."));
  CHECK(says(chart, " `verify` does not test 1 of these 6 points (dashed frames)"));
  set_error(made.rows[0], 0);  // only the cell without a test is coloured
  CHECK(limit_of(map_of()) == 50);
}

TEST_CASE("charts: overlapping marks of several series differ in size", "[report]") {
  HandMadeRun made = grid_run({0.5, 1, 2}, {6}, {4});
  const std::size_t num_points = made.rows.size() / 2;
  for (std::size_t i = 0; i < num_points; ++i) {
    SummaryRow twin = made.rows[i];
    twin.variant = "counting";
    made.rows[num_points + i] = twin;
  }
  for (const char* name : {"rate_vs_theory", "excess_funnel"}) {
    const Chart chart = chart_named(requested(made, {{.chart = name, .x = {}, .facet = {}}}), name);
    CAPTURE(name);
    CHECK(says(chart, " Where marks of several series overlap, their sizes differ."));
    for (std::size_t i = 0; i < num_points; ++i) {
      CHECK(chart.points[i].fields["mark_size"] !=
            chart.points[num_points + i].fields["mark_size"]);
    }
    CHECK(layer_of(chart, "measured")["encoding"]["order"]["sort"] == "descending");
  }
  const Chart funnel = chart_named(
      requested(made, {{.chart = "excess_funnel", .x = {}, .facet = {}}}), "excess_funnel");
  CHECK(layer_of(funnel, "measured")["encoding"]["y"]["scale"]["nice"] == false);
}
