#include "experiments/report/theory_lines.hpp"

#include <map>
#include <optional>
#include <set>
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
/// @param factor ratio of the two rates
HandMadeRun run_with_model(double factor = 1.3) {
  HandMadeRun made = grid_run({0.5, 1, 2}, {8}, {5});
  for (SummaryRow& row : made.rows) {
    if (row.variant != "counting") continue;
    row.exact_false_positive_rate.reset();
    row.expected_false_positive_rate *= factor;
    *row.expected_fill_ratio /= factor;
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
    CHECK(says(chart,
               "; dotted lines join the model of independent probes of counting at the "
               "measured points"));
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
  const TheoryLines lines{.approximations = {{"model of independent probes", " in “a”"},
                                             {"model of a uniform hash", " of counting"},
                                             {"fluid approximation", ""}}};
  const json scale = dash_scale(lines);
  REQUIRE(scale["range"].size() == 3);
  CHECK(scale["range"][0] != scale["range"][1]);
  CHECK(scale["range"][1] != scale["range"][2]);
  CHECK(scale["range"][0] != scale["range"][2]);
  CHECK(marks_and_lines("Marks", lines) ==
        "Marks; dotted lines join the fluid approximation (every stage at its mean fill) at the "
        "measured points; dash-dotted lines join the model of a uniform hash of counting at the "
        "measured points; finely dotted lines join the model of independent probes in “a” at the "
        "measured points.");
}

TEST_CASE("theory lines: an approximation has the same dashes in all charts of a run", "[report]") {
  const std::set<std::string> of_run = {"model of a uniform hash", "model of independent probes"};
  const TheoryLines both{
      .approximations = {{"model of a uniform hash", ""}, {"model of independent probes", ""}},
      .of_run = of_run};
  const TheoryLines one{.approximations = {{"model of independent probes", ""}}, .of_run = of_run};
  CHECK(dash_scale(one)["range"][0] == dash_scale(both)["range"][1]);
  CHECK(marks_and_lines("Marks", one) ==
        "Marks; dash-dotted lines join the model of independent probes at the measured points.");
}

TEST_CASE("theory lines: lines of filters that grow hold only at the measured points", "[report]") {
  const std::string sentence = "lines of filters that grow hold only at the measured points";
  CHECK(says(chart_named(charts_of(growing_run()), "rate_vs_n_over_capacity"), sentence));
  CHECK_FALSE(says(chart_named(charts_of(run_with_model()), "rate_vs_n_over_capacity"), sentence));
}

TEST_CASE("theory lines: lines that coincide are drawn once and named", "[report]") {
  const auto chart_of = [](const HandMadeRun& made, const char* name = "rate_vs_n_over_capacity") {
    return chart_named(charts_of(made), name);
  };
  const auto drawn = [](const Chart& chart, const char* field) {
    std::map<std::string, std::set<json>> values;
    for (const PlottedPoint& point : chart.points) {
      values[point.fields["series"].get<std::string>()].insert(point.fields.value(field, json()));
    }
    return values;
  };
  using Drawn = std::map<std::string, std::set<json>>;
  HandMadeRun made = grid_run({0.5, 1, 2}, {8}, {5});
  SECTION("exact theory and the classic formula") {
    const Chart chart = chart_of(made);
    INFO(chart.caption);
    CHECK(says(chart,
               " Lines of theory that coincide are drawn once, in grey: “standard” and "
               "“counting”; the classic formula of the same series."));
    for (const char* field : {"shared_theory", "shared_classic"}) {
      CHECK(drawn(chart, field) == Drawn{{"standard", {true}}, {"counting", {false}}});
    }
    CHECK(has_layer(chart, "exact_shared"));
    CHECK(has_layer(chart, "classic_shared"));
    CHECK(drawn(chart_of(made, "fill"), "shared_theory") ==
          Drawn{{"standard", {true}}, {"counting", {false}}});
  }
  SECTION("exact theory and a model") {
    const Chart chart = chart_of(run_with_model(1));
    INFO(chart.caption);
    CHECK(says(chart,
               " Lines of theory that coincide are drawn once, in grey: exact theory of "
               "“standard”, model of independent probes of “counting”; the classic formula "
               "of the same series."));
    CHECK_FALSE(has_layer(chart, "approximation"));
    CHECK_FALSE(says(chart, "dotted"));
  }
  SECTION("the classic formula only") {
    for (SummaryRow& row : made.rows) {
      if (row.variant == "counting") *row.exact_false_positive_rate *= 1.3;
    }
    CHECK(says(chart_of(made),
               " Lines of the classic formula that coincide are drawn once, in "
               "grey: “standard” and “counting”."));
    CHECK_FALSE(says(chart_of(made), "Lines of theory"));
  }
  SECTION("a series with fewer points") {
    std::erase_if(made.rows, [](const SummaryRow& row) {
      return row.variant == "standard" && row.num_inserted == 200'000;
    });
    CHECK(drawn(chart_of(made), "shared_theory") ==
          Drawn{{"standard", {false}}, {"counting", {true}}});
  }
  SECTION("but not lines that part at one point") {
    for (SummaryRow& row : made.rows) {
      if (row.variant != "counting" || row.num_inserted != 50'000) continue;
      for (std::optional<double>* rate :
           {&row.exact_false_positive_rate, &row.classic_false_positive_rate}) {
        **rate *= 1.3;
      }
    }
    const Chart chart = chart_of(made);
    CHECK_FALSE(says(chart, "drawn once"));
    CHECK_FALSE(has_layer(chart, "exact_shared"));
    CHECK(drawn(chart, "shared_theory") == Drawn{{"standard", {nullptr}}, {"counting", {nullptr}}});
  }
}

TEST_CASE("theory lines: a caption says that lines agree only where they do", "[report]") {
  const std::string sentence = "where the solid line of a series covers its dashed line they agree";
  HandMadeRun made = one_series_run();
  CHECK(says(chart_named(charts_of(made), "rate_vs_n_over_capacity"), sentence));
  for (SummaryRow& row : made.rows) *row.classic_false_positive_rate /= 2;
  CHECK_FALSE(says(chart_named(charts_of(made), "rate_vs_n_over_capacity"), sentence));
}
