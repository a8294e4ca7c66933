#include <string>
#include <vector>

#include "experiments/report/chart_csv.hpp"
#include "experiments/report/page_tables.hpp"
#include "experiments/report/row_marks.hpp"
#include "tests/experiments/report/charts_of_runs.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/runs/made_up_runs.hpp"

using namespace bloometry;
using namespace bloometry::chart;
using namespace bloometry::report;
using namespace bloometry::test;
using nlohmann::json;

namespace {

HandMadeRun windowed_run(const std::vector<std::optional<StreamWindow>>& windows) {
  const auto set = [](SummaryRow& row, const std::optional<StreamWindow>& window) {
    row.window = window;
    if (!window) return;
    row.num_window_queries = 100;
    row.num_window_violations = 0;
    row.num_expired_queries = 1000;
    row.num_expired_retained = 200;
    row.num_expired_present = 8;
    row.min_expired_p_value = 0.25;
  };
  return fixed_size_run_for_each(windows, set);
}

HandMadeRun run_of_sizes() {
  return windowed_run({std::nullopt, StreamWindow{.size = 1000, .reinsert = 0.5},
                       StreamWindow{.size = 100, .reinsert = 0.5},
                       StreamWindow{.size = 1, .reinsert = 0.5}});
}

HandMadeRun run_of_parts() {
  return windowed_run({StreamWindow{.size = 100}, StreamWindow{.size = 100, .reinsert = 0.5},
                       StreamWindow{.size = 5, .inserts_per_tick = 20, .reinsert = 0.5},
                       StreamWindow{.size = 5, .inserts_per_tick = 30, .reinsert = 0.5}});
}

}  // namespace

TEST_CASE("charts: filters that differ in their window are different series", "[report][window]") {
  const Chart sizes = chart_named(charts_of(run_of_sizes()), "rate_vs_n");
  CHECK(legend_of(sizes) ==
        json({"no window", "window of 1 key", "window of 100 keys", "window of 1,000 keys"}));
  CHECK(sizes.points.size() == 12);
  CHECK(legend_of(chart_named(charts_of(run_of_parts()), "rate_vs_n")) ==
        json({"window of 5 ticks, 20 inserts per tick, reinserts 0.5",
              "window of 5 ticks, 30 inserts per tick, reinserts 0.5",
              "window of 100 keys, no ticks, reinserts 0",
              "window of 100 keys, no ticks, reinserts 0.5"}));
}

TEST_CASE("charts: captions state the window, or the parts of it, that all points share",
          "[report][window]") {
  const auto caption_of = [](HandMadeRun made) {
    std::erase_if(made.rows, [](const SummaryRow& row) { return row.num_inserted != 20'000; });
    return requested_chart(made, {.chart = "rate_by_point", .x = {}, .facet = {}}).caption;
  };
  const std::string same = caption_of(windowed_run({StreamWindow{.size = 50, .erase = 0.25}}));
  CHECK(same.find("n = 20,000 insert calls, ") != std::string::npos);
  CHECK(same.find("window of 50 keys (reinsert 0, erase 0.25).") != std::string::npos);
  const std::string parts = caption_of(windowed_run(
      {StreamWindow{.size = 50, .reinsert = 0.25}, StreamWindow{.size = 60, .reinsert = 0.25}}));
  CHECK(parts.find("no ticks, reinserts 0.25, erases 0.") != std::string::npos);
  CHECK(caption_of(windowed_run({std::nullopt})).find("window") == std::string::npos);
}

TEST_CASE("charts: a window is x, series, facet and a fixed value", "[report][window]") {
  SECTION("x") {
    const Chart chart = requested_chart(
        run_of_sizes(), {.chart = "rate_vs_theory", .x = "window_size", .facet = "num_inserted"});
    CHECK(chart.points.front().fields["x"] == 0);  // a filter without a window
    CHECK(chart.spec["spec"]["encoding"]["x"]["title"] == "size of the window");
  }
  SECTION("series") {
    const Chart chart = requested_chart(
        run_of_sizes(), {.chart = "rate_vs_n", .x = {}, .facet = {}, .series = "window"});
    CHECK(legend_of(chart).size() == 4);
    CHECK_FALSE(chart.spec.contains("facet"));
  }
  SECTION("facet") {
    const Chart chart =
        requested_chart(run_of_sizes(), {.chart = "rate_vs_n", .x = {}, .facet = "window"});
    CHECK(chart.spec["facet"]["sort"].size() == 4);
  }
  SECTION("fixed") {
    for (const auto& [name, value, num_points] :
         {std::tuple("window", "window of 100 keys, no ticks, reinserts 0.5", 3),
          std::tuple("window_size", "5", 6), std::tuple("window_inserts_per_tick", "30", 3),
          std::tuple("window_reinsert", "0.5", 9), std::tuple("window_erase", "0", 12)}) {
      CAPTURE(name);
      const Chart chart = requested_chart(
          run_of_parts(),
          {.chart = "rate_vs_n", .x = {}, .facet = {}, .series = {}, .fix = {{name, value}}});
      CHECK(chart.points.size() == static_cast<std::size_t>(num_points));
      const bool is_left_out = chart.caption.find(" other than ") != std::string::npos;
      CHECK(is_left_out == (num_points < 12));
    }
  }
}

TEST_CASE("page: the table of points names windows and their keys", "[report][window]") {
  const std::string table = points_table(run_of_sizes().rows);
  CHECK(table.find("standard, no window<") != std::string::npos);
  CHECK(table.find("standard, window of 100 keys (reinsert 0.5, erase 0)<") != std::string::npos);
  CHECK(table.find("0 window violations; 8 of 800 expired keys present, p = 0.25<") !=
        std::string::npos);
  CHECK(points_table(windowed_run({std::nullopt}).rows).find("window") == std::string::npos);
}

TEST_CASE("page: points with window violations come first", "[report][window]") {
  HandMadeRun made = run_of_sizes();
  for (SummaryRow& row : made.rows) row.min_false_positives_p_value = 1e-5;
  made.rows.back().min_false_positives_p_value = 1;
  made.rows.back().num_window_violations = 2;
  const std::string table = points_table(made.rows);
  CHECK(table.find("2 window violations;") < table.find("0 window violations;"));
}

TEST_CASE("charts: records and p-values have the window of their rows", "[report][window]") {
  HandMadeRun made = windowed_run({StreamWindow{.size = 50, .reinsert = 0.25}, std::nullopt});
  CHECK(row_record(made.rows.front())["window_size"] == 50);
  CHECK(row_record(made.rows.front())["num_expired_present"] == 8);
  CHECK_FALSE(row_record(made.rows.back()).contains("window_size"));
  std::erase_if(made.rows, [](const SummaryRow& row) { return !row.window; });
  add_trials(made, 20);
  for (const PlottedPoint& point : chart_named(charts_of(made), "p_value_qq").points) {
    CHECK(point.fields["window_size"] == 50);
    CHECK(point.fields["window_unit"] == "keys");
  }
}

TEST_CASE("chart csv: each line has its window", "[report][window]") {
  const HandMadeRun made =
      windowed_run({StreamWindow{.size = 7, .inserts_per_tick = 9, .reinsert = 0.25}});
  const std::string csv =
      chart_csv(chart_named(charts_of(made), "rate_vs_n"), row_records(made.rows));
  CHECK(
      csv.find(",window_size,window_unit,window_inserts_per_tick,window_reinsert,window_erase,") !=
      std::string::npos);
  CHECK(csv.find(",7,ticks,9,0.25,0,") != std::string::npos);
}
