#include <set>
#include <string>
#include <vector>

#include "experiments/chart/chart_style.hpp"
#include "experiments/plan/chart_request.hpp"
#include "experiments/report/chart_axis.hpp"
#include "experiments/report/charts.hpp"
#include "experiments/text/number_text.hpp"
#include "tests/experiments/report/charts_of_runs.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/runs/made_up_runs.hpp"

using namespace bloometry;
using namespace bloometry::chart;
using namespace bloometry::report;
using namespace bloometry::test;
using nlohmann::json;

TEST_CASE("charts: more than 8 series are divided among views or thinned, with the rest counted",
          "[report]") {
  std::vector<double> sizes;
  for (int i = 0; i < 20; ++i) sizes.push_back(4 + i);
  HandMadeRun made = grid_run({0.5, 1, 2}, sizes, {4});
  SECTION("one view per variant") {
    const Chart chart = chart_named(charts_of(made), "rate_vs_n_over_capacity");
    CHECK(chart.points.size() == 2 * 3 * 8);
    CHECK(chart.spec["facet"]["sort"] == json({"standard", "counting"}));
    CHECK(chart.caption.find("Left out: 72 points of 12 further series") != std::string::npos);
  }
  SECTION("sizes of one variant are in one view") {
    std::erase_if(made.rows, [](const SummaryRow& row) { return row.variant != "standard"; });
    const Chart chart = chart_named(charts_of(made), "rate_vs_n_over_capacity");
    CHECK(chart.points.size() == 3 * 8);
    CHECK(chart.caption.find("Left out: 36 points of 12 further series") != std::string::npos);
  }
  SECTION("one view if the config requests it") {
    const ChartSet set = requested(
        made, {{.chart = "rate_vs_n_over_capacity", .x = {}, .facet = std::string(kNoFacet)}});
    REQUIRE(set.charts.size() == 1);
    CHECK_FALSE(set.charts[0].spec.contains("facet"));
  }
}

namespace {

/// Returns a run with num_n values of n. The filters of the run have no capacities.
HandMadeRun run_of_many_n(std::uint64_t num_n, const std::vector<double>& sizes = {4, 8, 12},
                          const std::vector<std::uint64_t>& hashes = {4}) {
  const HandMadeRun one = grid_run({1}, sizes, hashes);
  HandMadeRun made = one;
  made.rows.clear();
  for (std::uint64_t n = 1; n <= num_n; ++n) {
    for (SummaryRow row : one.rows) {
      row.num_inserted *= n;
      row.num_bits *= n;
      row.capacity.reset();
      row.requested_bits_per_key = bits_per_key(row);
      made.rows.push_back(row);
    }
  }
  return made;
}

}  // namespace

TEST_CASE("charts: each variant keeps series in one view, and the caption names series left out",
          "[report]") {
  HandMadeRun made = grid_run({0.5, 1, 2}, {4, 6, 8, 10, 12}, {4});
  for (const double target : {0.02, 0.001}) {
    for (const std::uint64_t n : {50'000, 100'000, 200'000}) {
      made.rows.push_back(growing_run().rows.back());
      made.rows.back().num_inserted = n;
      made.rows.back().target_false_positive_rate = target;
      made.rows.back().capacity = 100'000;
    }
  }
  made.run.config.charts = {{.chart = "fill", .x = {}, .facet = std::string(kNoFacet)}};
  const Chart chart = chart_named(charts_of(made), "fill");
  CHECK(chart.spec["encoding"]["color"]["scale"]["domain"] ==
        json({"target 0.02, scalable, k chosen by the filter",
              "target 0.001, scalable, k chosen by the filter", "4 bits per key, standard, k = 4",
              "4 bits per key, counting, k = 4", "8 bits per key, standard, k = 4",
              "8 bits per key, counting, k = 4", "12 bits per key, standard, k = 4",
              "12 bits per key, counting, k = 4"}));
  CHECK(chart.caption.find(
            "12 points of 4 further series (“6 bits per key, standard”, “6 bits per key, "
            "counting”, “10 bits per key, standard” and 1 more)") != std::string::npos);
}

TEST_CASE("charts: rate against memory is one view for any number of n", "[report]") {
  const HandMadeRun crowded = run_of_many_n(5);
  const std::uint64_t largest = crowded.rows.back().num_inserted;
  SECTION("more series than colours: only the largest n is drawn") {
    const Chart chart = chart_named(charts_of(crowded), "rate_vs_bits_per_key");
    CHECK_FALSE(chart.spec.contains("facet"));
    CHECK(chart.points.size() == 2 * 3);
    for (const auto& point : chart.points) {
      CHECK(crowded.rows.at(*point.row).num_inserted == largest);
    }
    CHECK(chart.caption.find(" n = " + grouped(largest) + " keys, ") != std::string::npos);
  }
  SECTION("a kind of filter without that n is drawn at its own largest n") {
    HandMadeRun made = crowded;
    std::erase_if(made.rows, [&](const SummaryRow& row) {
      return row.variant == "counting" && row.num_inserted == largest;
    });
    const Chart chart = chart_named(charts_of(made), "rate_vs_bits_per_key");
    CHECK(chart.points.size() == 2 * 3);
    CHECK(chart.caption.find(" Each kind of filter holds its largest n.") != std::string::npos);
  }
  SECTION("an n with fewer than three sizes is not drawn") {
    HandMadeRun made = crowded;
    made.rows.pop_back();
    const std::string variant = crowded.rows.back().variant;
    const Chart chart = chart_named(charts_of(made), "rate_vs_bits_per_key");
    CHECK(chart.points.size() == 2 * 3);
    for (const auto& point : chart.points) {
      const SummaryRow& row = made.rows.at(*point.row);
      CHECK((row.num_inserted < largest) == (row.variant == variant));
    }
  }
  SECTION("as many series as colours: all are drawn") {
    const Chart chart = chart_named(charts_of(run_of_many_n(4)), "rate_vs_bits_per_key");
    CHECK(chart.points.size() == 4 * 2 * 3);
    CHECK(chart.caption.find("hold") == std::string::npos);
  }
  SECTION("one view per n if it is requested") {
    const ChartSet set =
        requested(crowded, {{.chart = "rate_vs_bits_per_key", .x = {}, .facet = "num_inserted"}});
    REQUIRE(set.charts.size() == 1);
    CHECK(set.charts[0].spec["facet"]["sort"].size() == 5);
    CHECK(set.charts[0].points.size() == 5 * 2 * 3);
  }
}

TEST_CASE("charts: rate against k is drawn at the largest n if there are too many n", "[report]") {
  const HandMadeRun crowded = run_of_many_n(5, {4, 8, 12}, {3, 4, 5});
  const std::uint64_t largest = crowded.rows.back().num_inserted;
  const Chart chart = chart_named(charts_of(crowded), "rate_vs_num_hashes");
  CHECK(chart.points.size() == 2 * 3 * 3);
  for (const auto& point : chart.points) {
    CHECK(crowded.rows.at(*point.row).num_inserted == largest);
  }
  CHECK(chart.caption.find(" n = " + grouped(largest) + " keys, ") != std::string::npos);
}

TEST_CASE("charts: the default scheme of a variant does not divide views", "[report]") {
  HandMadeRun made = grid_run({1}, {4, 8, 12, 16}, {4});
  for (SummaryRow& row : made.rows) {
    if (row.variant == "counting") row.probes = "bit_fields";
  }
  const Chart together = chart_named(charts_of(made), "rate_vs_bits_per_key");
  CHECK_FALSE(together.spec.contains("facet"));
  CHECK(together.spec["encoding"]["color"]["scale"]["domain"] == json({"standard", "counting"}));
  made.rows.front().probes = "distinct";  // the second scheme of the variant
  const Chart apart = chart_named(charts_of(made), "rate_vs_bits_per_key");
  CHECK(apart.spec["encoding"]["color"]["scale"]["domain"].size() == 3);
}

TEST_CASE("charts: a variant has one colour in every chart, and lighter ones for its other sizes",
          "[report]") {
  const HandMadeRun made = grid_run({0.5, 1, 2}, {4, 8, 12}, {4, 5, 6});
  const ChartSet set = charts_of(made);
  const auto colour_of = [&](const std::string& chart, const std::string& series) {
    const json& spec = chart_named(set, chart).spec;
    const json& scale = spec["encoding"]["color"]["scale"];
    for (std::size_t i = 0; i < scale["domain"].size(); ++i) {
      if (scale["domain"][i] == series) return scale["range"][i].get<std::string>();
    }
    return std::string("none");
  };
  const std::string standard = colour_of("rate_vs_bits_per_key", "standard");
  CHECK(standard != colour_of("rate_vs_bits_per_key", "counting"));
  CHECK(colour_of("rate_vs_n_over_capacity", "4 bits per key, standard, k = 4") == standard);
  CHECK(colour_of("rate_vs_n_over_capacity", "12 bits per key, standard, k = 6") ==
        lightened(standard, 0.6));
  CHECK(lightened("#0072B2", 0) == "#0072B2");
  CHECK(lightened("#0072B2", 1) == "#FFFFFF");
}

TEST_CASE("charts: in a run of several variants sizes have other colours than variants",
          "[report]") {
  const auto colours = [](const HandMadeRun& made) {
    const ChartSet set =
        requested(made, {{.chart = "rate_vs_n_over_capacity", .x = {}, .facet = "variant"}});
    return set.charts.at(0).spec["spec"]["encoding"]["color"]["scale"]["range"];
  };
  const HandMadeRun made = grid_run({0.5, 1, 2}, {4, 8, 12, 16}, {4, 5, 6});
  const json sizes = colours(made);
  CHECK(sizes == json(ordered_colours(4)));
  CHECK(ordered_colours(1).size() == 1);
  std::set<std::string> all(sizes.begin(), sizes.end());
  CHECK(all.size() == 4);
  all.insert(series_colours().begin(), series_colours().end());
  CHECK(all.size() == 4 + series_colours().size());
}

TEST_CASE("charts: variants are in the order of the registry at every size", "[report]") {
  HandMadeRun made = grid_run({0.5, 1, 2}, {4, 8, 12}, {4});
  for (SummaryRow& row : made.rows) {
    row.requested_bits_per_key = static_cast<double>(row.num_bits) / 100'000;
    if (row.variant == "counting") continue;
    row.variant = "blocked";  // the size in whole blocks differs a little from the requested size
    row.num_bits += row.requested_bits_per_key == 8 ? 400 : -400;
  }
  const Chart chart = chart_named(charts_of(made), "rate_vs_n_over_capacity");
  CHECK(chart.spec["encoding"]["color"]["scale"]["domain"] ==
        json({"4 bits per key, counting", "4 bits per key, blocked", "8 bits per key, counting",
              "8 bits per key, blocked", "12 bits per key, counting", "12 bits per key, blocked"}));
}

TEST_CASE("charts: panels that fill their rows share an axis, others have their own", "[report]") {
  const auto resolve_of = [](const std::vector<double>& sizes) {
    HandMadeRun made = grid_run({0.5, 1, 2}, sizes, {4});
    const Chart chart = chart_named(
        requested(made, {{.chart = "rate_vs_n_over_capacity", .x = {}, .facet = "size"}}),
        "rate_vs_n_over_capacity");
    CHECK(has_layer(chart, "headroom"));
    CHECK(chart.spec["columns"] == 2);
    return chart.spec.value("resolve", json::object());
  };
  CHECK(resolve_of({4, 6, 8, 10}) == json::object());
  CHECK(resolve_of({4, 6, 8}) == json({{"axis", {{"x", "independent"}}}}));
  const Chart one = chart_named(charts_of(one_series_run()), "rate_vs_n_over_capacity");
  CHECK_FALSE(has_layer(one, "headroom"));
}

TEST_CASE("charts: captions about chance count the points that verify does not test", "[report]") {
  HandMadeRun made = large_run();
  const auto captions = [&] {
    const ChartSet set = charts_of(made);
    return chart_named(set, "excess_funnel").caption +
           chart_named(set, "relative_error_heatmap").caption;
  };
  CHECK(captions().find("does not test") == std::string::npos);
  for (SummaryRow& row : made.rows) row.tested = false;
  const std::string texts = captions();
  const std::size_t first = texts.find(" `verify` does not test ");
  REQUIRE(first != std::string::npos);
  CHECK(texts.find(" `verify` does not test ", first + 1) != std::string::npos);
  CHECK(texts.find("they may deviate by any amount.") != std::string::npos);
}

TEST_CASE("charts: large runs are capped, and captions state it", "[report]") {
  HandMadeRun made = large_run();
  const std::vector<SummaryRow> once = made.rows;
  while (made.rows.size() < 20'000) {
    made.rows.insert(made.rows.end(), once.begin(), once.end());
  }
  const ChartSet set = charts_of(made);
  const Chart scatter = chart_named(set, "rate_vs_theory");
  CHECK(scatter.points.size() == 3000);
  CHECK(scatter.caption.find("Drawn: 3,000 of ") != std::string::npos);
  const Chart funnel = chart_named(set, "excess_funnel");
  CHECK(funnel.points.size() == 500);
  CHECK(funnel.caption.find("Marks: the 500 points that are farthest from 0") != std::string::npos);
  const json& density = funnel.spec["layer"][1];
  REQUIRE(density["name"] == "density");
  std::size_t num_points = 0;
  for (const json& box : density["data"]["values"]) num_points += box["count"].get<std::size_t>();
  CHECK(num_points > 15'000);  // points with too few false positives are not included
  CHECK(funnel.caption.find(grouped(num_points)) != std::string::npos);
}

TEST_CASE("charts: a hundred facets wrap into columns", "[report]") {
  const Chart chart = chart_named(charts_of(hundred_facets_run()), "rate_vs_num_hashes");
  CHECK(chart.spec["columns"] == 4);
  CHECK(chart.spec["facet"]["sort"].size() == 100);
  CHECK(chart.points.size() == 400);
}
