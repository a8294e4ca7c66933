#include "experiments/report/chart_csv.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "core/text.hpp"
#include "experiments/report/bench_times.hpp"
#include "experiments/report/row_marks.hpp"
#include "experiments/report/speed_chart.hpp"
#include "tests/experiments/report/charts_of_runs.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/csv_lines.hpp"
#include "tests/support/runs/made_up_runs.hpp"

using namespace bloometry;
using namespace bloometry::chart;
using namespace bloometry::report;
using namespace bloometry::test;

namespace {

std::vector<CsvLine> table_of(const HandMadeRun& made, const std::string& name) {
  return csv_lines(chart_csv(chart_named(charts_of(made), name), row_records(made.rows)));
}

std::size_t count_marks(const std::vector<CsvLine>& lines, const std::string& mark) {
  return static_cast<std::size_t>(std::count_if(
      lines.begin(), lines.end(), [&](const CsvLine& line) { return line.at("mark") == mark; }));
}

/// Returns the time of one filter.
BenchTimes one_time() {
  return {.times = {{.variant = "standard",
                     .call = "single",
                     .view = "10 keys",
                     .num_inserted = 10,
                     .num_bits = 80,
                     .num_queries = 100,
                     .num_false_positives = 2,
                     .interval_lower = 0.01,
                     .interval_upper = 0.06,
                     .ns = 5,
                     .ns_min = 4,
                     .ns_max = 7}},
          .machines = {"a machine"}};
}

}  // namespace

TEST_CASE("chart csv: a rate chart has its points with interval and theory", "[report]") {
  const HandMadeRun made = one_series_run();
  const std::vector<CsvLine> lines = table_of(made, "rate_vs_n_over_capacity");
  REQUIRE(lines.size() == made.rows.size());
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const SummaryRow& row = made.rows[i];  // in ascending order of n
    const CsvLine& line = lines[i];
    CHECK(line.at("chart") == "rate_vs_n_over_capacity");
    CHECK(line.at("mark") == "measured");
    CHECK(line.at("x") == shortest_text(static_cast<double>(row.num_inserted) /
                                        static_cast<double>(*row.capacity)));
    CHECK(line.at("y") == shortest_text(row.observed_false_positive_rate));
    CHECK(line.at("interval_lower") == shortest_text(row.interval_lower));
    CHECK(line.at("interval_upper") == shortest_text(row.interval_upper));
    CHECK(line.at("theory") == shortest_text(*row.exact_false_positive_rate));
    CHECK(line.at("theory_name") == "exact theory");
    CHECK(line.at("classic") == shortest_text(*row.classic_false_positive_rate));
    CHECK(line.at("num_queries") == std::to_string(row.num_queries));
    CHECK(line.at("num_false_positives") == std::to_string(row.num_false_positives));
    CHECK(line.at("num_hashes") == "5");
    CHECK(line.at("bits_per_key") == "8");
    CHECK(line.at("x_title") == "keys inserted n / capacity");
    CHECK(line.at("y_title") == "false-positive rate");
  }
}

TEST_CASE("chart csv: a point without false positives is an upper bound, or only theory",
          "[report]") {
  HandMadeRun made = one_series_run();
  for (SummaryRow& row : made.rows) {
    row.num_false_positives = 0;
    row.interval_lower = 0;
    row.interval_upper = 0.5 * row.expected_false_positive_rate;
  }
  SummaryRow& idle = made.rows.back();
  idle.interval_upper = 11 * idle.expected_false_positive_rate;
  const std::vector<CsvLine> lines = table_of(made, "rate_vs_n_over_capacity");
  REQUIRE(lines.size() == made.rows.size());
  CHECK(count_marks(lines, "upper_bound") == lines.size() - 1);
  CHECK(lines.front().at("y") == shortest_text(made.rows.front().interval_upper));
  CHECK(lines.front().at("interval_upper").empty());
  CHECK(lines.back().at("mark").empty());
  CHECK(lines.back().at("y").empty());
  CHECK(lines.back().at("theory") == shortest_text(*idle.exact_false_positive_rate));
}

TEST_CASE("chart csv: lines are sorted by panel, series and x", "[report]") {
  HandMadeRun made = large_run();
  std::reverse(made.rows.begin(), made.rows.end());
  for (const Chart& chart : charts_of(made).charts) {
    CAPTURE(chart.name);
    std::set<std::pair<std::string, std::string>> finished;
    std::pair<std::string, std::string> current;
    double last = 0;
    for (const CsvLine& line : csv_lines(chart_csv(chart, row_records(made.rows)))) {
      if (line.at("variant").empty() && line.at("num_inserted").empty()) continue;  // own lines
      const std::pair series{line.at("facet"), line.at("series")};
      if (series != current) {
        CHECK(finished.insert(series).second);
        current = series;
      } else {
        CHECK(std::stod(line.at("x")) >= last);
      }
      last = std::stod(line.at("x"));
    }
  }
}

TEST_CASE("chart csv: every kind of chart has a table with the same columns", "[report]") {
  std::string header;
  std::set<std::string> names;
  const auto check = [&](const HandMadeRun& made, const Chart& chart) {
    CAPTURE(chart.name);
    const std::string csv = chart_csv(chart, row_records(made.rows));
    if (header.empty()) header = csv.substr(0, csv.find('\n'));
    CHECK(csv.starts_with(header + "\n"));
    std::size_t num_marks = 0;
    for (const CsvLine& line : csv_lines(csv)) {
      const bool is_mark = !line.at("mark").empty();
      CHECK(is_mark == !line.at("y").empty());
      if (is_mark && !line.at("num_queries").empty()) ++num_marks;
    }
    CHECK(num_marks > 0);
    names.insert(chart.name);
  };
  for (const HandMadeRun& made :
       {large_run(), one_series_run(), hundred_facets_run(), hostile_run(), growing_run(),
        streamed_run(), fixed_size_run({20'000, 50'000, 100'000, 200'000}, {1, 2, 4, 8})}) {
    for (const Chart& chart : charts_of(made).charts) check(made, chart);
  }
  const HandMadeRun made = large_run();
  const Wording wording(made.rows);
  const BenchTimes bench = one_time();
  check(made, *ns_vs_rate(bench, {.rows = made.rows, .wording = wording}));
  for (const std::string_view name : kChartNames) {
    CAPTURE(name);
    CHECK(names.contains(std::string(name)));
  }
}

TEST_CASE("chart csv: the times of a speed chart have their range as interval", "[report]") {
  const HandMadeRun made = large_run();
  const Wording wording(made.rows);
  const BenchTimes bench = one_time();
  const std::optional<Chart> chart = ns_vs_rate(bench, {.rows = made.rows, .wording = wording});
  const CsvLine line = csv_lines(chart_csv(*chart)).front();
  CHECK(line.at("x") == "0.02");
  CHECK(line.at("y") == "5");
  CHECK(line.at("interval_lower") == "4");
  CHECK(line.at("interval_upper") == "7");
}

TEST_CASE("chart csv: charts with names on the y axis have the name as x", "[report]") {
  const HandMadeRun made = one_series_run();
  const std::vector<CsvLine> lines = table_of(made, "rate_by_point");
  REQUIRE(lines.size() == made.rows.size());
  CHECK(lines.front().at("x") == "n = 20,000");
  CHECK(lines.front().at("y") == shortest_text(made.rows.front().observed_false_positive_rate));
  CHECK(lines.front().at("interval_lower") == shortest_text(made.rows.front().interval_lower));
  CHECK(lines.front().at("theory_name") == "exact theory");
}

TEST_CASE("chart csv: the information bound and limits have no row of the run", "[report]") {
  const std::vector<CsvLine> lines = table_of(large_run(), "rate_vs_bits_per_key");
  CHECK(count_marks(lines, "bound") == 2);
  CHECK(lines.back().at("mark") == "bound");
  CHECK(lines.back().at("num_queries").empty());
  CHECK(count_marks(table_of(large_run(), "excess_funnel"), "limits") > 0);
  CHECK(count_marks(table_of(large_run(), "rate_vs_theory"), "diagonal") == 2);
}
