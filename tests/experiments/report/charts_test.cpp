#include "experiments/report/charts.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "experiments/chart/chart_style.hpp"
#include "experiments/chart/export_style.hpp"
#include "experiments/plan/chart_request.hpp"
#include "experiments/report/row_marks.hpp"
#include "experiments/text/number_text.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/runs/made_up_runs.hpp"

using namespace bloometry;
using namespace bloometry::chart;
using namespace bloometry::report;
using namespace bloometry::test;
using nlohmann::json;

namespace {

ChartSet charts_of(const HandMadeRun& made) {
  return make_charts(made.run.config, made.rows, made.verdict);
}

std::vector<std::string> names_of(const ChartSet& set) {
  std::vector<std::string> names;
  for (const Chart& chart : set.charts) names.push_back(chart.name);
  return names;
}

Chart chart_named(const ChartSet& set, const std::string& name) {
  const auto found = std::find_if(set.charts.begin(), set.charts.end(),
                                  [&](const Chart& chart) { return chart.name == name; });
  REQUIRE(found != set.charts.end());
  return *found;
}

bool has_layer(const Chart& chart, const std::string& name) {
  const json& view = chart.spec.contains("spec") ? chart.spec["spec"] : chart.spec;
  const json& layers = view["layer"];
  return std::any_of(layers.begin(), layers.end(),
                     [&](const json& layer) { return layer["name"] == name; });
}

const json& layer_of(const Chart& chart, const std::string& name) {
  const json& layers =
      chart.spec.contains("spec") ? chart.spec["spec"]["layer"] : chart.spec["layer"];
  const auto found = std::find_if(layers.begin(), layers.end(),
                                  [&](const json& layer) { return layer["name"] == name; });
  REQUIRE(found != layers.end());
  return *found;
}

ChartSet requested(HandMadeRun made, const std::vector<ChartRequest>& charts) {
  made.run.config.charts = charts;
  return charts_of(made);
}

/// Returns the heat map of a run. The function requests the heat map, because reports omit it if
/// chance explains all cells.
Chart heat_map_of(const HandMadeRun& made) {
  return chart_named(requested(made, {{.chart = "relative_error_heatmap", .x = {}, .facet = {}}}),
                     "relative_error_heatmap");
}

void set_no_hit(SummaryRow& row, double upper_bound) {
  row.num_false_positives = 0;
  row.observed_false_positive_rate = 0;
  row.interval_lower = 0;
  row.interval_upper = upper_bound;
}

}  // namespace

TEST_CASE("charts: a run draws the standard charts that its axes feed", "[report]") {
  SECTION("a full grid feeds all but rate_vs_n") {
    CHECK(names_of(charts_of(large_run())) ==
          std::vector<std::string>{"rate_vs_bits_per_key", "pareto", "rate_vs_n_over_capacity",
                                   "rate_vs_num_hashes", "rate_vs_theory", "excess_funnel",
                                   "p_value_qq", "relative_error_heatmap", "fill"});
  }
  SECTION("one n has no heat map, and says why") {
    const ChartSet set = charts_of(grid_run({1}, {4, 8, 12}, {2, 4, 6}));
    const auto names = names_of(set);
    CHECK(std::find(names.begin(), names.end(), "relative_error_heatmap") == names.end());
    const auto omitted = std::find_if(set.omitted.begin(), set.omitted.end(), [](const auto& o) {
      return o.name == "relative_error_heatmap";
    });
    REQUIRE(omitted != set.omitted.end());
    CHECK(omitted->reason == "no cell differs from theory by more than chance explains");
  }
  SECTION("few points are drawn one by one") {
    CHECK(
        names_of(charts_of(one_series_run())) ==
        std::vector<std::string>{"rate_vs_n_over_capacity", "rate_by_point", "p_value_qq", "fill"});
  }
  SECTION("an axis with two values makes no chart") {
    const ChartSet set = charts_of(grid_run({0.5, 1}, {4, 8}, {3, 6}));
    for (const std::string& name : names_of(set)) {
      INFO(name);
      CHECK_FALSE(name.starts_with("rate_vs_n"));
      CHECK(name != "rate_vs_bits_per_key");
      CHECK(name != "fill");
    }
    CHECK(names_of(charts_of(grid_run({0.5, 1}, {4, 8, 12}, {3, 6}))).front() ==
          "rate_vs_bits_per_key");
  }
  SECTION("no row, no chart") {
    CHECK(charts_of(empty_run()).charts.empty());
  }
}

TEST_CASE("charts: few trials make no distribution of p-values", "[report]") {
  HandMadeRun made = large_run();
  add_trials(made, 7);
  const auto names = names_of(charts_of(made));
  CHECK(std::find(names.begin(), names.end(), "p_value_qq") == names.end());
}

TEST_CASE("charts: p_value_qq takes one row of each trial", "[report]") {
  HandMadeRun made = large_run();
  const std::vector<RowVerdict> once = made.verdict.rows;
  for (RowVerdict row : once) {
    row.row.num_inserted += 1;
    row.expected_false_positives /= 2;
    made.verdict.rows.push_back(row);
  }
  CHECK(chart_named(charts_of(made), "p_value_qq").points.size() == once.size());
}

TEST_CASE("charts: rates stand on a logarithmic axis", "[report]") {
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

TEST_CASE("charts: memory is drawn beside the information bound", "[report]") {
  const Chart chart = chart_named(charts_of(large_run()), "rate_vs_bits_per_key");
  const json& layers = chart.spec["layer"];
  const auto bound = std::find_if(layers.begin(), layers.end(),
                                  [](const json& layer) { return layer["name"] == "bound"; });
  REQUIRE(bound != layers.end());
  for (const json& value : (*bound)["data"]["values"]) {
    CHECK(value["bound"].get<double>() == Approx(std::exp2(-value["x"].get<double>())));
  }
}

TEST_CASE("charts: a series uses one k, the best at capacity", "[report]") {
  const HandMadeRun made = large_run();
  const Chart chart = chart_named(charts_of(made), "rate_vs_n_over_capacity");
  CHECK(chart.points.size() == 2 * 8 * 6);  // variants, n, sizes
  for (const PlottedPoint& point : chart.points) {
    const SummaryRow& row = made.rows[*point.row];
    if (row.num_bits == 800'000) CHECK((row.num_hashes == 5U || row.num_hashes == 6U));
  }
}

TEST_CASE("charts: zero false positives are upper bounds with a mark and a legend of their own",
          "[report]") {
  HandMadeRun made = one_series_run();
  SECTION("with a point without false positives") {
    made.rows[0] = make_row(100'000, 8, 5, 100);
    set_no_hit(made.rows[0], 2 * made.rows[0].expected_false_positive_rate);
    const Chart chart = chart_named(charts_of(made), "rate_vs_n_over_capacity");
    CHECK(chart.points.size() == 5);
    REQUIRE(has_layer(chart, "measured_upper_bound"));
    const json& layer = chart.spec["layer"].back();
    CHECK(layer["mark"]["shape"] == "triangle-down");
    CHECK(layer["encoding"]["y"]["field"] == "interval_upper");
    CHECK(layer["encoding"]["opacity"]["legend"]["symbolType"] == "triangle-down");
  }
  SECTION("without one there is no such layer") {
    CHECK_FALSE(
        has_layer(chart_named(charts_of(made), "rate_vs_n_over_capacity"), "measured_upper_bound"));
  }
}

TEST_CASE("charts: points that a logarithmic axis cannot show are counted", "[report]") {
  HandMadeRun made = one_series_run();
  made.rows.push_back(make_row(0, 8, 5));
  const Chart chart = chart_named(charts_of(made), "rate_vs_n_over_capacity");
  CHECK(chart.points.size() == 5);
  CHECK(chart.caption.find("Left out: 1 point whose expected rate is 0") != std::string::npos);
  CHECK(to_text(chart.spec["title"]["subtitle"]).find("Left out: 1") != std::string::npos);
}

TEST_CASE("charts: the spread between filters is a band around theory where it can be seen",
          "[report]") {
  HandMadeRun made = one_series_run();
  SECTION("wide") {
    for (SummaryRow& row : made.rows) {
      row.expected_rate_stddev = 0.2 * row.expected_false_positive_rate;
      row.num_trials = 4;
    }
    const Chart chart = chart_named(charts_of(made), "rate_vs_n_over_capacity");
    REQUIRE(has_layer(chart, "band"));
    CHECK(chart.caption.find("the shade around exact theory") != std::string::npos);
    const SummaryRow& row = made.rows.front();
    const double half_width = 1.959964 * 0.2 / 2 * row.expected_false_positive_rate;
    CHECK(chart.points.front().fields["band_upper"].get<double>() ==
          Approx(row.expected_false_positive_rate + half_width));
  }
  SECTION("narrower than the line") {
    for (SummaryRow& row : made.rows) {
      row.expected_rate_stddev = 0.001 * row.expected_false_positive_rate;
    }
    CHECK_FALSE(has_layer(chart_named(charts_of(made), "rate_vs_n_over_capacity"), "band"));
  }
}

TEST_CASE("charts: theory without an exact value is drawn as an approximation", "[report]") {
  HandMadeRun made = one_series_run();
  for (SummaryRow& row : made.rows) {
    row.exact_false_positive_rate.reset();
    row.expected_by = "fluid";
  }
  const Chart chart = chart_named(charts_of(made), "rate_vs_n_over_capacity");
  CHECK(chart.points.front().fields["approximation"] == "fluid approximation");
  CHECK(to_text(chart.spec).find("\"exact theory\"]") == std::string::npos);
}

TEST_CASE("charts: a size that follows k tells no heat maps apart", "[report]") {
  HandMadeRun made = one_series_run();
  made.rows.clear();
  for (const std::uint64_t n : {1'000U, 10'000U, 100'000U}) {
    for (const std::uint64_t k : {3U, 5U, 7U})
      made.rows.push_back(make_row(n, 1.5 * static_cast<double>(k), k));
  }
  const Chart one = heat_map_of(made);
  CHECK(one.points.size() == 9);
  CHECK_FALSE(one.spec.contains("facet"));
  for (const std::uint64_t n : {1'000U, 10'000U, 100'000U}) {
    for (const std::uint64_t k : {3U, 5U}) made.rows.push_back(make_row(n, 8, k));
  }
  const Chart apart = heat_map_of(made);
  CHECK(apart.points.size() == 3 * 2);  // the points with 8 bits per key; each other size has one k
  CHECK(apart.caption.find("Left out: 3 maps of one n or one k.") != std::string::npos);
}

TEST_CASE("charts: cells of a heat map say how far they are off, or how far they could be",
          "[report]") {
  HandMadeRun made = grid_run({0.5, 1}, {8}, {4, 5});
  const auto with_error = [&](double error) {
    SummaryRow& row = made.rows.front();
    row.observed_false_positive_rate = (1 + error) * row.expected_false_positive_rate;
    const Chart chart = heat_map_of(made);
    CHECK(has_layer(chart, "numbers"));
    return chart;
  };
  const auto number = [](const Chart& chart) {
    return chart.points.front().fields["number"].get<std::string>();
  };
  const SummaryRow& row = made.rows.front();
  const double rate = row.expected_false_positive_rate;
  const double width =
      100 * 3.2905267 * std::sqrt((1 - rate) / (rate * static_cast<double>(row.num_queries)));
  REQUIRE(width > 1);
  REQUIRE(width < 9);
  CHECK(std::stod(number(with_error(0)).substr(std::string("±").size())) ==
        Approx(width).margin(0.051));
  CHECK(number(with_error(0.3)) == "+30 %");
  CHECK(number(with_error(-0.3)) == "−30 %");
  CHECK(number(with_error(3.2)) == "×4.2");
  CHECK(number(with_error(319)) == "×320");
  CHECK(to_text(with_error(0.3).spec).find("symlog") == std::string::npos);
  CHECK(to_text(with_error(3.2).spec).find("symlog") != std::string::npos);

  SECTION("of few trials from the spread that theory expects, which they average out") {
    made.rows.front().num_trials = 4;
    made.rows.front().expected_rate_stddev = 0.5 * rate;
    const double of_mean = std::hypot(width, 100 * 3.2905267 * 0.5 / std::sqrt(4.0));
    CHECK(number(with_error(0)) == "±" + std::to_string(std::llround(of_mean)) + " %");
  }
  SECTION("from the spread between trials, where there are enough of them") {
    made.rows.front().num_trials = 100;
    made.rows.front().observed_rate_stddev = 0.5 * rate;
    CHECK(number(with_error(0.1)) == "±16 %");
    CHECK(number(with_error(0.2)) == "+20 %");
  }
  SECTION("large maps have no room for numbers") {
    CHECK_FALSE(
        has_layer(chart_named(charts_of(large_run()), "relative_error_heatmap"), "numbers"));
  }
}

namespace {

/// Sets the row's observed rate to 1 + error times the expected rate.
void set_error(SummaryRow& row, double error) {
  row.observed_false_positive_rate = (1 + error) * row.expected_false_positive_rate;
}

std::size_t num_coloured(const Chart& chart) {
  return static_cast<std::size_t>(
      std::count_if(chart.points.begin(), chart.points.end(),
                    [](const PlottedPoint& point) { return point.fields["coloured"] == true; }));
}

}  // namespace

TEST_CASE("charts: a heat map colours only what is beyond chance", "[report]") {
  HandMadeRun made = grid_run({0.5, 1, 2}, {8}, {4, 5});
  std::erase_if(made.rows, [](const SummaryRow& row) { return row.variant != "standard"; });
  for (SummaryRow& row : made.rows) set_error(row, 0.001);
  CHECK(names_of(charts_of(made)).back() != "relative_error_heatmap");
  const Chart grey = heat_map_of(made);
  CHECK(grey.title ==
        "Relative error of the measured rate over n and k: none beyond chance: standard");
  CHECK(num_coloured(grey) == 0);
  CHECK_FALSE(has_layer(grey, "measured"));
  CHECK(grey.caption.find("No cell differs from theory") != std::string::npos);
  set_error(made.rows.front(), 0.3);
  const Chart one = chart_named(charts_of(made), "relative_error_heatmap");
  CHECK(num_coloured(one) == 1);
  CHECK(one.points.front().fields["coloured"] == true);
  CHECK(layer_of(one, "measured")["encoding"]["color"]["scale"]["domain"][3] == 0.5);
  CHECK(has_layer(one, "measured_by_chance"));
  const auto filter = [&](const char* layer) {
    return layer_of(one, layer)["transform"][0]["filter"].get<std::string>();
  };
  CHECK(filter("measured_by_chance") == "!datum.coloured && datum.enough");
  CHECK(filter("measured_not_judged") == "!datum.coloured && !datum.enough");
}

TEST_CASE("charts: heat maps without a coloured cell stay away from those with one", "[report]") {
  HandMadeRun made = grid_run({0.5, 1, 2}, {8}, {4, 5});
  for (SummaryRow& row : made.rows) set_error(row, row.variant == "standard" ? 0.3 : 0);
  const Chart chart = chart_named(charts_of(made), "relative_error_heatmap");
  CHECK(chart.points.size() == 3 * 2);
  CHECK(chart.caption.find("Left out: 1 map without a coloured cell.") != std::string::npos);
}

TEST_CASE("charts: heat maps of fewer than 3 n stay away from larger ones", "[report]") {
  HandMadeRun made = grid_run({0.5, 1, 2}, {8, 10}, {4, 5});
  std::erase_if(made.rows, [](const SummaryRow& row) {
    return row.variant != "standard" || (row.num_bits == 1'000'000 && row.num_inserted == 100'000);
  });
  const Chart chart = heat_map_of(made);
  CHECK(chart.points.size() == 3 * 2);
  CHECK(chart.caption.find("Left out: 1 map of fewer than 3 n.") != std::string::npos);
}

TEST_CASE("charts: heat maps of one n or one k stay away", "[report]") {
  HandMadeRun made = grid_run({0.5, 1, 2}, {8, 10}, {4, 5});
  std::erase_if(made.rows, [](const SummaryRow& row) {
    return row.variant != "standard" || (row.num_bits == 1'000'000 && row.num_hashes != 4);
  });
  const Chart chart = heat_map_of(made);
  CHECK(chart.points.size() == 3 * 2);
  CHECK(chart.caption.find("Left out: 1 map of one n or one k.") != std::string::npos);
  // n varies in one filter and k in the other filter, so the rows are not a grid.
  std::erase_if(made.rows, [](const SummaryRow& row) {
    return row.num_bits != 1'000'000 && row.num_inserted != 100'000;
  });
  const ChartSet none =
      requested(made, {{.chart = "relative_error_heatmap", .x = {}, .facet = {}}});
  CHECK(none.charts.empty());
  REQUIRE(none.omitted.size() == 1);
  CHECK(none.omitted[0].reason ==
        "the run does not have a filter with two values of n and two of k");
}

TEST_CASE("charts: heat maps are few, of the same sizes for every variant", "[report]") {
  std::vector<double> sizes;
  for (int i = 0; i < 20; ++i) sizes.push_back(4 + i);
  std::vector<double> loads;
  for (int i = 0; i < 20; ++i) loads.push_back(0.1 * (i + 1));
  const HandMadeRun made = grid_run(loads, sizes, {1, 2, 3, 4, 5, 6});
  HandMadeRun grey = made;
  for (SummaryRow& row : grey.rows) set_error(row, 0);
  const ChartSet standard = charts_of(grey);  // large, without deviations: drawn only on request
  const auto omitted = std::find_if(
      standard.omitted.begin(), standard.omitted.end(),
      [](const OmittedChart& chart) { return chart.name == "relative_error_heatmap"; });
  REQUIRE(omitted != standard.omitted.end());
  CHECK(omitted->reason == "no cell differs from theory by more than chance explains");
  const Chart chart =
      chart_named(requested(grey, {{.chart = "relative_error_heatmap", .x = {}, .facet = {}}}),
                  "relative_error_heatmap");
  REQUIRE(chart.spec["facet"]["sort"].size() == 12);
  CHECK(chart.caption.find("Left out: 28 maps") != std::string::npos);
  std::map<std::string, std::set<std::uint64_t>> sizes_of;
  for (const PlottedPoint& point : chart.points) {
    const SummaryRow& row = grey.rows[*point.row];
    sizes_of[row.variant].insert(row.num_bits);
  }
  CHECK(sizes_of.at("standard").size() == 6);
  CHECK(sizes_of.at("standard") == sizes_of.at("counting"));
  const json& x = chart.spec["spec"]["encoding"]["x"]["axis"]["values"];
  CHECK(x.size() == 10);  // of 20 n, in 240 px
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

TEST_CASE("charts: more than 8 series are divided among views, or thinned and counted",
          "[report]") {
  std::vector<double> sizes;
  for (int i = 0; i < 20; ++i) sizes.push_back(4 + i);
  HandMadeRun made = grid_run({0.5, 1, 2}, sizes, {4});
  SECTION("a view for each variant") {
    const Chart chart = chart_named(charts_of(made), "rate_vs_n_over_capacity");
    CHECK(chart.points.size() == 2 * 3 * 8);
    CHECK(chart.spec["facet"]["sort"] == json({"standard", "counting"}));
    CHECK(chart.caption.find("Left out: 12 entries of the legend") != std::string::npos);
  }
  SECTION("sizes of one variant stay together") {
    std::erase_if(made.rows, [](const SummaryRow& row) { return row.variant != "standard"; });
    const Chart chart = chart_named(charts_of(made), "rate_vs_n_over_capacity");
    CHECK(chart.points.size() == 3 * 8);
    CHECK(chart.caption.find("Left out: 12 entries of the legend") != std::string::npos);
  }
  SECTION("one picture if the config requests it") {
    const ChartSet set = requested(
        made, {{.chart = "rate_vs_n_over_capacity", .x = {}, .facet = std::string(kNoFacet)}});
    REQUIRE(set.charts.size() == 1);
    CHECK_FALSE(set.charts[0].spec.contains("facet"));
  }
}

/// Returns a run with num_n values of n. The filters of the run do not have capacities.
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
      row.bits_per_key = bits_per_key(row);
      made.rows.push_back(row);
    }
  }
  return made;
}

TEST_CASE("charts: rate against memory is one picture, however many n there are", "[report]") {
  const HandMadeRun crowded = run_of_many_n(5);
  const std::uint64_t largest = crowded.rows.back().num_inserted;
  SECTION("more series than colours: the largest n alone") {
    const Chart chart = chart_named(charts_of(crowded), "rate_vs_bits_per_key");
    CHECK_FALSE(chart.spec.contains("facet"));
    CHECK(chart.points.size() == 2 * 3);
    for (const auto& point : chart.points) {
      CHECK(crowded.rows.at(*point.row).num_inserted == largest);
    }
    CHECK(chart.caption.find(" All hold n = " + grouped(largest) +
                             " keys; other n are left out.") != std::string::npos);
  }
  SECTION("a kind of filter without that n has its own largest") {
    HandMadeRun made = crowded;
    std::erase_if(made.rows, [&](const SummaryRow& row) {
      return row.variant == "counting" && row.num_inserted == largest;
    });
    const Chart chart = chart_named(charts_of(made), "rate_vs_bits_per_key");
    CHECK(chart.points.size() == 2 * 3);
    CHECK(chart.caption.find(" Each kind of filter holds its largest n; other n are left out.") !=
          std::string::npos);
  }
  SECTION("a largest n of two sizes shows no curve") {
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
  SECTION("as many as there are colours: all") {
    const Chart chart = chart_named(charts_of(run_of_many_n(4)), "rate_vs_bits_per_key");
    CHECK(chart.points.size() == 4 * 2 * 3);
    CHECK(chart.caption.find("other n") == std::string::npos);
  }
  SECTION("a facet for each n if that is requested") {
    const ChartSet set =
        requested(crowded, {{.chart = "rate_vs_bits_per_key", .x = {}, .facet = "num_inserted"}});
    REQUIRE(set.charts.size() == 1);
    CHECK(set.charts[0].spec["facet"]["sort"].size() == 5);
    CHECK(set.charts[0].points.size() == 5 * 2 * 3);
  }
}

TEST_CASE("charts: rate against k is drawn at the largest n if every n would be too many",
          "[report]") {
  const HandMadeRun crowded = run_of_many_n(5, {4, 8, 12}, {3, 4, 5});
  const std::uint64_t largest = crowded.rows.back().num_inserted;
  const Chart chart = chart_named(charts_of(crowded), "rate_vs_num_hashes");
  CHECK(chart.points.size() == 2 * 3 * 3);
  for (const auto& point : chart.points) {
    CHECK(crowded.rows.at(*point.row).num_inserted == largest);
  }
  CHECK(chart.caption.find("All hold n = " + grouped(largest)) != std::string::npos);
}

TEST_CASE("charts: triangles of one upper bound stand side by side", "[report]") {
  HandMadeRun made = grid_run({1}, {4, 8, 12}, {4});
  for (SummaryRow& row : made.rows) {
    set_no_hit(row, 2 * row.expected_false_positive_rate);  // both variants have the same rate
  }
  made.rows.back().interval_upper *= 2;  // this mark is the only one at its position
  const Chart chart = chart_named(charts_of(made), "rate_vs_bits_per_key");
  std::map<std::pair<double, double>, std::set<double>> offsets;  // at one position
  for (const auto& point : chart.points) {
    const SummaryRow& row = made.rows.at(*point.row);
    const double offset = point.fields.at("upper_bound_offset").get<double>();
    CHECK(offsets[{point.fields.at("x").get<double>(), row.interval_upper}].insert(offset).second);
  }
  CHECK(offsets.size() == 4);
  const json& mark = layer_of(chart, "measured_upper_bound")["mark"];
  CHECK(mark["xOffset"]["expr"] == "datum.upper_bound_offset");
}

TEST_CASE("charts: an upper bound far above theory is left out and counted", "[report]") {
  HandMadeRun made = one_series_run();
  const double expected = made.rows[0].expected_false_positive_rate;
  for (const std::string name : {"rate_vs_n_over_capacity", "rate_vs_theory"}) {
    INFO(name);
    const auto chart_of_bound = [&](double upper_bound) {
      set_no_hit(made.rows[0], upper_bound);
      return chart_named(requested(made, {{.chart = name, .x = {}, .facet = {}}}), name);
    };
    CHECK(has_layer(chart_of_bound(9 * expected), "measured_upper_bound"));
    const Chart idle = chart_of_bound(11 * expected);
    CHECK_FALSE(has_layer(idle, "measured_upper_bound"));
    CHECK(idle.caption.find(
              "Left out: 1 point without a false positive whose upper bound is more than ten "
              "times the expected rate;") != std::string::npos);
  }
}

TEST_CASE("charts: both axes of measured against expected are one", "[report]") {
  const Chart chart = chart_named(charts_of(large_run()), "rate_vs_theory");
  const json& encoding = layer_of(chart, "measured")["encoding"];
  CHECK(encoding["x"]["scale"]["domain"] == encoding["y"]["scale"]["domain"]);
  CHECK(chart.spec["width"] == chart.spec["height"]);
}

TEST_CASE("charts: a scheme that is the default of its variant makes no views", "[report]") {
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

TEST_CASE("charts: a variant has one colour in every chart, lighter for its other sizes",
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

TEST_CASE("charts: in a run of several variants no colour of a size is that of a variant",
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

TEST_CASE("charts: variants stand in one order at every size, that of the registry", "[report]") {
  HandMadeRun made = grid_run({0.5, 1, 2}, {4, 8, 12}, {4});
  for (SummaryRow& row : made.rows) {
    row.bits_per_key = static_cast<double>(row.num_bits) / 100'000;
    if (row.variant == "counting") continue;
    row.variant = "blocked";  // the size in whole blocks differs a little from the requested size
    row.num_bits += row.bits_per_key == 8 ? 400 : -400;
  }
  const Chart chart = chart_named(charts_of(made), "rate_vs_n_over_capacity");
  CHECK(chart.spec["encoding"]["color"]["scale"]["domain"] ==
        json({"4 bits per key, counting", "4 bits per key, blocked", "8 bits per key, counting",
              "8 bits per key, blocked", "12 bits per key, counting", "12 bits per key, blocked"}));
}

TEST_CASE("charts: panels that fill their rows share an axis, others have one each", "[report]") {
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

TEST_CASE("charts: large runs are capped, and the charts say so", "[report]") {
  HandMadeRun made = large_run();
  const std::vector<SummaryRow> once = made.rows;
  while (made.rows.size() < 20'000) {
    made.rows.insert(made.rows.end(), once.begin(), once.end());
  }
  const ChartSet set = charts_of(made);
  const Chart scatter = chart_named(set, "rate_vs_theory");
  CHECK(scatter.points.size() == 3000);
  CHECK(scatter.caption.find("Drawn: ") != std::string::npos);
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

TEST_CASE("charts: a config's own list replaces the standard charts", "[report]") {
  const HandMadeRun made = grid_run({0.5, 1, 2}, {4, 8, 16}, {3, 6});
  SECTION("with x and facet") {
    const ChartSet set =
        requested(made, {{.chart = "rate_vs_theory", .x = "num_inserted", .facet = "bits_per_key"},
                         {.chart = "rate_vs_theory", .x = "num_hashes", .facet = {}}});
    CHECK(names_of(set) == std::vector<std::string>{"rate_vs_theory", "rate_vs_theory_2"});
    CHECK(set.charts[0].spec["facet"]["sort"] ==
          json({"4 bits per key", "8 bits per key", "16 bits per key"}));
  }
  SECTION("names on the x axis have no lines") {
    const ChartSet set =
        requested(made, {{.chart = "rate_vs_theory", .x = "variant", .facet = {}}});
    REQUIRE(set.charts.size() == 1);
    CHECK_FALSE(has_layer(set.charts[0], "exact"));
    CHECK(has_layer(set.charts[0], "expected"));
    CHECK(set.charts[0].spec["spec"]["encoding"]["x"]["sort"] == json({"standard", "counting"}));
  }
  SECTION("a chart that cannot be fed is named with its reason") {
    const ChartSet set = requested(made, {{.chart = "rate_vs_n", .x = {}, .facet = {}}});
    CHECK(set.charts.empty());
    REQUIRE(set.omitted.size() == 1);
    CHECK(set.omitted[0].reason ==
          "the run does not have a filter without a capacity but with three numbers of keys");
  }
}

TEST_CASE("charts: data are inlined, one record with an id of its own per point", "[report]") {
  const HandMadeRun made = large_run();
  for (const Chart& chart : charts_of(made).charts) {
    const json spec = with_data(chart, row_records(made.rows));
    CHECK(spec["$schema"] == "https://vega.github.io/schema/vega-lite/v6.json");
    const json& values = spec["data"]["values"];
    REQUIRE(values.size() == chart.points.size());
    std::set<std::size_t> ids;
    for (const json& value : values) ids.insert(value["id"].get<std::size_t>());
    CHECK(ids.size() == values.size());
    CHECK(to_text(spec).find("\"url\"") == std::string::npos);
  }
}

TEST_CASE("charts: the same run gives the same bytes", "[report]") {
  const auto bytes = [] {
    const HandMadeRun made = large_run();
    std::string text;
    for (const Chart& chart : charts_of(made).charts)
      text += to_text(with_data(chart, row_records(made.rows)));
    return text;
  };
  CHECK(bytes() == bytes());
}

TEST_CASE("charts: one variant is named in titles and before its parameters", "[report]") {
  HandMadeRun made = grid_run({0.5, 1}, {4, 8, 16}, {3, 6});
  for (SummaryRow& row : made.rows) {
    row.params = row.variant == "standard" ? R"({"block_bits":256})" : R"({"block_bits":512})";
    row.variant = "blocked";
  }
  const ChartSet set = requested(made, {{.chart = "rate_vs_theory", .x = {}, .facet = {}},
                                        {.chart = "rate_vs_bits_per_key", .x = {}, .facet = {}},
                                        {.chart = "rate_vs_num_hashes", .x = {}, .facet = {}}});
  REQUIRE(set.charts.size() == 3);
  for (const Chart& chart : set.charts) {
    INFO(chart.name);
    CHECK(chart.title.ends_with(": blocked"));
    CHECK(chart.spec["title"]["text"] == chart.title);
  }
  for (const char* name : {"rate_vs_theory", "rate_vs_bits_per_key"}) {
    INFO(name);
    CHECK(to_text(chart_named(set, name).spec)
              .find(R"(["blocked, block_bits = 256","blocked, block_bits = 512"])") !=
          std::string::npos);
  }
  CHECK(chart_named(charts_of(large_run()), "rate_vs_theory").title.find(": ") ==
        std::string::npos);
}

TEST_CASE("charts: long titles of views wrap, with every word", "[report]") {
  HandMadeRun made = grid_run({0.5, 1}, {4, 8}, {3, 6});
  for (SummaryRow& row : made.rows) {
    row.params = R"({"block_bits":)" + std::to_string(row.num_inserted) +
                 R"(,"bits":"of_one_fetched_line"})";
    row.capacity.reset();
  }
  const ChartSet set =
      requested(made, {{.chart = "rate_vs_num_hashes", .x = {}, .facet = "params"}});
  REQUIRE(set.charts.size() == 1);
  const json& facet = set.charts[0].spec["facet"];
  const std::string expr = facet["header"]["labelExpr"];
  REQUIRE(expr.ends_with("[datum.label]"));
  const json lines_of = json::parse(expr.substr(0, expr.rfind('[')));
  for (const json& label : facet["sort"]) {
    std::string joined;
    const json& lines = lines_of.at(label.get<std::string>());
    for (const json& line : lines) {
      joined += (joined.empty() ? "" : " ") + line.get<std::string>();
      // If Vega cannot measure a letter, Vega assumes a width of 0.8 of the font size.
      CHECK(static_cast<double>(line.get<std::string>().size()) * 0.8 *
                facet["header"]["labelFontSize"].get<double>() <=
            facet["header"]["labelLimit"].get<double>());
    }
    CHECK(joined == label.get<std::string>());
  }
}

TEST_CASE("charts: the caller's names and facet replace the config's", "[report]") {
  HandMadeRun made = large_run();
  made.run.config.charts = {{.chart = "fill", .x = {}, .facet = {}},
                            {.chart = "rate_vs_theory", .x = "num_hashes", .facet = {}}};
  const auto chosen = [&](const ChartChoices& choices) {
    return make_charts(made.run.config, made.rows, made.verdict, choices);
  };
  const ChartSet two = chosen({.names = {"rate_vs_theory", "rate_vs_n"}, .facet = "variant"});
  REQUIRE(names_of(two) == std::vector<std::string>{"rate_vs_theory"});
  CHECK(two.charts[0].spec["facet"]["sort"] == json({"standard", "counting"}));
  CHECK(two.charts[0].spec["spec"]["encoding"]["x"]["title"] == axis("num_hashes").title);
  REQUIRE(two.omitted.size() == 1);
  CHECK(two.omitted[0].name == "rate_vs_n");
  CHECK_FALSE(
      chosen({.names = {"rate_vs_theory"}, .facet = "none"}).charts[0].spec.contains("facet"));
  CHECK(names_of(chosen({.names = {}, .facet = "none"})) ==
        std::vector<std::string>{"fill", "rate_vs_theory"});
}

TEST_CASE("charts: the fill is drawn against k if the config requests it", "[report]") {
  HandMadeRun made = large_run();
  made.run.config.charts = {{.chart = "fill", .x = "num_hashes", .facet = "none"}};
  const Chart by_k = chart_named(charts_of(made), "fill");
  CHECK(by_k.spec["encoding"]["x"]["title"] == axis("num_hashes").title);
  std::set<json> values;
  for (const auto& point : by_k.points) values.insert(point.fields.at("x"));
  CHECK(values.size() > 1);
  made.run.config.charts.front().x.clear();
  CHECK(chart_named(charts_of(made), "fill").spec["encoding"]["x"]["title"] !=
        axis("num_hashes").title);
}

TEST_CASE("charts: an export style removes the title and scales every text", "[report]") {
  const json spec = chart_named(charts_of(large_run()), "rate_vs_bits_per_key").spec;
  CHECK(styled(spec, {}) == spec);
  json bare = spec;
  bare.erase("title");
  CHECK(styled(spec, {.is_bare = true}) == bare);
  const json large = styled(spec, {.font_size = 16.5});  // 22 px, twice the default
  for (const char* part : {"axis", "legend", "header"}) {
    INFO(part);
    CHECK(large["config"][part]["labelFontSize"].get<double>() ==
          Approx(2 * spec["config"][part]["labelFontSize"].get<double>()));
  }
  CHECK(large["config"]["title"]["fontSize"].get<double>() == Approx(32));
  CHECK(large["layer"] == spec["layer"]);
}

namespace {

/// Returns a run of a growing filter with an initial capacity of 1,000 keys. The filter is measured
/// at n from 10 to 100,000.
HandMadeRun growing_run() {
  HandMadeRun made = one_series_run();
  made.rows.clear();
  for (const std::uint64_t n : {0, 10, 100, 1'000, 10'000, 100'000}) {
    SummaryRow row = make_row(std::max<std::uint64_t>(n, 10), 14, 5);
    row.num_inserted = n;
    row.variant = "scalable";
    row.capacity = 1'000;
    row.target_false_positive_rate = 0.02;
    row.num_hashes.reset();
    row.exact_false_positive_rate.reset();
    row.classic_false_positive_rate.reset();
    row.expected_fill_ratio.reset();
    row.expected_by = "fluid";
    made.rows.push_back(row);
  }
  return made;
}

}  // namespace

TEST_CASE("charts: a filter that grows is drawn against a logarithmic n, beside its target",
          "[report]") {
  const ChartSet set = charts_of(growing_run());
  const auto names = names_of(set);
  CHECK(std::find(names.begin(), names.end(), "rate_vs_bits_per_key") == names.end());
  const Chart rate = chart_named(set, "rate_vs_n_over_capacity");
  CHECK(rate.spec["encoding"]["x"]["scale"]["type"] == "log");
  CHECK(has_layer(rate, "target"));
  const json y = layer_of(rate, "target")["encoding"]["y"]["scale"]["domain"];
  CHECK(y[0].get<double>() < 0.02);
  CHECK(y[1].get<double>() > 0.02);
  CHECK(rate.points.size() == 5);
  CHECK(rate.caption.find("1 point at n = 0") != std::string::npos);
  const Chart fixed = chart_named(charts_of(one_series_run()), "rate_vs_n_over_capacity");
  CHECK_FALSE(has_layer(fixed, "target"));
  CHECK(fixed.spec["encoding"]["x"]["scale"]["domain"][0] == 0);
}

TEST_CASE("charts: n with even ratios stand on a logarithmic axis", "[report]") {
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

TEST_CASE("charts: lines of theory are straight between the points", "[report]") {
  for (const Chart& chart : charts_of(large_run()).charts) {
    INFO(chart.name);
    CHECK(to_text(chart.spec).find("monotone") == std::string::npos);
  }
  const Chart chart = chart_named(charts_of(one_series_run()), "rate_vs_n_over_capacity");
  CHECK(chart.caption.find("solid lines join exact theory at the measured points") !=
        std::string::npos);
}

TEST_CASE("charts: captions and legends name only what is drawn", "[report]") {
  const ChartSet set = charts_of(growing_run());
  const Chart rate = chart_named(set, "rate_vs_n_over_capacity");
  CHECK(rate.caption.find("dotted lines are the fluid approximation") != std::string::npos);
  for (const char* absent : {"solid", "dashed", "best k", "information bound"}) {
    INFO(absent);
    CHECK(rate.caption.find(absent) == std::string::npos);
  }
  CHECK(layer_of(rate, "approximation")["encoding"]["strokeDash"]["scale"]["domain"] ==
        json({"fluid approximation"}));
  const Chart filled = chart_named(set, "fill");
  CHECK_FALSE(has_layer(filled, "exact"));
  CHECK(filled.caption.find("theory") == std::string::npos);
  HandMadeRun large = grid_run({1}, {30, 35, 40}, {3});
  const Chart far = chart_named(charts_of(large), "rate_vs_bits_per_key");
  CHECK_FALSE(has_layer(far, "bound"));
  CHECK(far.caption.find("information bound") == std::string::npos);
}

TEST_CASE("charts: a picture says which k its filters have", "[report]") {
  const auto series_of = [](const Chart& chart) {
    return chart.spec["encoding"]["color"]["scale"]["domain"];
  };
  const auto chart_of = [](const HandMadeRun& made) {
    return chart_named(charts_of(made), "rate_vs_n_over_capacity");
  };
  HandMadeRun made = grid_run({0.5, 1, 2}, {8, 12}, {5});
  const Chart one = chart_of(made);
  CHECK(one.caption.find(" All have k = 5 hashes.") != std::string::npos);
  CHECK(series_of(one)[0] == "8 bits per key, standard");
  for (SummaryRow& row : made.rows) row.num_hashes = row.num_bits == 800'000 ? 5 : 8;
  const Chart labelled = chart_of(made);
  CHECK(series_of(labelled)[0] == "8 bits per key, standard, k = 5");
  CHECK(series_of(labelled)[2] == "12 bits per key, standard, k = 8");
  const Chart along =
      chart_named(charts_of(grid_run({1}, {4, 8, 12}, {3, 5, 8})), "rate_vs_bits_per_key");
  CHECK(along.caption.find(" Tooltips and summary.csv have each mark's k.") != std::string::npos);
}

TEST_CASE("charts: captions say how k was chosen only where it was", "[report]") {
  const auto caption = [](const HandMadeRun& made) {
    return chart_named(charts_of(made), "rate_vs_bits_per_key").caption;
  };
  const std::string sentence = " Each size uses the tried k with the lowest expected rate, at ";
  HandMadeRun chosen = grid_run({1}, {4, 8, 12}, {4, 5, 6});
  CHECK(caption(chosen).find(sentence + "capacity.") != std::string::npos);
  for (SummaryRow& row : chosen.rows) {
    row.bits_per_key = bits_per_key(row);
    row.capacity.reset();
  }
  CHECK(caption(chosen).find(sentence + "the largest n.") != std::string::npos);
  CHECK(caption(grid_run({1}, {4, 8, 12}, {4})).find("Each size uses the tried k") ==
        std::string::npos);
}

TEST_CASE("charts: a point by point chart calls an upper bound what it is", "[report]") {
  HandMadeRun made = one_series_run();
  for (SummaryRow& row : made.rows) {
    row.exact_false_positive_rate.reset();
    row.expected_by = "upper_bound";
  }
  const Chart chart = chart_named(charts_of(made), "rate_by_point");
  CHECK(chart.caption.find("Where theory gives only an upper bound") != std::string::npos);
  const std::string kinds =
      to_text(layer_of(chart, "bound")["encoding"]["color"]["scale"]["domain"]);
  CHECK(kinds.find("\"upper bound of theory\"") != std::string::npos);
  CHECK(kinds.find("\"approximation\"") == std::string::npos);
  CHECK(chart.points.front().fields["approximation"] == "upper bound of theory");
}

TEST_CASE("charts: no classic formula of plain counters stands beside variable_increment",
          "[report]") {
  HandMadeRun made = grid_run({1}, {4, 8, 12}, {4});
  CHECK(has_layer(chart_named(charts_of(made), "rate_vs_bits_per_key"), "classic"));
  for (SummaryRow& row : made.rows) row.variant = "variable_increment";
  CHECK_FALSE(has_layer(chart_named(charts_of(made), "rate_vs_bits_per_key"), "classic"));
  made.rows.front().variant = "standard";
  const Chart chart = chart_named(
      requested(made, {{.chart = "rate_by_point", .x = {}, .facet = {}}}), "rate_by_point");
  CHECK(layer_of(chart, "classic")["transform"][0]["filter"].get<std::string>().find(
            "datum.variant != 'variable_increment'") != std::string::npos);
}

TEST_CASE("charts: captions group the digits of large numbers", "[report]") {
  HandMadeRun made = large_run();
  const std::vector<SummaryRow> once = made.rows;
  while (made.rows.size() < 20'000) made.rows.insert(made.rows.end(), once.begin(), once.end());
  const Chart chart = chart_named(charts_of(made), "rate_vs_theory");
  CHECK(chart.caption.find("Drawn: 3,000 of 1") != std::string::npos);
  double least_drawn = 1;
  for (const PlottedPoint& point : chart.points) {
    least_drawn = std::min(least_drawn, made.rows[*point.row].expected_false_positive_rate);
  }
  for (const SummaryRow& row : once) {
    if (row.num_false_positives > 0) CHECK(row.expected_false_positive_rate >= least_drawn);
  }
}

TEST_CASE("charts: memory_vs_n shows bits and bits per key of filters that grow", "[report]") {
  HandMadeRun made = growing_run();
  const Chart chart = chart_named(charts_of(made), "memory_vs_n");
  REQUIRE(chart.points.size() == 2 * 5);  // bits per key are not defined at n = 0
  for (const PlottedPoint& point : chart.points) {
    const SummaryRow& row = made.rows[*point.row];
    const bool is_per_key = point.fields["facet"] == "bits per key";
    const auto bits = static_cast<double>(row.num_bits);
    CHECK(point.fields["memory"] ==
          (is_per_key ? bits / static_cast<double>(row.num_inserted) : bits));
  }
  CHECK(chart.spec["resolve"]["scale"]["y"] == "independent");
  const auto names = names_of(charts_of(large_run()));
  CHECK(std::find(names.begin(), names.end(), "memory_vs_n") == names.end());
}

namespace {

/// Returns a run of growing filters with three target rates and two insert policies. The values of
/// n alone do not determine whether the axis is logarithmic.
HandMadeRun targets_run() {
  const HandMadeRun once = growing_run();
  HandMadeRun made = once;
  made.rows.clear();
  for (const double target : {0.1, 0.02, 0.004}) {
    for (const char* policy : {"blind", "check_first"}) {
      for (const std::uint64_t n : {1'000, 2'000, 3'000, 4'000, 5'000}) {
        made.rows.push_back(once.rows.back());
        made.rows.back().num_inserted = n;
        made.rows.back().target_false_positive_rate = target;
        made.rows.back().params = R"({"insert_policy":")" + std::string(policy) + R"("})";
      }
    }
  }
  return made;
}

}  // namespace

TEST_CASE("charts: targets of one variant differ by hue, policies by lightness", "[report]") {
  HandMadeRun made = targets_run();
  made.rows.push_back(make_row(100'000, 8, 5));  // another variant in the run
  const Chart chart = chart_named(charts_of(made), "memory_vs_n");
  const json colours = chart.spec["spec"]["encoding"]["color"]["scale"]["range"];
  REQUIRE(colours.size() == 6);
  const std::vector<std::string> hues = ordered_colours(3);
  for (std::size_t target = 0; target < 3; ++target) {
    const std::string& hue = hues[target];
    CHECK(colours[2 * target] == hue);
    CHECK(colours[2 * target + 1] == lightened(hue, 0.6));
  }
}

TEST_CASE("charts: a line of a target has the colour of its series", "[report]") {
  HandMadeRun made = targets_run();
  const Chart chart = chart_named(
      requested(made, {{.chart = "rate_vs_n_over_capacity", .x = {}, .facet = "params"}}),
      "rate_vs_n_over_capacity");
  std::set<std::string> seen;
  for (const PlottedPoint& point : chart.points) {
    const double target = *made.rows[*point.row].target_false_positive_rate;
    const std::size_t number = target == 0.1 ? 0 : target == 0.02 ? 1 : 2;
    CHECK(point.fields["target_colour"] == series_colours()[number]);
    seen.insert(point.fields["target_colour"]);
  }
  CHECK(seen.size() == 3);
  for (const char* layer : {"target", "target_text"}) {
    CHECK(layer_of(chart, layer)["encoding"]["color"]["value"]["expr"] == "datum.target_colour");
  }
  const Chart one = chart_named(charts_of(growing_run()), "rate_vs_n_over_capacity");
  CHECK(one.points.front().fields["target_colour"] == "#666");  // a single line is grey
}

TEST_CASE("charts: panels of parameters say of which variant", "[report]") {
  HandMadeRun made = targets_run();
  for (const double target : {0.2, 0.3}) {  // 10 series are too many for one panel
    for (const SummaryRow& row : targets_run().rows) {
      if (row.target_false_positive_rate != 0.1) continue;
      made.rows.push_back(row);
      made.rows.back().target_false_positive_rate = target;
    }
  }
  const Chart chart = chart_named(charts_of(made), "rate_vs_n_over_capacity");
  CHECK(chart.spec["facet"]["sort"] == json({"scalable, blind", "scalable, check_first"}));
}

TEST_CASE("charts: memory_vs_n is logarithmic in n, as its caption says", "[report]") {
  const Chart chart = chart_named(charts_of(targets_run()), "memory_vs_n");
  CHECK(chart.spec["spec"]["encoding"]["x"]["scale"]["type"] == "log");
}

TEST_CASE("charts: the axis of a rate holds the lowest interval whole", "[report]") {
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

TEST_CASE("charts: a caption breaks between no number and its %", "[report]") {
  std::string caption = "x";
  for (int i = 0; i < 100; ++i) caption += " 95 %";
  const json spec = base_spec("title", caption);
  std::size_t num_whole = 0;
  for (const json& line : spec["title"]["subtitle"]) {
    const auto text = line.get<std::string>();
    CHECK_FALSE(text.starts_with("%"));
    for (std::size_t at = 0; (at = text.find("95\u00a0%", at)) != std::string::npos; ++at) {
      ++num_whole;
    }
  }
  CHECK(num_whole == 100);
}

TEST_CASE("charts: axes and legends are words", "[report]") {
  HandMadeRun made = growing_run();
  for (SummaryRow& row : made.rows) row.expected_by = "upper_bound";
  const Chart rate = chart_named(charts_of(made), "rate_vs_n_over_capacity");
  CHECK(layer_of(rate, "approximation")["encoding"]["strokeDash"]["scale"]["domain"] ==
        json({"upper bound"}));
  CHECK(axis("num_hashes").title == "hash functions k");
}

TEST_CASE("charts: a legend lists parameters by number", "[report]") {
  HandMadeRun made = grid_run({0.5, 1, 2}, {8}, {5});
  std::vector<SummaryRow> rows;
  for (const char* bits : {"1024", "256", "512"}) {
    for (SummaryRow row : made.rows) {
      if (row.variant != "standard") continue;
      row.variant = "blocked";
      row.params = R"({"block_bits":)" + std::string(bits) + "}";
      rows.push_back(row);
    }
  }
  made.rows = rows;
  const Chart chart = chart_named(charts_of(made), "rate_vs_n_over_capacity");
  CHECK(layer_of(chart, "measured")["encoding"]["shape"]["scale"]["domain"] ==
        json({"blocked, block_bits = 256", "blocked, block_bits = 512",
              "blocked, block_bits = 1024"}));
}

TEST_CASE("charts: the text of a target stands where no line or mark is", "[report]") {
  HandMadeRun made = growing_run();
  const auto target_x = [&] {
    const Chart chart = chart_named(
        requested(made, {{.chart = "rate_vs_n_over_capacity", .x = {}, .facet = "keys"}}),
        "rate_vs_n_over_capacity");
    CHECK(has_layer(chart, "target_background"));
    json found;
    for (const PlottedPoint& point : chart.points) {
      const bool is_growing = made.rows[*point.row].variant == "scalable";
      CHECK(point.fields.contains("target_x") == is_growing);
      if (is_growing) found = point.fields["target_x"];
    }
    return found.get<double>();
  };
  CHECK(target_x() < 0.01);  // the left end of an axis from 0.01 to 100 times the capacity
  for (const double load : {0.01, 0.1, 0.2}) {
    SummaryRow row = make_row(1'000, 14, 5);
    row.num_inserted = static_cast<std::uint64_t>(std::llround(load * 1'000));
    row.capacity = 1'000;
    row.expected_false_positive_rate = 0.023;  // just above the target
    row.exact_false_positive_rate = 0.023;
    row.observed_false_positive_rate = 0.023;
    row.classic_false_positive_rate.reset();
    row.num_false_positives = 23'000;
    row.interval_lower = 0.0227;
    row.interval_upper = 0.0233;
    made.rows.push_back(row);
  }
  CHECK(target_x() > 0.2);
}
