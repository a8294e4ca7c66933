#include "experiments/report/coinciding_series.hpp"

#include <algorithm>
#include <map>
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

namespace {

/// Returns a run of standard filters of 8 and 12 bits per key whose fills are equal at each n.
HandMadeRun run_of_equal_fills(const std::vector<double>& loads) {
  HandMadeRun made = grid_run(loads, {8, 12}, {5});
  std::erase_if(made.rows, [](const SummaryRow& row) { return row.variant != "standard"; });
  for (SummaryRow& row : made.rows) {
    row.observed_fill_ratio = static_cast<double>(row.num_inserted) / 500'000;
  }
  return made;
}

bool has_marks_of_several_sizes(const Chart& chart) {
  return std::any_of(chart.points.begin(), chart.points.end(), [](const PlottedPoint& point) {
    return point.fields.value("mark_size", 38) != 38;
  });
}

}  // namespace

TEST_CASE("charts: series that coincide are named and have marks of different sizes", "[report]") {
  HandMadeRun made = grid_run({0.5, 1, 2}, {8, 12}, {5});
  std::erase_if(made.rows, [](const SummaryRow& row) { return row.variant != "standard"; });
  const std::string sentence =
      " Series whose marks overlap those of other series at most points, and differ in size: “8 "
      "bits "
      "per key” and “12 bits per key”.";
  CHECK_FALSE(says(chart_named(charts_of(made), "fill"), "overlap"));
  for (SummaryRow& row : made.rows) {
    row.observed_fill_ratio = static_cast<double>(row.num_inserted) / 500'000;
    if (row.num_bits == 1'200'000) row.observed_fill_ratio += 0.001;
  }
  const Chart chart = chart_named(charts_of(made), "fill");
  INFO(chart.caption);
  CHECK(says(chart, sentence));
  for (const PlottedPoint& point : chart.points) {
    const bool is_second = point.fields["series"] == "12 bits per key";
    CHECK(point.fields.value("mark_size", 38) == (is_second ? 3 * 38 : 38));
  }
  SECTION("in one view of several") {
    HandMadeRun both = made;
    for (SummaryRow row : made.rows) {
      row.variant = "blocked";
      row.observed_fill_ratio += row.num_bits == 1'200'000 ? 0.2 : 0;
      both.rows.push_back(row);
    }
    const ChartSet set = requested(both, {{.chart = "fill", .x = {}, .facet = "variant"}});
    CHECK(says(set.charts.at(0), ": “8 bits per key” and “12 bits per key” in “standard”."));
  }
  made.rows.back().observed_fill_ratio += 0.1;  // one point of three apart
  CHECK(says(chart_named(charts_of(made), "fill"), sentence));
  made.rows.front().observed_fill_ratio += 0.1;  // two of three
  CHECK_FALSE(says(chart_named(charts_of(made), "fill"), "overlap"));
}

TEST_CASE("charts: the names of many series that coincide share their common parts", "[report]") {
  CHECK(text_of_group({"a", "b"}, 2) == "“a” and “b”");
  CHECK(text_of_group({"a, x", "b, x", "c, x"}, 3) == "all series");
  CHECK(text_of_group({"a, x", "b, x", "c, x"}, 4) == "“a”, “b” and “c” of “x”");
  CHECK(text_of_group({"8 bits, a, k = 1", "8 bits, b, k = 1", "8 bits, b, d, k = 1"}, 4) ==
        "“a”, “b” and “b, d” of “8 bits, k = 1”");
  CHECK(text_of_group({"a", "b", "c"}, 4) == "“a”, “b” and “c”");
  CHECK(text_of_group({"a", "a, b", "a, c"}, 4) == "“a”, “a, b” and “a, c”");
}

TEST_CASE("charts: series that coincide in a chain or at some of their x are one group",
          "[report]") {
  HandMadeRun made = grid_run({0.5, 1, 1.5, 2, 3}, {8, 10, 12}, {5});
  std::erase_if(made.rows, [](const SummaryRow& row) { return row.variant != "standard"; });
  const auto set_fills = [&](double step) {  // between successive sizes, as a share of the axis
    for (SummaryRow& row : made.rows) {
      const double number = (static_cast<double>(row.num_bits) / 1e5 - 8) / 2;
      row.observed_fill_ratio = static_cast<double>(row.num_inserted) / 500'000 + step * number;
    }
  };
  const auto sizes_of = [&] {
    std::map<std::string, int> sizes;
    for (const PlottedPoint& point : chart_named(charts_of(made), "fill").points) {
      sizes[point.fields["series"].get<std::string>()] = point.fields.value("mark_size", 38);
    }
    return sizes;
  };
  const std::string all_three = "at most points, and differ in size: all series.";
  SECTION("a chain") {
    set_fills(0.015);  // 5.7 px: the first and the last series are 11 px apart
    CHECK(says(chart_named(charts_of(made), "fill"), all_three));
    CHECK(sizes_of() == std::map<std::string, int>{{"8 bits per key", 38},
                                                   {"10 bits per key", 114},
                                                   {"12 bits per key", 38}});
  }
  SECTION("a series with other x") {
    set_fills(0);
    std::erase_if(made.rows, [](const SummaryRow& row) {
      return row.num_bits == 1'000'000 && row.num_inserted != 100'000;
    });
    CHECK(says(chart_named(charts_of(made), "fill"), all_three));
    CHECK(sizes_of() == std::map<std::string, int>{{"8 bits per key", 38},
                                                   {"10 bits per key", 114},
                                                   {"12 bits per key", 190}});
  }
  SECTION("series that share no x") {
    set_fills(0);
    std::erase_if(made.rows, [](const SummaryRow& row) {
      return (row.num_bits == 1'000'000) != (row.num_inserted <= 100'000) ||
             row.num_bits == 1'200'000;
    });
    CHECK_FALSE(says(chart_named(charts_of(made), "fill"), "overlap"));
  }
}

TEST_CASE("charts: series that overlap at few of their points are not named", "[report]") {
  HandMadeRun made = run_of_equal_fills({0.5, 1, 2, 3, 4});
  std::erase_if(made.rows, [](const SummaryRow& row) {  // both have n = 200,000 only
    const bool is_at_odd_x = row.num_inserted == 100'000 || row.num_inserted == 300'000;
    return row.num_inserted != 200'000 && (row.num_bits == 800'000) == is_at_odd_x;
  });
  const Chart chart = chart_named(charts_of(made), "fill");
  INFO(chart.caption);
  CHECK_FALSE(says(chart, "overlap"));
  CHECK_FALSE(has_marks_of_several_sizes(chart));
}

TEST_CASE("charts: a series that covers all points of another one is not named for it",
          "[report]") {
  HandMadeRun made = run_of_equal_fills({0.5, 1, 2, 3, 4});
  std::erase_if(made.rows, [](const SummaryRow& row) {
    return row.num_bits == 1'200'000 && row.num_inserted > 100'000;
  });
  const Chart chart = chart_named(charts_of(made), "fill");
  INFO(chart.caption);
  CHECK(says(chart, " at most points, and differ in size: “12 bits per key”."));
  CHECK(has_marks_of_several_sizes(chart));
}

TEST_CASE("charts: triangles are points at which series do not overlap", "[report]") {
  HandMadeRun made = grid_run({0.5, 1, 2, 3, 4}, {8, 12}, {5});
  std::erase_if(made.rows, [](const SummaryRow& row) { return row.variant != "standard"; });
  const auto chart_with_triangles = [&](std::size_t num_triangles) {
    HandMadeRun run = made;
    std::map<std::uint64_t, std::size_t> number;  // of the row in its series
    for (SummaryRow& row : run.rows) {
      const std::size_t i = number[row.num_bits]++;
      row.observed_false_positive_rate = 0.01 * static_cast<double>(1 + i);
      row.expected_false_positive_rate = row.observed_false_positive_rate;
      row.interval_lower = 0.9 * row.observed_false_positive_rate;
      row.interval_upper = 1.1 * row.observed_false_positive_rate;
      if (i < num_triangles) row.num_false_positives = 0;
    }
    return chart_named(charts_of(run), "rate_vs_n_over_capacity");
  };
  const std::string sentence = "overlap those of other series at most points";
  CHECK(says(chart_with_triangles(2), sentence));
  CHECK_FALSE(says(chart_with_triangles(3), sentence));
}

TEST_CASE("charts: the caption names series that overlap without their k", "[report]") {
  HandMadeRun made = run_of_equal_fills({0.5, 1, 2});
  for (SummaryRow& row : made.rows) row.num_hashes = row.num_bits == 800'000 ? 5 : 8;
  const Chart chart = chart_named(charts_of(made), "fill");
  INFO(chart.caption);
  CHECK(chart.spec["encoding"]["color"]["scale"]["domain"][0] == "8 bits per key, k = 5");
  CHECK(says(chart, "differ in size: “8 bits per key” and “12 bits per key”."));
}
