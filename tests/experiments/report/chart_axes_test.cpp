#include <algorithm>
#include <cmath>
#include <set>
#include <string>
#include <vector>

#include "experiments/chart/chart_style.hpp"
#include "experiments/report/charts.hpp"
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

TEST_CASE("charts: rates are on a logarithmic axis", "[report]") {
  const ChartSet set = charts_of(large_run());
  for (const char* name :
       {"rate_vs_bits_per_key", "rate_vs_n_over_capacity", "rate_vs_num_hashes"}) {
    const Chart chart = chart_named(set, name);
    const json& view = chart.spec.contains("spec") ? chart.spec["spec"] : chart.spec;
    for (const json& layer : view["layer"]) {
      if (layer["name"] == "headroom") continue;  // the layer does not show a rate
      INFO(name << " " << layer["name"]);
      CHECK(layer["encoding"]["y"]["scale"]["type"] == "log");
    }
  }
}

TEST_CASE("charts: an axis of rates within a power of ten has two labels or more", "[report]") {
  for (double low = 1.1e-4; low < 1e-3; low *= 1.07) {
    for (double ratio = 1.0; ratio < 10; ratio *= 1.1) {
      const json channel = rate_channel("rate", "rate", low, low * ratio);
      const json& domain = channel["scale"]["domain"];
      const json& values = channel["axis"]["values"];
      INFO(low << " to " << low * ratio);
      CHECK(values.size() >= 2);
      CHECK(values.size() <= 10);
      CHECK(values.front() >= domain[0]);
      CHECK(values.back() <= domain[1]);
      CHECK(channel["axis"].contains("labelExpr"));
    }
  }
}

TEST_CASE("charts: both axes of measured against expected are equal", "[report]") {
  const Chart chart = chart_named(charts_of(large_run()), "rate_vs_theory");
  const json& encoding = layer_of(chart, "measured")["encoding"];
  CHECK(encoding["x"]["scale"]["domain"] == encoding["y"]["scale"]["domain"]);
  CHECK(chart.spec["width"] == chart.spec["height"]);
}

TEST_CASE("charts: n with constant ratios are on a logarithmic axis", "[report]") {
  const auto scale_of = [](const std::vector<std::uint64_t>& counts) {
    std::vector<SummaryRow> rows;
    for (const std::uint64_t n : counts) {
      rows.push_back(make_row(1'000'000, 8, 5));
      rows.back().num_inserted = n;
    }
    std::vector<const SummaryRow*> pointers;
    for (const SummaryRow& row : rows) pointers.push_back(&row);
    return x_channel(axis("num_inserted"), pointers)["scale"].value("type", "linear");
  };
  CHECK(scale_of({1'000, 2'659, 7'071, 18'803, 50'000}) == "log");  // 5 steps of a log scale
  CHECK(scale_of({500, 753, 1'135, 1'710, 2'576, 3'881}) == "log");
  CHECK(scale_of({100, 200, 400}) == "linear");  // three values are too few for a log scale
  CHECK(scale_of({1'000, 2'000, 3'000, 4'000}) == "linear");
  CHECK(scale_of({1'000, 3'000, 10'000, 40'000}) == "log");  // over 30 times
  CHECK(scale_of({1'000, 10'750, 20'500, 30'250, 40'000}) == "linear");
}

TEST_CASE("charts: x of two powers of ten is logarithmic unless its steps are equal", "[report]") {
  const auto scale_of = [](const char* name, const std::vector<double>& values) {
    std::vector<SummaryRow> rows;
    for (const double value : values) {
      rows.push_back(make_row(1'000, 8, 5));
      rows.back().num_inserted = static_cast<std::uint64_t>(value);
      rows.back().num_bits = static_cast<std::uint64_t>(1'000 * value);
      rows.back().capacity = 1'000;
    }
    return x_channel(axis(name), all_rows(rows))["scale"].value("type", "linear");
  };
  for (const char* name : {"num_inserted", "n_over_capacity", "bits_per_key", "num_bits"}) {
    INFO(name);
    CHECK(scale_of(name, {100, 1'000'000}) == "log");
    CHECK(scale_of(name, {100, 1'000, 500'000, 1'000'000}) == "log");
    CHECK(scale_of(name, {10, 500, 1'000}) == "linear");
    CHECK(scale_of(name, {10, 20, 40, 80}) == "log");
    CHECK(scale_of(name, {10, 700, 990}) == "linear");  // below 100 times
    CHECK(scale_of(name, {10, 700, 1'000}) == "log");
  }
}

TEST_CASE("charts: a logarithmic axis of numbers has a label at two ticks or more", "[report]") {
  for (const double low : {0.03, 1.1, 100.0, 7'000.0}) {
    for (double ratio = 1.5; ratio < 1e9; ratio *= 1.3) {
      const json axis = log_number_axis({{"type", "log"}, {"domain", {low, low * ratio}}});
      INFO(low << " to " << low * ratio << ": " << axis.dump());
      CHECK(axis["values"].size() >= 2);
      CHECK(axis["values"].size() <= 12);
      CHECK(axis["values"].front() >= low);
      CHECK(axis["values"].back() <= low * ratio);
      CHECK(axis.contains("labelExpr"));
    }
  }
}

TEST_CASE("charts: the information bound is curved on a logarithmic x", "[report]") {
  const HandMadeRun made = grid_run({1}, {4, 8, 16, 32, 64}, {4});
  const Chart chart = chart_named(charts_of(made), "rate_vs_bits_per_key");
  CHECK(chart.spec["encoding"]["x"]["scale"]["type"] == "log");
  const json& values = layer_of(chart, "bound")["data"]["values"];
  CHECK(values.size() > 20);
  for (const json& value : values) {
    CHECK(value["bound"].get<double>() == Approx(std::exp2(-value["x"].get<double>())));
  }
}

TEST_CASE("charts: the axis of a rate contains the lowest interval", "[report]") {
  HandMadeRun made = one_series_run();
  made.rows[0].num_false_positives = 1;
  made.rows[0].observed_false_positive_rate = 1e-6;
  made.rows[0].interval_lower = 1e-8;
  made.rows[0].interval_upper = 5.6e-6;
  made.rows[0].expected_false_positive_rate = 1e-6;
  const Chart chart = chart_named(charts_of(made), "rate_vs_n_over_capacity");
  const json y = layer_of(chart, "interval")["encoding"]["y"]["scale"]["domain"];
  CHECK(y[0].get<double>() < 1e-8);
}

namespace {

/// Returns a run in which the intervals of some rows with false positives reach 0, as those of
/// Zipf queries with few trials.
HandMadeRun run_with_intervals_from_0() {
  HandMadeRun made = grid_run({0.5, 1, 2}, {4, 8, 12}, {5});
  for (std::size_t i = 0; i < made.rows.size(); i += 2) made.rows[i].interval_lower = 0;
  return made;
}

}  // namespace

TEST_CASE("charts: an interval that reaches 0 is drawn to the edge of the axis", "[report]") {
  HandMadeRun made = run_with_intervals_from_0();
  made.run.config.charts = {{.chart = "rate_vs_n_over_capacity", .x = {}, .facet = {}},
                            {.chart = "pareto", .x = {}, .facet = {}},
                            {.chart = "rate_vs_theory", .x = {}, .facet = {}},
                            {.chart = "rate_by_point", .x = {}, .facet = {}}};
  const ChartSet set = charts_of(made);
  REQUIRE(set.charts.size() == 4);
  for (const Chart& chart : set.charts) {
    INFO(chart.name);
    const json& layer = layer_of(chart, "interval");
    const json& channel = layer["encoding"][chart.name == "rate_by_point" ? "x" : "y"];
    CHECK(channel["field"] == "interval_lower");
    REQUIRE(layer["transform"].size() == 2);
    CHECK(layer["transform"][1]["as"] == "interval_lower");
    const std::string lower_end = layer["transform"][1]["calculate"];
    const std::string start = "max(datum.interval_lower, ";
    REQUIRE(lower_end.starts_with(start));
    CHECK(std::stod(lower_end.substr(start.size())) == channel["scale"]["domain"][0]);
    const json& arrows = layer_of(chart, "interval_cut");
    const std::string filter = arrows["transform"][0]["filter"];
    const std::string cut = "datum.interval_lower < ";
    REQUIRE(filter.starts_with(cut));
    CHECK(std::stod(filter.substr(cut.size())) == channel["scale"]["domain"][0]);
    CHECK(chart.caption.find("Intervals with an arrow at the edge continue beyond it.") !=
          std::string::npos);
  }
}

TEST_CASE("charts: axes without a cut interval have no arrow", "[report]") {
  HandMadeRun made = one_series_run();
  made.rows[0].interval_lower = 1e-12;
  const ChartSet set = requested(made, {{.chart = "rate_vs_n_over_capacity", .x = {}, .facet = {}},
                                        {.chart = "rate_vs_theory", .x = {}, .facet = {}}});
  for (const char* name : {"rate_vs_n_over_capacity", "rate_vs_theory"}) {
    INFO(name);
    const Chart chart = chart_named(set, name);
    CHECK_FALSE(has_layer(chart, "interval_cut"));
    CHECK(chart.caption.find("arrow") == std::string::npos);
    const json domain = layer_of(chart, "interval")["encoding"]["y"]["scale"]["domain"];
    CHECK(domain[0].get<double>() <= 1e-12);
  }
}

TEST_CASE("charts: an interval that reaches 0 does not widen the axis of rates", "[report]") {
  const HandMadeRun made = run_with_intervals_from_0();
  double least = 1;
  for (const SummaryRow& row : made.rows) least = std::min(least, row.observed_false_positive_rate);
  const ChartSet set = charts_of(made);
  for (const char* name : {"rate_vs_n_over_capacity", "rate_vs_bits_per_key", "pareto"}) {
    INFO(name);
    const Chart chart = chart_named(set, name);
    const json domain = layer_of(chart, "interval")["encoding"]["y"]["scale"]["domain"];
    CHECK(domain[0].get<double>() > least / 100);
    CHECK(chart.caption.find("8 bits per key, standard” and “12") == std::string::npos);
  }
  CHECK(chart_named(set, "rate_vs_n_over_capacity")
            .caption.find("“4 bits per key, standard” and “4 bits per key, counting”") !=
        std::string::npos);
}
