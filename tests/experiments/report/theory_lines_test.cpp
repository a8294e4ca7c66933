#include "experiments/report/theory_lines.hpp"

#include <string>

#include "tests/experiments/report/charts_of_runs.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/runs/made_up_runs.hpp"

using namespace bloometry;
using namespace bloometry::chart;
using namespace bloometry::report;
using namespace bloometry::test;
using nlohmann::json;

namespace {

/// Returns a run whose counting filters have the rate of a model, and whose standard filters have
/// an exact rate.
HandMadeRun run_with_model() {
  HandMadeRun made = grid_run({0.5, 1, 2}, {8}, {5});
  for (SummaryRow& row : made.rows) {
    if (row.variant != "counting") continue;
    row.exact_false_positive_rate.reset();
    row.expected_by = "independent_probes";
  }
  return made;
}

}  // namespace

TEST_CASE("theory lines: a formula has one name, and only an exact rate is called exact",
          "[report]") {
  CHECK(theory_name("exact") == "exact theory");
  CHECK(theory_name("classic") == "classic formula");
  CHECK(theory_name("independent_probes") == "model of independent probes");
  CHECK(theory_name("independent_lanes") == "model of independent lanes");
  CHECK(theory_name("uniform_hash") == "model of a uniform hash");
  CHECK(theory_name("estimated_keys") == "model of estimated keys");
  CHECK(theory_name("all_erased") == "model of complete erases");
  CHECK(theory_name("fluid") == "fluid approximation");
  CHECK(theory_name("upper_bound") == "upper bound");
  CHECK(theory_name("design_bound") == "design bound");
}

TEST_CASE("theory lines: the line of a model has the name of the model in each chart", "[report]") {
  const HandMadeRun made = run_with_model();
  const ChartSet set = charts_of(made);
  for (const char* name : {"rate_vs_n_over_capacity", "fill"}) {
    const Chart chart = chart_named(set, name);
    INFO(name << ": " << chart.caption);
    REQUIRE(has_layer(chart, "exact"));
    REQUIRE(has_layer(chart, "approximation"));
    CHECK(layer_of(chart, "approximation")["encoding"]["strokeDash"]["scale"]["domain"].back() ==
          "model of independent probes");
    CHECK(says(chart, "solid lines join exact theory at the measured points"));
    CHECK(says(chart, "dotted lines are the model of independent probes"));
    for (const PlottedPoint& point : chart.points) {
      CHECK(point.fields.contains("approximation") ==
            (made.rows[*point.row].variant == "counting"));
    }
  }
  const Chart by_point = chart_named(
      requested(made, {{.chart = "rate_by_point", .x = {}, .facet = {}}}), "rate_by_point");
  CHECK(layer_of(by_point, "measured")["encoding"]["color"]["scale"]["domain"] ==
        json({"measured, 95 % interval", "exact theory", "model of independent probes",
              "classic formula"}));
}

TEST_CASE("theory lines: several models have different dashes", "[report]") {
  const TheoryLines lines{.approximations = {"model of independent probes",
                                             "model of a uniform hash", "fluid approximation"}};
  const json scale = dash_scale(lines);
  REQUIRE(scale["range"].size() == 3);
  CHECK(scale["range"][0] != scale["range"][1]);
  CHECK(scale["range"][1] != scale["range"][2]);
  CHECK(scale["range"][0] != scale["range"][2]);
}
