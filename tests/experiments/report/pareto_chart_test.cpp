#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>

#include "experiments/report/common_values.hpp"
#include "experiments/report/point_charts.hpp"
#include "experiments/report/selection.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/runs/made_up_runs.hpp"

using namespace bloometry;
using namespace bloometry::report;
using bloometry::test::make_row;
using nlohmann::json;

namespace {

/// Returns the row of a filter at capacity. The rate in the row is `factor` times the rate of a
/// standard filter with k = 5.
SummaryRow point(const std::string& variant, double bits_per_key, double factor) {
  SummaryRow row = make_row(100'000, bits_per_key, 5);
  row.variant = variant;
  for (double* rate : {&row.observed_false_positive_rate, &row.interval_lower, &row.interval_upper,
                       &row.expected_false_positive_rate}) {
    *rate *= factor;
  }
  return row;
}

std::optional<chart::Chart> chart_of(const std::vector<SummaryRow>& rows,
                                     const std::string& facet = "") {
  const Wording wording(rows);
  const SeriesRequest request{
      .name = "pareto", .title = "", .caption = "", .axes = {"variant"}, .facet = facet};
  return pareto(request, RowSelection(all_rows(rows)), {.rows = rows, .wording = wording});
}

/// Returns the first letter of each row's field `standing`: `b` for beaten, `m` for maybe on the
/// front, `o` for on the front.
std::string standings(const std::vector<SummaryRow>& rows, const std::string& facet = "") {
  const std::optional<chart::Chart> chart = chart_of(rows, facet);
  REQUIRE(chart.has_value());
  std::string standing(rows.size(), '-');
  for (const chart::PlottedPoint& point : chart->points) {
    standing[*point.row] = point.fields["standing"].get<std::string>().front();
  }
  return standing;
}

}  // namespace

TEST_CASE("pareto: a point is on the front if no other point is lower with as little memory",
          "[report]") {
  const std::vector<SummaryRow> rows = {
      point("standard", 6, 1),  point("standard", 8, 1),
      point("standard", 10, 1), point("blocked", 6, 2),  // beaten at equal memory
      point("blocked", 7, 0.5),                          // beats the standard filter with 8 bits
      point("blocked", 12, 9)};                          // beaten by a smaller filter
  CHECK(standings(rows) == "obobob");
}

TEST_CASE("pareto: a lower rate dominates if the intervals do not overlap", "[report]") {
  std::vector<SummaryRow> rows = {point("standard", 6, 1), point("blocked", 8, 1),
                                  point("counting", 8.001, 1.001), point("standard", 10, 1)};
  REQUIRE(rows[2].interval_lower < rows[1].interval_upper);
  CHECK(standings(rows) == "oomo");
  SECTION("a filter with an equal rate and more memory may be on the front") {
    rows[2].observed_false_positive_rate = rows[1].observed_false_positive_rate;
    CHECK(standings(rows) == "oomo");
    rows[2] = rows[1];
    rows[2].variant = "counting";
    CHECK(standings(rows) == "oooo");
  }
  SECTION("separate intervals") {
    rows[1].interval_lower = 0.98 * rows[2].interval_lower;
    rows[1].interval_upper = 0.99 * rows[2].interval_lower;
    CHECK(standings(rows) == "oobo");
  }
}

TEST_CASE("pareto: marks are on or above the grey steps", "[report]") {
  std::vector<SummaryRow> rows = {point("standard", 6, 1), point("blocked", 8, 1.5),
                                  point("counting", 8, 1), point("standard", 10, 4),
                                  point("blocked", 12, 1)};
  const chart::Chart chart = *chart_of(rows);
  std::map<std::size_t, double> least_rate_of;
  for (const auto& point : chart.points) {
    least_rate_of[*point.row] = point.fields["least_rate"].get<double>();
    CHECK(point.fields["least_rate"].get<double>() <= point.fields["rate"].get<double>());
  }
  const auto rate = [&](std::size_t i) { return rows[i].observed_false_positive_rate; };
  CHECK(least_rate_of[0] == rate(0));
  CHECK(least_rate_of[1] == rate(2));  // rows with equal memory share the lower rate
  CHECK(least_rate_of[2] == rate(2));
  CHECK(least_rate_of[3] == rate(2));  // the steps never rise
  CHECK(least_rate_of[4] == rate(4));
}

TEST_CASE("pareto: each panel has its own front", "[report]") {
  const std::vector<SummaryRow> rows = {point("standard", 6, 1), point("standard", 8, 1),
                                        point("blocked", 8, 2), point("blocked", 10, 2)};
  CHECK(standings(rows) == "oobo");
  CHECK(standings(rows, "variant") == "oooo");
}

TEST_CASE("pareto: filters are compared at the largest n with a comparison", "[report]") {
  std::vector<SummaryRow> rows = {point("standard", 6, 1), point("standard", 8, 1),
                                  point("blocked", 8, 2), point("blocked", 10, 2)};
  CHECK(chart_of(rows)->caption.find("left out") == std::string::npos);
  std::vector<SummaryRow> more = rows;
  for (const SummaryRow& row : rows) {  // at a tenth of n, each rate is lower by chance
    more.push_back(point(row.variant, static_cast<double>(row.num_bits) / 100'000, 0.5));
    more.back().num_inserted = 10'000;
    more.back().num_bits /= 10;
    if (row.capacity) more.back().capacity = 10'000;
  }
  more.push_back(point("standard", 6, 1));  // the only row of its variant
  more.back().num_inserted = 1'000'000;
  more.back().num_bits *= 10;
  if (more.back().capacity) more.back().capacity = 1'000'000;
  const chart::Chart chart = *chart_of(more);
  CHECK(chart.points.size() == 4);
  for (const auto& point : chart.points) CHECK(*point.row < 4);
  CHECK(chart.caption.find("Left out: 5 points at other n.") != std::string::npos);
  CHECK(standings(more) == "oobo-----");
  SECTION("each n in its own panel") {
    CHECK(chart_of(more, "num_inserted")->points.size() == 9);
  }
}

TEST_CASE("charts: captions state one key in the singular", "[report]") {
  std::vector<SummaryRow> rows = {point("standard", 6, 1), point("standard", 8, 1),
                                  point("blocked", 8, 2), point("blocked", 10, 2)};
  for (SummaryRow& row : rows) row.num_inserted = 1;
  CHECK(about_common_values(all_rows(rows), Wording(rows)).find(" n = 1 key, capacity 100,000,") !=
        std::string::npos);
}

TEST_CASE("pareto: marks on the front are filled, dominated ones hollow", "[report]") {
  const chart::Chart chart =
      *chart_of({point("standard", 6, 1), point("standard", 8, 1), point("blocked", 8, 2),
                 point("blocked", 10, 2), point("counting", 8.001, 1.001)});
  std::map<std::string, bool> is_filled;
  for (const json& layer : chart.spec["layer"]) {
    if (layer["mark"].contains("filled")) is_filled[layer["name"]] = layer["mark"]["filled"];
  }
  CHECK(is_filled == std::map<std::string, bool>{{"measured", true},
                                                 {"measured_beaten", false},
                                                 {"measured_undecided", true}});
  CHECK(chart.spec["layer"].back()["name"] == "measured");  // the marks must be in the top layer
}

TEST_CASE("pareto: marks that cover one another have different sizes and are named", "[report]") {
  std::vector<SummaryRow> rows = {point("standard", 6, 1), point("blocked", 6, 1.001),
                                  point("standard", 8, 1), point("counting", 8, 1),
                                  point("blocked", 10, 2), point("standard", 10, 1)};
  rows[1].interval_lower = rows[1].observed_false_positive_rate;  // beaten by the standard filter
  rows[0].interval_upper = rows[0].observed_false_positive_rate;
  const chart::Chart chart = *chart_of(rows);
  std::map<std::size_t, int> sizes;
  for (const auto& point : chart.points) sizes[*point.row] = point.fields["mark_size"].get<int>();
  CHECK(sizes[0] == 60);  // on the front, so it is drawn in front
  CHECK(sizes[1] == 180);
  CHECK(sizes[2] + sizes[3] == 60 + 180);
  CHECK(sizes[4] == 60);
  CHECK(sizes[5] == 60);
  INFO(chart.caption);
  CHECK(chart.caption.find("“standard” and “blocked” at 6 bits per key") != std::string::npos);
  CHECK(chart.caption.find("“standard” and “counting” at 8 bits per key") != std::string::npos);
  for (const json& layer : chart.spec["layer"]) {  // larger marks are drawn first
    if (layer["name"].get<std::string>().starts_with("measured")) {
      CHECK(layer["encoding"]["order"]["sort"] == "descending");
    }
  }
  CHECK(chart_of({point("standard", 6, 1), point("standard", 8, 1), point("blocked", 9, 1)})
            ->caption.find("coincide") == std::string::npos);
}

TEST_CASE("pareto: the caption states each size of marks that cover one another", "[report]") {
  const chart::Chart chart = *chart_of({point("standard", 6, 1), point("blocked", 8.003, 1),
                                        point("standard", 8, 1), point("standard", 10, 1)});
  INFO(chart.caption);
  CHECK((chart.caption.find("“blocked” and “standard” at 8.003/8 bits") != std::string::npos ||
         chart.caption.find("“standard” and “blocked” at 8/8.003 bits") != std::string::npos));
}

TEST_CASE("pareto: a filter that is smaller only by rounding may be on the front", "[report]") {
  std::vector<SummaryRow> rows = {point("standard", 6, 1), point("blocked", 8, 1.5),
                                  point("counting", 8.004, 1), point("standard", 10, 1)};
  constexpr const char* kSentence = "A mark is also pale if";
  CHECK(standings(rows) == "oooo");
  CHECK(chart_of(rows)->caption.find(kSentence) == std::string::npos);
  rows[1].requested_bits_per_key = rows[2].requested_bits_per_key = 8;
  CHECK(standings(rows) == "omoo");
  CHECK(chart_of(rows)->caption.find(kSentence) != std::string::npos);
}

TEST_CASE("pareto: fewer than two variants or three sizes give no chart", "[report]") {
  CHECK_FALSE(chart_of({point("standard", 6, 1), point("standard", 8, 1), point("standard", 9, 1)})
                  .has_value());
  CHECK_FALSE(chart_of({point("standard", 6, 1), point("blocked", 8, 1)}).has_value());
  CHECK(chart_of({point("standard", 6, 1), point("standard", 8, 1), point("blocked", 9, 1)})
            .has_value());
}

TEST_CASE("pareto: sizes from the first with fewer than 10 false positives on are left out",
          "[report]") {
  std::vector<SummaryRow> rows = {point("standard", 6, 1),  point("standard", 8, 1),
                                  point("blocked", 9, 1),   point("standard", 20, 1),
                                  point("blocked", 20, 30), point("blocked", 25, 30)};
  rows[3].num_false_positives = 9;  // excludes all larger sizes from the front
  const chart::Chart chart = *chart_of(rows);
  CHECK(chart.points.size() == 3);
  CHECK(chart.caption.find("Left out: 3 points of these sizes.") != std::string::npos);
  CHECK(chart.caption.find(
            "Sizes from 20 bits per key on are left out, because a filter had fewer than "
            "10 false positives there.") != std::string::npos);
  rows[3].num_false_positives = 10;
  CHECK(chart_of(rows)->points.size() == 6);
  rows[0].num_false_positives = 0;
  CHECK_FALSE(chart_of(rows).has_value());
}
