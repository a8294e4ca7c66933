#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "experiments/report/charts.hpp"
#include "tests/experiments/report/charts_of_runs.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/runs/made_up_runs.hpp"

using namespace bloometry;
using namespace bloometry::chart;
using namespace bloometry::report;
using namespace bloometry::test;
using nlohmann::json;

namespace {

/// Returns the heat map of a run. The function requests the heat map, because reports omit it if
/// chance explains all cells.
Chart heat_map_of(const HandMadeRun& made) {
  return chart_named(requested(made, {{.chart = "relative_error_heatmap", .x = {}, .facet = {}}}),
                     "relative_error_heatmap");
}

/// Sets the row's observed rate to 1 + error times the expected rate.
void set_error(SummaryRow& row, double error) {
  row.observed_false_positive_rate = (1 + error) * row.expected_false_positive_rate;
}

std::size_t num_coloured(const Chart& chart) {
  return static_cast<std::size_t>(
      std::count_if(chart.points.begin(), chart.points.end(),
                    [](const PlottedPoint& point) { return point.fields["coloured"] == true; }));
}

}  // namespace

TEST_CASE("charts: a size that follows from k does not divide heat maps", "[report]") {
  HandMadeRun made = one_series_run();
  made.rows.clear();
  for (const std::uint64_t n : {1'000U, 10'000U, 100'000U}) {
    for (const std::uint64_t k : {3U, 5U, 7U})
      made.rows.push_back(make_row(n, 1.5 * static_cast<double>(k), k));
  }
  const Chart one = heat_map_of(made);
  CHECK(one.points.size() == 9);
  CHECK_FALSE(one.spec.contains("facet"));
  for (const std::uint64_t n : {1'000U, 10'000U, 100'000U}) {
    for (const std::uint64_t k : {3U, 5U}) made.rows.push_back(make_row(n, 8, k));
  }
  const Chart apart = heat_map_of(made);
  CHECK(apart.points.size() == 3 * 2);  // the points with 8 bits per key; each other size has one k
  CHECK(apart.caption.find("Left out: 9 points in maps of one n or one k.") != std::string::npos);
}

TEST_CASE("charts: heat map cells show the relative error, or its limit", "[report]") {
  HandMadeRun made = grid_run({0.5, 1}, {8}, {4, 5});
  const auto with_error = [&](double error) {
    SummaryRow& row = made.rows.front();
    row.observed_false_positive_rate = (1 + error) * row.expected_false_positive_rate;
    const Chart chart = heat_map_of(made);
    CHECK(has_layer(chart, "numbers"));
    return chart;
  };
  const auto number = [](const Chart& chart) {
    return chart.points.front().fields["number"].get<std::string>();
  };
  const SummaryRow& row = made.rows.front();
  const double rate = row.expected_false_positive_rate;
  const double width =
      100 * 3.2905267 * std::sqrt((1 - rate) / (rate * static_cast<double>(row.num_queries)));
  REQUIRE(width > 1);
  REQUIRE(width < 9);
  CHECK(std::stod(number(with_error(0)).substr(std::string("±").size())) ==
        Approx(width).margin(0.051));
  CHECK(number(with_error(0.3)) == "+30 %");
  CHECK(number(with_error(-0.3)) == "−30 %");
  CHECK(number(with_error(3.2)) == "×4.2");
  CHECK(number(with_error(319)) == "×320");
  CHECK(to_text(with_error(0.3).spec).find("symlog") == std::string::npos);
  CHECK(to_text(with_error(3.2).spec).find("symlog") != std::string::npos);

  SECTION("for few trials by the theoretical spread, averaged over trials") {
    made.rows.front().num_trials = 4;
    made.rows.front().expected_rate_stddev = 0.5 * rate;
    const double of_mean = std::hypot(width, 100 * 3.2905267 * 0.5 / std::sqrt(4.0));
    CHECK(number(with_error(0)) == "±" + std::to_string(std::llround(of_mean)) + " %");
  }
  SECTION("for enough trials by the spread between trials") {
    made.rows.front().num_trials = 100;
    made.rows.front().observed_rate_stddev = 0.5 * rate;
    CHECK(number(with_error(0.1)) == "±17 %");  // Student's t with 99 degrees of freedom
    CHECK(number(with_error(0.2)) == "+20 %");
  }
  SECTION("large maps have no numbers") {
    CHECK_FALSE(
        has_layer(chart_named(charts_of(large_run()), "relative_error_heatmap"), "numbers"));
  }
}

TEST_CASE("charts: a heat map colours only errors beyond chance", "[report]") {
  HandMadeRun made = grid_run({0.5, 1, 2}, {8}, {4, 5});
  std::erase_if(made.rows, [](const SummaryRow& row) { return row.variant != "standard"; });
  for (SummaryRow& row : made.rows) set_error(row, 0.001);
  CHECK(names_of(charts_of(made)).back() != "relative_error_heatmap");
  const Chart grey = heat_map_of(made);
  CHECK(grey.title ==
        "Relative error of the measured rate over n and k: none beyond chance: standard");
  CHECK(num_coloured(grey) == 0);
  CHECK_FALSE(has_layer(grey, "measured"));
  CHECK(grey.caption.find("No cell differs from theory") != std::string::npos);
  set_error(made.rows.front(), 0.3);
  const Chart one = chart_named(charts_of(made), "relative_error_heatmap");
  CHECK(num_coloured(one) == 1);
  CHECK(one.points.front().fields["coloured"] == true);
  CHECK(layer_of(one, "measured")["encoding"]["color"]["scale"]["domain"][3] == 0.5);
  CHECK(has_layer(one, "measured_by_chance"));
  const auto filter = [&](const char* layer) {
    return layer_of(one, layer)["transform"][0]["filter"].get<std::string>();
  };
  CHECK(filter("measured_by_chance") == "!datum.coloured && datum.enough");
  CHECK(filter("measured_not_judged") == "!datum.coloured && !datum.enough");
}

TEST_CASE("charts: a heat map does not judge Zipf queries", "[report]") {
  HandMadeRun made = grid_run({0.5, 1, 2}, {8}, {4, 5});
  for (SummaryRow& row : made.rows) {
    row.keys = "zipf:1.1";
    row.num_trials = 40;
    row.observed_rate_stddev = 0.001 * row.expected_false_positive_rate;
    set_error(row, -0.46);
  }
  const Chart chart = heat_map_of(made);
  CHECK(num_coloured(chart) == 0);
  for (const PlottedPoint& point : chart.points) CHECK(point.fields["enough"] == false);
  CHECK(chart.caption.find("or Zipf queries, whose rate a few popular keys decide, and are not "
                           "judged") != std::string::npos);
}

TEST_CASE("charts: a heat map of several sizes says so", "[report]") {
  HandMadeRun made = one_series_run();
  made.rows.clear();
  for (const std::uint64_t n : {1'000U, 10'000U, 100'000U}) {
    for (const std::uint64_t k : {4U, 10U}) {
      made.rows.push_back(make_row(n, 1.5 * static_cast<double>(k), k));
    }
  }
  CHECK(heat_map_of(made).caption.find("The filters of the map differ in size, not only in k and "
                                       "n: 6 bits per key, 15 bits per key.") != std::string::npos);
  made.rows.clear();
  for (const std::uint64_t n : {1'000U, 10'000U, 100'000U}) {
    for (const std::uint64_t k : {4U, 10U}) made.rows.push_back(make_row(n, 8, k));
  }
  CHECK(heat_map_of(made).caption.find("differ in size") == std::string::npos);
}

TEST_CASE("charts: a heat map shows errors near 0 as less than 0.01 %", "[report]") {
  HandMadeRun made = grid_run({0.5, 1}, {8}, {4, 5});
  for (SummaryRow& row : made.rows) {
    row.expected_false_positive_rate = 1 - 0x1p-53;
    set_error(row, 0);
  }
  const Chart chart = heat_map_of(made);
  CHECK(chart.points.front().fields["number"] == "±<0.01 %");
}

TEST_CASE("charts: heat maps without a coloured cell are left out beside those with one",
          "[report]") {
  HandMadeRun made = grid_run({0.5, 1, 2}, {8}, {4, 5});
  for (SummaryRow& row : made.rows) set_error(row, row.variant == "standard" ? 0.3 : 0);
  const Chart chart = chart_named(charts_of(made), "relative_error_heatmap");
  CHECK(chart.points.size() == 3 * 2);
  CHECK(chart.caption.find("Left out: 6 points in maps without a coloured cell.") !=
        std::string::npos);
}

TEST_CASE("charts: heat maps of fewer than 3 n are left out beside larger ones", "[report]") {
  HandMadeRun made = grid_run({0.5, 1, 2}, {8, 10}, {4, 5});
  std::erase_if(made.rows, [](const SummaryRow& row) {
    return row.variant != "standard" || (row.num_bits == 1'000'000 && row.num_inserted == 100'000);
  });
  const Chart chart = heat_map_of(made);
  CHECK(chart.points.size() == 3 * 2);
  CHECK(chart.caption.find("Left out: 4 points in maps of fewer than 3 n.") != std::string::npos);
}

TEST_CASE("charts: heat maps of one n or one k are left out", "[report]") {
  HandMadeRun made = grid_run({0.5, 1, 2}, {8, 10}, {4, 5});
  std::erase_if(made.rows, [](const SummaryRow& row) {
    return row.variant != "standard" || (row.num_bits == 1'000'000 && row.num_hashes != 4);
  });
  const Chart chart = heat_map_of(made);
  CHECK(chart.points.size() == 3 * 2);
  CHECK(chart.caption.find("Left out: 3 points in maps of one n or one k.") != std::string::npos);
  // n varies in one filter and k in the other filter, so the rows are not a grid.
  std::erase_if(made.rows, [](const SummaryRow& row) {
    return row.num_bits != 1'000'000 && row.num_inserted != 100'000;
  });
  const ChartSet none =
      requested(made, {{.chart = "relative_error_heatmap", .x = {}, .facet = {}}});
  CHECK(none.charts.empty());
  REQUIRE(none.omitted.size() == 1);
  CHECK(none.omitted[0].reason ==
        "the run does not have a filter with two values of n and two of k");
}

TEST_CASE("charts: the number of heat maps is limited, with the same sizes for every variant",
          "[report]") {
  std::vector<double> sizes;
  for (int i = 0; i < 20; ++i) sizes.push_back(4 + i);
  std::vector<double> loads;
  for (int i = 0; i < 20; ++i) loads.push_back(0.1 * (i + 1));
  const HandMadeRun made = grid_run(loads, sizes, {1, 2, 3, 4, 5, 6});
  HandMadeRun grey = made;
  for (SummaryRow& row : grey.rows) set_error(row, 0);
  const ChartSet standard = charts_of(grey);  // large, without deviations: drawn only on request
  const auto omitted = std::find_if(
      standard.omitted.begin(), standard.omitted.end(),
      [](const OmittedChart& chart) { return chart.name == "relative_error_heatmap"; });
  REQUIRE(omitted != standard.omitted.end());
  CHECK(omitted->reason == "no cell differs from theory by more than chance explains");
  const Chart chart =
      chart_named(requested(grey, {{.chart = "relative_error_heatmap", .x = {}, .facet = {}}}),
                  "relative_error_heatmap");
  REQUIRE(chart.spec["facet"]["sort"].size() == 12);
  CHECK(chart.caption.find("Left out: 3,360 points of 28 further maps") != std::string::npos);
  std::map<std::string, std::set<std::uint64_t>> sizes_of;
  for (const PlottedPoint& point : chart.points) {
    const SummaryRow& row = grey.rows[*point.row];
    sizes_of[row.variant].insert(row.num_bits);
  }
  CHECK(sizes_of.at("standard").size() == 6);
  CHECK(sizes_of.at("standard") == sizes_of.at("counting"));
  const json& x = chart.spec["spec"]["encoding"]["x"]["axis"]["values"];
  CHECK(x.size() == 10);  // of 20 n, in 240 px
}

TEST_CASE("charts: heat maps leave out points with only an upper bound", "[report]") {
  HandMadeRun made = grid_run({0.5, 1, 2}, {8}, {4, 5});
  for (SummaryRow& row : made.rows) {
    if (row.variant == "standard") continue;
    row.exact_false_positive_rate.reset();
    row.expected_by = "upper_bound";
    set_error(row, -0.99);
  }
  const Chart chart = heat_map_of(made);
  CHECK(chart.points.size() == 3 * 2);
  CHECK(says(chart, "6 points for which theory gives only an upper bound"));
}
