#include <string>
#include <vector>

#include "experiments/report/chart_csv.hpp"
#include "experiments/report/page_tables.hpp"
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

HandMadeRun churned_run(const std::vector<std::optional<Churn>>& churns) {
  return fixed_size_run_for_each(churns, [](SummaryRow& row, const std::optional<Churn>& churn) {
    row.variant = "counting";
    row.churn = churn;
  });
}

HandMadeRun run_of_rounds() {
  return churned_run({std::nullopt, Churn{.rounds = 25, .erase = 0.5, .reinsert = 0.4},
                      Churn{.rounds = 3, .erase = 0.5, .reinsert = 0.4},
                      Churn{.rounds = 1, .erase = 0.5, .reinsert = 0.4}});
}

HandMadeRun run_of_shares() {
  return churned_run({std::nullopt, Churn{.rounds = 1, .erase = 0.3},
                      Churn{.rounds = 1, .erase = 0.5}, Churn{.rounds = 5, .erase = 0.5}});
}

}  // namespace

TEST_CASE("charts: filters that differ in churn are different series", "[report]") {
  const Chart chart = chart_named(charts_of(run_of_rounds()), "rate_vs_n");
  CHECK(legend_of(chart) ==
        json({"no churn", "1 round of churn", "3 rounds of churn", "25 rounds of churn"}));
  CHECK(chart.points.size() == 12);
}

TEST_CASE("charts: a legend names the shares of churn in which series differ", "[report]") {
  CHECK(legend_of(chart_named(charts_of(run_of_shares()), "rate_vs_n")) ==
        json({"no churn", "1 round of churn, erase 0.3", "1 round of churn, erase 0.5",
              "5 rounds of churn, erase 0.5"}));
}

TEST_CASE("charts: captions state the churn, or the parts of it, that all points share",
          "[report]") {
  const auto caption_of = [](HandMadeRun made) {
    std::erase_if(made.rows, [](const SummaryRow& row) { return row.num_inserted != 20'000; });
    return chart_named(requested(made, {{.chart = "rate_by_point", .x = {}, .facet = {}}}),
                       "rate_by_point")
        .caption;
  };
  const Churn churn{.rounds = 4, .erase = 0.5, .reinsert = 0.4};
  const std::string same = caption_of(churned_run({churn}));
  CHECK(same.find("n = 20,000 keys inserted before churn, ") != std::string::npos);
  CHECK(same.find("churn of 4 rounds (erase 0.5, reinsert 0.4, wrongful erases 0).") !=
        std::string::npos);
  Churn other = churn;
  other.erase = 0.45;
  const std::string parts = caption_of(churned_run({churn, other}));
  CHECK(parts.find("4 rounds of churn, reinsert 0.4, wrongful erases 0.") != std::string::npos);
  const std::string mixed = caption_of(churned_run({std::nullopt, churn}));
  CHECK(mixed.find("keys inserted before churn") != std::string::npos);
  CHECK(mixed.find("random keys.") != std::string::npos);
  CHECK(caption_of(churned_run({std::nullopt})).find("churn") == std::string::npos);
}

TEST_CASE("charts: the colours of marks name the churn in which they differ", "[report]") {
  HandMadeRun made = run_of_rounds();
  std::erase_if(made.rows, [](const SummaryRow& row) { return row.num_inserted != 20'000; });
  for (SummaryRow& row : made.rows) row.num_false_positives = row.num_queries / 2;
  for (const std::string name : {"rate_vs_theory", "excess_funnel"}) {
    INFO(name);
    const Chart chart = requested_chart(made, {.chart = name, .x = {}, .facet = {}});
    INFO(chart.caption);
    CHECK_FALSE(says(chart, "differ in"));
    const json& labels = layer_of(chart, "measured")["encoding"]["color"]["scale"]["domain"];
    CHECK(labels.size() == made.rows.size());
    CHECK(labels.back().get<std::string>().find("of churn") != std::string::npos);
  }
}

TEST_CASE("charts: churn is x, series, facet and a fixed value", "[report]") {
  const HandMadeRun made = run_of_shares();
  SECTION("x") {
    const Chart chart = requested_chart(
        run_of_rounds(), {.chart = "rate_vs_theory", .x = "churn_rounds", .facet = "num_inserted"});
    CHECK_FALSE(chart.spec["spec"]["encoding"]["color"].contains("scale"));  // one series
    CHECK(chart.points.front().fields["x"] == 0);  // a filter without churn had 0 rounds
    CHECK(chart.spec["spec"]["encoding"]["x"]["title"] == "rounds of churn");
  }
  SECTION("series") {
    const Chart chart =
        requested_chart(made, {.chart = "rate_vs_n", .x = {}, .facet = {}, .series = "churn"});
    CHECK(legend_of(chart).size() == 4);
    CHECK_FALSE(chart.spec.contains("facet"));
    CHECK(legend_of(requested_chart(
              run_of_rounds(), {.chart = "rate_vs_n", .x = {}, .facet = {}, .series = "churn"})) ==
          json({"no churn", "1 round of churn", "3 rounds of churn", "25 rounds of churn"}));
  }
  SECTION("a part of churn as series: the other parts are panels") {
    const Chart chart = requested_chart(
        made, {.chart = "rate_vs_n", .x = {}, .facet = {}, .series = "churn_rounds"});
    CHECK(legend_of(chart) == json({"no churn", "1 round of churn", "5 rounds of churn"}));
    CHECK(chart.spec["facet"]["sort"] == json({"no churn", "erase 0.3", "erase 0.5"}));
  }
  SECTION("facet") {
    const Chart chart = requested_chart(made, {.chart = "rate_vs_n", .x = {}, .facet = "churn"});
    CHECK(chart.spec["facet"]["sort"].size() == 4);
    CHECK_FALSE(chart.spec["spec"]["encoding"]["color"].contains("scale"));  // one series
  }
  SECTION("fixed") {
    const Chart chart =
        requested_chart(made, {.chart = "rate_vs_n",
                               .x = {},
                               .facet = {},
                               .series = {},
                               .fix = {{"churn_erase", "0.5"}, {"churn_rounds", "5"}}});
    CHECK(chart.points.size() == 3);
    INFO(chart.caption);
    CHECK(chart.caption.find(" Left out: 6 points with a share of erases other than 0.5; 3 points "
                             "with rounds of churn other than 5.") != std::string::npos);
    CHECK(
        chart.caption.ends_with(" churn of 5 rounds (erase 0.5, reinsert 0, wrongful erases 0)."));
  }
}

TEST_CASE("charts: an axis of a part of churn shows the filters without churn", "[report]") {
  std::vector<std::optional<Churn>> churns = {std::nullopt};
  for (const std::uint64_t rounds : {1U, 10U, 100U}) churns.push_back(Churn{.rounds = rounds});
  const HandMadeRun made = churned_run(churns);
  const Chart chart = requested_chart(
      made, {.chart = "rate_vs_theory", .x = "churn_rounds", .facet = "num_inserted"});
  CHECK(chart.points.size() == 4 * 3);
  CHECK(chart.spec["spec"]["encoding"]["x"]["scale"].value("type", "linear") == "linear");
  CHECK(chart.caption.find("logarithmic") == std::string::npos);
  const HandMadeRun all_churned = churned_run({churns.begin() + 1, churns.end()});
  CHECK(has_log_scale(axis("churn_rounds"), all_rows(all_churned.rows)));
}

TEST_CASE("charts: each fixed part of churn has a reason in the caption", "[report]") {
  const HandMadeRun made = run_of_shares();
  for (const auto& [name, value] :
       {std::pair("churn", "no churn"), std::pair("churn_rounds", "1"),
        std::pair("churn_erase", "0.3"), std::pair("churn_reinsert", "0"),
        std::pair("churn_wrongful_erases", "0")}) {
    CAPTURE(name);
    const Chart chart = requested_chart(
        made, {.chart = "rate_vs_n", .x = {}, .facet = {}, .series = {}, .fix = {{name, value}}});
    const bool is_left_out = chart.caption.find("churn other than") != std::string::npos ||
                             chart.caption.find("share of") != std::string::npos;
    CHECK(is_left_out == (chart.points.size() < made.rows.size()));
  }
}

TEST_CASE("charts: sizes that are equal in four digits are different series", "[report]") {
  HandMadeRun made = churned_run({std::nullopt, std::nullopt});
  for (std::size_t i = 3; i < 6; ++i) ++made.rows[i].num_bits;
  for (SummaryRow& row : made.rows) row.capacity = 100'000;
  CHECK(legend_of(chart_named(charts_of(made), "rate_vs_n_over_capacity")) ==
        json({"m = 800,000 bits", "m = 800,001 bits"}));
}

TEST_CASE("charts: filters that differ in churn have their own best k", "[report]") {
  HandMadeRun made = churned_run({std::nullopt, Churn{.rounds = 1, .erase = 0.5}});
  const std::vector<SummaryRow> rows = made.rows;
  for (SummaryRow row : rows) {
    row.num_hashes = 7;
    row.expected_false_positive_rate *= row.churn ? 0.5 : 2;
    made.rows.push_back(row);
  }
  const Chart chart = chart_named(charts_of(made), "rate_vs_n");
  CHECK(chart.points.size() == 6);
  for (const PlottedPoint& point : chart.points) {
    const SummaryRow& row = made.rows[point.row.value()];
    CHECK(row.num_hashes == (row.churn ? 7U : 4U));
  }
}

TEST_CASE("charts: p-values have the churn of their rows", "[report]") {
  HandMadeRun made = churned_run({Churn{.rounds = 25, .erase = 0.5}});
  add_trials(made, 20);
  for (const PlottedPoint& point : chart_named(charts_of(made), "p_value_qq").points) {
    CHECK(point.fields["churn_rounds"] == 25);
  }
}

TEST_CASE("page: the table of points names churn if points differ in it", "[report]") {
  const HandMadeRun made = run_of_rounds();
  const std::string table = points_table(made.rows);
  CHECK(table.find("counting, no churn<") != std::string::npos);
  CHECK(table.find("counting, churn of 25 rounds (erase 0.5, reinsert 0.4, wrongful erases 0)<") !=
        std::string::npos);
  const HandMadeRun one = churned_run({Churn{.rounds = 25, .erase = 0.5}});
  CHECK(points_table(one.rows).find("churn") == std::string::npos);
}

TEST_CASE("chart csv: each line has its churn", "[report]") {
  const HandMadeRun made = churned_run({Churn{.rounds = 25, .erase = 0.5, .reinsert = 0.25}});
  const std::string csv =
      chart_csv(chart_named(charts_of(made), "rate_vs_n"), row_records(made.rows));
  CHECK(csv.find(",churn_rounds,churn_erase,churn_reinsert,churn_wrongful_erases,") !=
        std::string::npos);
  CHECK(csv.find(",25,0.5,0.25,0,") != std::string::npos);
}
