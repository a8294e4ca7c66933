#include <algorithm>
#include <map>
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

TEST_CASE("charts: a point at another k than its series is drawn filled, with its k", "[report]") {
  HandMadeRun made = fixed_size_run({50'000, 100'000, 200'000}, {6});
  made.rows.front().num_hashes = 7;
  const Chart chart = chart_named(charts_of(made), "rate_vs_n");
  REQUIRE(chart.points.size() == 3);
  CHECK(chart.points[0].fields["other_k"] == true);
  CHECK_FALSE(chart.points[1].fields.contains("other_k"));
  CHECK(chart.points[0].fields["k_label"] == "k = 7");
  CHECK_FALSE(chart.points[1].fields.contains("k_label"));  // the caption has the usual k
  CHECK(has_layer(chart, "measured_other_k"));
  CHECK(has_layer(chart, "k_labels"));
  CHECK(says(chart, " All marks have k = 6 (filled marks: 7)."));
  CHECK(says(chart, " 1 mark is filled: it has another k than the other marks of its filter"));
}

TEST_CASE("charts: a legend states the k of hollow and of filled marks of each series",
          "[report]") {
  HandMadeRun made = fixed_size_run({20'000, 50'000, 100'000, 200'000}, {6});
  made.rows[0].num_hashes = 8;
  made.rows[1].num_hashes = 7;
  for (std::size_t i = 0; i < 4; ++i) {
    made.rows.push_back(made.rows[i]);
    made.rows.back().variant = "counting";
    made.rows.back().num_hashes = i == 0 ? 9 : 5;
    made.rows.back().num_false_positives = i == 0 ? 0 : made.rows[i].num_false_positives;
  }
  made.rows[4].interval_upper = 2 * made.rows[4].expected_false_positive_rate;
  CHECK(legend_of(chart_named(charts_of(made), "rate_vs_n")) ==
        json({"standard, k = 6 (filled marks: 7, 8)", "counting, k = 5 (triangles: 9)"}));
  CHECK(legend_of(chart_named(charts_of(made), "fill")) ==
        json({"standard, k = 6 (filled marks: 7, 8)", "counting, k = 5 (filled marks: 9)"}));
  SECTION("a point without a mark has no k in the legend") {
    made.rows[4].interval_upper = 20 * made.rows[4].expected_false_positive_rate;
    CHECK(legend_of(chart_named(charts_of(made), "rate_vs_n"))[1] == "counting, k = 5");
  }
}

TEST_CASE("charts: texts of k cover neither marks nor each other", "[report]") {
  HandMadeRun made = fixed_size_run({90'000, 95'000, 100'000, 105'000, 200'000}, {6});
  for (std::size_t i = 0; i < 4; ++i) made.rows[i].num_hashes = 7 + i;
  const std::vector<SummaryRow> standard = made.rows;
  for (const char* variant : {"counting", "blocked", "partitioned"}) {
    for (SummaryRow row : standard) {
      row.variant = variant;
      row.observed_fill_ratio += 0.01;
      made.rows.push_back(row);
    }
  }
  const Chart chart = chart_named(charts_of(made), "fill");

  struct Text {
    double left, right, top, bottom;
  };

  std::vector<Text> texts;
  for (const PlottedPoint& point : chart.points) {
    if (!point.fields.contains("k_label")) continue;
    const SummaryRow& row = made.rows[*point.row];
    const json& x_scale = chart.spec["encoding"]["x"]["scale"];
    const double width = 6 * static_cast<double>(point.fields["k_label"].get<std::string>().size());
    const double dx = point.fields["k_label_dx"].get<double>();
    const double left =
        620 * share_of(x_scale, static_cast<double>(row.num_inserted)) + dx - (dx < 0 ? width : 0);
    const double y = 380 * (1 - row.observed_fill_ratio) + point.fields["k_label_dy"].get<double>();
    texts.push_back({left, left + width, y - 5, y + 5});
  }
  CHECK(texts.size() >= 4);
  CHECK(texts.size() < 16);  // some have no room
  for (std::size_t i = 0; i < texts.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      const bool overlap = texts[i].left < texts[j].right && texts[j].left < texts[i].right &&
                           texts[i].top < texts[j].bottom && texts[j].top < texts[i].bottom;
      CHECK_FALSE(overlap);
    }
  }
}

TEST_CASE("charts: the caption counts only filled marks that are drawn", "[report]") {
  HandMadeRun made = fixed_size_run({50'000, 100'000, 150'000, 200'000}, {6});
  for (std::size_t i = 0; i < 3; ++i) made.rows[i].num_hashes = 7;
  SummaryRow& bound = made.rows.front();  // drawn as a hollow triangle, or left out
  bound.num_false_positives = 0;
  bound.interval_upper = GENERATE(2.0, 20.0) * bound.expected_false_positive_rate;
  const ChartSet set = charts_of(made);
  CHECK(says(chart_named(set, "rate_vs_n"), " 2 marks are filled"));
  CHECK(says(chart_named(set, "fill"), " 3 marks are filled"));
}

TEST_CASE("charts: a legend names k beside filters that choose k", "[report]") {
  HandMadeRun made = grid_run({0.5, 1, 2}, {8}, {5});
  for (const std::uint64_t n : {50'000, 100'000, 200'000}) {
    made.rows.push_back(growing_run().rows.back());
    made.rows.back().num_inserted = n;
    made.rows.back().capacity = 100'000;
  }
  CHECK(legend_of(chart_named(charts_of(made), "rate_vs_n_over_capacity")) ==
        json({"target 0.02, scalable, k chosen by the filter", "8 bits per key, standard, k = 5",
              "8 bits per key, counting, k = 5"}));
}

TEST_CASE("charts: a legend names the range of k of each series", "[report]") {
  HandMadeRun made = grid_run({1}, {4, 8, 12, 16}, {3, 5, 8, 11});
  std::erase_if(made.rows, [](const SummaryRow& row) {
    return row.variant == "counting" && row.num_hashes != 8;
  });
  CHECK(legend_of(chart_named(charts_of(made), "rate_vs_bits_per_key")) ==
        json({"standard, k = 3 to 11", "counting, k = 8"}));
}

TEST_CASE("charts: the rate of one size is drawn against n for each k", "[report]") {
  const HandMadeRun made = fixed_size_run({20'000, 50'000, 100'000, 200'000}, {1, 2, 4, 8});
  const Chart chart = chart_named(charts_of(made), "rate_vs_n_by_num_hashes");
  CHECK(chart.points.size() == made.rows.size());
  CHECK(legend_of(chart) == json({"k = 1", "k = 2", "k = 4", "k = 8"}));
  CHECK_FALSE(chart.spec.contains("facet"));
  CHECK(has_layer(chart, "exact"));
  CHECK_FALSE(says(chart, "Left out"));
  const auto names = names_of(charts_of(large_run()));
  CHECK(std::find(names.begin(), names.end(), "rate_vs_n_by_num_hashes") == names.end());
}

TEST_CASE("charts: k is a series, a facet and a fixed value of other charts", "[report]") {
  const HandMadeRun made = fixed_size_run({20'000, 100'000, 200'000}, {2, 4, 8});
  const auto chart_of = [&](const ChartRequest& request) {
    return chart_named(requested(made, {request}), "rate_vs_n");
  };
  SECTION("series") {
    const Chart chart =
        chart_of({.chart = "rate_vs_n", .x = {}, .facet = {}, .series = "num_hashes"});
    CHECK(legend_of(chart) == json({"k = 2", "k = 4", "k = 8"}));
    CHECK(chart.points.size() == 9);
  }
  SECTION("facet") {
    const Chart chart = chart_of({.chart = "rate_vs_n", .x = {}, .facet = "num_hashes"});
    CHECK(chart.spec["facet"]["sort"] == json({"k = 2", "k = 4", "k = 8"}));
    CHECK(chart.points.size() == 9);
  }
  SECTION("fixed") {
    const Chart chart = chart_of(
        {.chart = "rate_vs_n", .x = {}, .facet = {}, .series = {}, .fix = {{"num_hashes", "2"}}});
    CHECK(chart.points.size() == 3);
    CHECK(says(chart, ", k = 2, "));
    CHECK(says(chart, "Left out: 6 points with k other than 2."));
  }
}

TEST_CASE("charts: captions state fixed values in words", "[report]") {
  const auto caption_of = [](const std::string& name, const std::string& value) {
    HandMadeRun made = grid_run({0.5, 1, 2}, {4, 8, 12}, {5});
    for (std::size_t i = 0; i < 9; ++i) made.rows.push_back(made.rows[i]);
    for (std::size_t i = 0; i < 9; ++i) made.rows[i].keys = "sequential";
    const ChartSet set = requested(
        made,
        {{.chart = "rate_vs_theory", .x = {}, .facet = {}, .series = {}, .fix = {{name, value}}}});
    REQUIRE(set.charts.size() == 1);
    return set.charts.front().caption;
  };
  CHECK(caption_of("keys", "random").find(" 9 points with keys other than random.") !=
        std::string::npos);
  CHECK(caption_of("num_inserted", "1e5").find(" points with n other than 100,000.") !=
        std::string::npos);
  CHECK(caption_of("variant", "standard").find(" points with a variant other than standard.") !=
        std::string::npos);
  CHECK(caption_of("num_bits", "800000").find(" points with a size other than 800,000 bits.") !=
        std::string::npos);
  CHECK(caption_of("n_over_capacity", "0.5").find(" with n / capacity other than 0.5.") !=
        std::string::npos);
}

TEST_CASE("charts: other axes than the requested series are panels", "[report]") {
  const HandMadeRun made = grid_run({0.5, 1, 2}, {4, 8}, {3, 6});
  const auto chart_of = [&](const std::string& facet) {
    return requested(made, {{.chart = "rate_vs_n_over_capacity",
                             .x = {},
                             .facet = facet,
                             .series = "num_hashes"}})
        .charts.at(0);
  };
  CHECK(chart_of("").spec["facet"]["sort"] ==
        json({"4 bits per key, standard", "4 bits per key, counting", "8 bits per key, standard",
              "8 bits per key, counting"}));
  CHECK(chart_of("variant").spec["facet"]["sort"] ==
        json({"standard, 4 bits per key", "standard, 8 bits per key", "counting, 4 bits per key",
              "counting, 8 bits per key"}));
  CHECK_FALSE(chart_of("none").spec.contains("facet"));
  CHECK(legend_of(chart_of("none")).size() == 8);
}

TEST_CASE("charts: a fixed value that no point has is an error with the allowed values",
          "[report]") {
  const HandMadeRun made = fixed_size_run({20'000, 100'000}, {2, 4});
  const auto reason_of = [&](const FixedValues& fix) {
    const ChartSet set = requested(
        made, {{.chart = "rate_by_point", .x = {}, .facet = {}, .series = {}, .fix = fix}});
    REQUIRE(set.omitted.size() == 1);
    return set.omitted[0].reason;
  };
  CHECK(reason_of({{"num_hashes", "3"}}) == "num_hashes must be one of 2, 4, got 3");
  CHECK(reason_of({{"num_keys", "1000"}}) == "num_keys must be one of 20000, 100000, got 1000");
  CHECK(reason_of({{"variant", "blocked"}}) == "variant must be standard, got blocked");
  CHECK(reason_of({{"capacity", "10"}}) ==
        "capacity must be left out, because no point has a value of it, got 10");
}

TEST_CASE("charts: a requested division that leaves out series has a warning", "[report]") {
  std::vector<double> sizes;
  for (int i = 0; i < 6; ++i) sizes.push_back(4 + i);
  const HandMadeRun made = grid_run({0.5, 1, 2}, sizes, {4});
  const auto warnings_of = [&](const ChartChoices& choices) {
    return make_charts(made.run.config, made.rows, made.verdict, choices).warnings;
  };
  const ChartChoices hiding{.names = {"rate_vs_n_over_capacity"}, .facet = "none"};
  REQUIRE(warnings_of(hiding).size() == 1);
  CHECK(warnings_of(hiding)[0].starts_with(
      "the chart rate_vs_n_over_capacity leaves out 4 of 12 series, because it draws at most 8 in "
      "one panel and 24 in all: use another facet or series, or fix a value (fix num_bits="));
  const std::string value = warnings_of(hiding)[0].substr(warnings_of(hiding)[0].find('=') + 1);
  ChartChoices fixing = hiding;
  fixing.fix = {{"num_bits", value.substr(0, value.size() - 1)}};
  CHECK(warnings_of(fixing).empty());
  CHECK(make_charts(made.run.config, made.rows, made.verdict, fixing).charts.size() == 1);
  CHECK(warnings_of({.names = {"rate_vs_n_over_capacity"}, .facet = "variant"}).empty());
  CHECK(warnings_of({}).empty());
  CHECK(warnings_of({.names = {"rate_by_point"}, .facet = "size"}) ==
        std::vector<std::string>{"the chart rate_by_point does not use facet"});
}

TEST_CASE("charts: the limit of series applies to each panel", "[report]") {
  std::vector<double> sizes;
  for (int i = 0; i < 10; ++i) sizes.push_back(4 + i);
  HandMadeRun made = grid_run({0.5, 1, 2}, sizes, {4});
  std::erase_if(made.rows, [](const SummaryRow& row) {  // sizes of one variant each
    return (row.variant == "standard") == (row.num_bits < 900'000);
  });
  const ChartSet set = requested(
      made,
      {{.chart = "rate_vs_n_over_capacity", .x = {}, .facet = "variant", .series = "num_bits"}});
  const Chart& chart = chart_named(set, "rate_vs_n_over_capacity");
  CHECK(set.warnings.empty());
  CHECK(chart.points.size() == made.rows.size());
  const json colours = chart.spec["spec"]["encoding"]["color"]["scale"]["range"];
  CHECK(colours.size() == 10);
  CHECK(std::set<json>(colours.begin(), colours.end()).size() == 10);
}

TEST_CASE("charts: ticks are at the measured x if they are few", "[report]") {
  const auto ticks_of = [](const HandMadeRun& made, const std::string& name) {
    return chart_named(charts_of(made), name).spec["encoding"]["x"]["axis"].value("values", json());
  };
  CHECK(ticks_of(one_series_run(), "rate_vs_n_over_capacity") == json({0.2, 0.5, 1, 2, 3}));
  CHECK(ticks_of(fixed_size_run({1'000, 5'000, 70'000}, {4}), "rate_vs_n") ==
        json({1'000, 5'000, 70'000}));
  std::vector<std::uint64_t> many;
  for (std::uint64_t i = 1; i <= 40; ++i) many.push_back(10'000 * i);
  CHECK(ticks_of(fixed_size_run(many, {4}), "rate_vs_n").is_null());
  HandMadeRun blocked = grid_run({1}, {4, 8, 12}, {4});
  for (SummaryRow& row : blocked.rows) {
    row.requested_bits_per_key = static_cast<double>(row.num_bits) / 100'000;
    row.num_bits += 3'000;  // rounded to blocks
  }
  CHECK(ticks_of(blocked, "rate_vs_bits_per_key") == json({4, 8, 12}));
}
