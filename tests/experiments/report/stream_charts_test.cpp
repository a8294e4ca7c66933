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

constexpr const char* kStreamChart = "duplicates_vs_originals";

Chart stream_chart_of(const HandMadeRun& made) {
  return chart_named(requested(made, {{.chart = kStreamChart, .x = {}, .facet = {}}}),
                     kStreamChart);
}

}  // namespace

TEST_CASE("charts: duplicates that pass are drawn against originals that are stopped",
          "[report][stream]") {
  const Chart chart = stream_chart_of(streamed_run());
  REQUIRE(chart.points.size() == 3);
  CHECK(chart.points[0].fields["x"] == 0.0025);
  CHECK(chart.points[0].fields["passed"] == 0.1);
  CHECK(chart.points[0].fields["stopped_lower"] < 0.0025);
  CHECK(chart.points[0].fields["stopped_upper"] > 0.0025);
  CHECK(chart.points[2].fields["x"] == 0.25);
  CHECK(chart.points[2].fields["passed"] == 0.001);
  CHECK_THAT(chart.caption, Catch::Matchers::Contains("1 point without a duplicate that passed"));
  CHECK_THAT(chart.caption,
             Catch::Matchers::Contains("All filters have m = 800,000 bits, up to rounding."));
  CHECK_THAT(chart.caption, Catch::Matchers::Contains(
                                "Filters of standard are cleared after a number of inserts."));
  const std::string csv = chart_csv(chart, row_records(streamed_run().rows));
  CHECK_THAT(csv, Catch::Matchers::Contains("originals stopped / originals"));
  CHECK_THAT(csv, Catch::Matchers::Contains(",1,50000,passed,10000,"));
}

TEST_CASE("charts: the chart of duplicates needs two filters with a stream", "[report][stream]") {
  HandMadeRun made = streamed_run();
  made.rows.erase(made.rows.begin() + 1, made.rows.end());
  for (const Chart& chart : charts_of(made).charts) CHECK(chart.name != kStreamChart);
}

TEST_CASE("charts: filters that differ in their stream are different series", "[report][stream]") {
  HandMadeRun made = streamed_run();
  made.rows.erase(made.rows.begin() + 2, made.rows.end());
  const Chart chart =
      chart_named(requested(made, {{.chart = "rate_vs_theory", .x = "num_bits", .facet = {}}}),
                  "rate_vs_theory");
  const json& view = chart.spec.contains("spec") ? chart.spec["spec"] : chart.spec;
  CHECK(view["encoding"]["color"]["scale"]["domain"] ==
        json({"cleared every 100 inserts", "cleared every 1,000 inserts"}));
}

TEST_CASE("page: the table of points has the items of a stream", "[report][stream]") {
  HandMadeRun made = streamed_run();
  made.rows.front().num_lost_duplicates = 2;
  const std::string table = points_table(made.rows, {});
  CHECK_THAT(table,
             Catch::Matchers::Contains(
                 "10 of 4,000 originals stopped; 1,600 of 16,000 duplicates passed, 2 lost"));
}
