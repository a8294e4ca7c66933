#include <algorithm>
#include <string>
#include <vector>

#include "experiments/chart/chart_style.hpp"
#include "experiments/chart/export_style.hpp"
#include "experiments/report/chart_axis.hpp"
#include "experiments/report/charts.hpp"
#include "tests/experiments/report/charts_of_runs.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/runs/made_up_runs.hpp"

using namespace bloometry;
using namespace bloometry::chart;
using namespace bloometry::report;
using namespace bloometry::test;
using nlohmann::json;

TEST_CASE("charts: a single variant is named in titles and before its parameters", "[report]") {
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
  CHECK(to_text(chart_named(set, "rate_vs_bits_per_key").spec)
            .find(R"(["blocked, block_bits = 256","blocked, block_bits = 512"])") !=
        std::string::npos);
  CHECK(to_text(chart_named(set, "rate_vs_theory").spec)
            .find(R"(["4 bits per key, blocked, block_bits = 256",)"
                  R"("4 bits per key, blocked, block_bits = 512",)") != std::string::npos);
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

TEST_CASE("charts: labels of rows and of named x values are never cut", "[report]") {
  HandMadeRun made = grid_run({0.5, 1}, {4, 8}, {3, 6});
  for (SummaryRow& row : made.rows) {
    row.params = R"({"block_bits":)" + std::to_string(row.num_inserted) +
                 R"(,"words":"a_word_of_the_parameters_that_is_longer_than_any_line_of_the_axis"})";
  }
  const auto check = [](const json& channel) {
    CHECK(channel["axis"]["labelLimit"] == 0);
    const std::string expr = channel["axis"]["labelExpr"];
    const json lines_of = json::parse(expr.substr(0, expr.rfind('[')));
    CHECK(lines_of.size() == channel["sort"].size());
    for (const json& label : channel["sort"]) {
      std::string joined;
      for (const json& line : lines_of.at(label.get<std::string>())) {
        joined += (joined.empty() ? "" : " ") + line.get<std::string>();
      }
      CHECK(joined == label.get<std::string>());
    }
  };
  const ChartSet set = requested(made, {{.chart = "rate_by_point", .x = {}, .facet = {}},
                                        {.chart = "rate_vs_theory", .x = "params", .facet = {}}});
  REQUIRE(set.charts.size() == 2);
  check(set.charts[0].spec["encoding"]["y"]);
  check(set.charts[1].spec["encoding"]["x"]);
}

TEST_CASE("charts: captions name the variants without the classic formula", "[report]") {
  HandMadeRun made = grid_run({0.5, 1, 2}, {8}, {5});
  const std::string agree = "where the solid line of a series covers its dashed line they agree";
  const std::string none = "; no classic formula for variable_increment; ";
  const auto caption_of = [&] {
    return chart_named(charts_of(made), "rate_vs_n_over_capacity").caption;
  };
  CHECK(caption_of().find(agree) != std::string::npos);
  CHECK(caption_of().find("no classic formula") == std::string::npos);
  for (SummaryRow& row : made.rows) {
    if (row.variant == "counting") row.variant = "variable_increment";
  }
  CHECK(caption_of().find(none + agree) != std::string::npos);
  std::erase_if(made.rows, [](const SummaryRow& row) { return row.variant == "standard"; });
  CHECK(caption_of().find("classic") == std::string::npos);
  CHECK(caption_of().find("agree") == std::string::npos);
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

TEST_CASE("charts: captions and legends name only what is drawn", "[report]") {
  const ChartSet set = charts_of(growing_run());
  const Chart rate = chart_named(set, "rate_vs_n_over_capacity");
  CHECK(rate.caption.find("dotted lines join the fluid approximation") != std::string::npos);
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

TEST_CASE("charts: the fill of filters that grow is joined by pale lines", "[report]") {
  const std::string pale = "; pale lines join the marks of filters that grow";
  const Chart growing = chart_named(charts_of(growing_run()), "fill");
  CHECK(growing.caption.find("Marks are measured fill ratios" + pale + ".") != std::string::npos);
  HandMadeRun made = grid_run({0.5, 1, 2}, {8}, {5});
  CHECK(chart_named(charts_of(made), "fill").caption.find("pale") == std::string::npos);
  for (const std::uint64_t n : {50'000, 100'000, 200'000}) {
    made.rows.push_back(growing_run().rows.back());
    made.rows.back().num_inserted = n;
  }
  const Chart both = chart_named(charts_of(made), "fill");
  CHECK(both.caption.find("solid lines join exact theory at the measured points" + pale) !=
        std::string::npos);
}

TEST_CASE("charts: captions state every value that all points share", "[report]") {
  const auto check = [](const ChartSet& set, const std::string& sentence) {
    CHECK(set.charts.size() > 1);
    for (const Chart& chart : set.charts) {
      if (chart.name == "p_value_qq") continue;  // its points are trials
      INFO(chart.name << ": " << chart.caption);
      CHECK(chart.caption.find(sentence) != std::string::npos);
    }
  };
  check(charts_of(fixed_size_run({1, 2'000, 5'000}, {1})),
        " All points: m = 800,000 bits, k = 1, remix probes, xxh3 hash, random keys.");
  check(charts_of(grid_run({1}, {4, 8, 12}, {4})),
        " All points: n = 100,000 keys, capacity 100,000, k = 4, remix probes, xxh3 hash, random "
        "keys.");
  HandMadeRun mixed = grid_run({0.5, 1, 2}, {8}, {4});
  for (SummaryRow& row : mixed.rows) {
    if (row.variant == "counting") row.params = R"({"counter_bits": 4})";
    if (row.variant == "counting") row.probes = "lanes";
  }
  check(charts_of(mixed),
        " All points of counting: counter_bits = 4, lanes probes; standard: remix "
        "probes.");
  HandMadeRun counting = grid_run({0.5, 1, 2}, {8}, {4});
  std::erase_if(counting.rows, [](const SummaryRow& row) { return row.variant == "standard"; });
  for (SummaryRow& row : counting.rows) row.params = R"({"counter_bits":4})";
  const ChartSet one = charts_of(counting);
  check(one, " All points: counter_bits = 4, 8 bits per key, capacity 100,000, k = 4, ");
  for (const Chart& chart : one.charts) CHECK(chart.title.ends_with(": counting"));
}

TEST_CASE("charts: captions of filters that grow state the initial capacity once", "[report]") {
  HandMadeRun made = growing_run();
  for (SummaryRow& row : made.rows) row.params = R"({"initial_capacity":1000,"stages":"lanes"})";
  const std::string caption = chart_named(charts_of(made), "memory_vs_n").caption;
  INFO(caption);
  CHECK(caption.find(" All points: stages = lanes, target 0.02, k chosen by the filter, ") !=
        std::string::npos);
  CHECK(caption.find("initial_capacity") == std::string::npos);
}

TEST_CASE("charts: labels of an x axis do not touch", "[report]") {
  const HandMadeRun made = fixed_size_run({1, 2'000, 5'000, 20'000, 80'000}, {1});
  const json& spec = chart_named(charts_of(made), "rate_vs_n").spec;
  CHECK(spec["config"]["axisX"]["labelSeparation"].get<double>() >= 5);
  CHECK(spec["encoding"]["x"]["axis"]["labelOverlap"] == "greedy");
  CHECK(spec["encoding"]["x"]["axis"]["labelFlush"] == false);  // labels are below their ticks
}

TEST_CASE("charts: captions and legends state the k of the filters", "[report]") {
  const auto series_of = [](const Chart& chart) {
    return chart.spec["encoding"]["color"]["scale"]["domain"];
  };
  const auto chart_of = [](const HandMadeRun& made) {
    return chart_named(charts_of(made), "rate_vs_n_over_capacity");
  };
  HandMadeRun made = grid_run({0.5, 1, 2}, {8, 12}, {5});
  const Chart one = chart_of(made);
  CHECK(one.caption.find(", k = 5, ") != std::string::npos);
  CHECK(series_of(one)[0] == "8 bits per key, standard");
  for (SummaryRow& row : made.rows) row.num_hashes = row.num_bits == 800'000 ? 5 : 8;
  const Chart labelled = chart_of(made);
  CHECK(series_of(labelled)[0] == "8 bits per key, standard, k = 5");
  CHECK(series_of(labelled)[2] == "12 bits per key, standard, k = 8");
  const Chart along =
      chart_named(charts_of(grid_run({1}, {4, 8, 12}, {3, 5, 8})), "rate_vs_bits_per_key");
  CHECK(along.caption.find(
            " The k of “counting” and “standard”: 3 at 4, 5 at 8, 8 at 12 (x axis).") !=
        std::string::npos);
}

TEST_CASE("charts: the caption does not repeat the k that the legend lists from left to right",
          "[report]") {
  const auto grid = [](const std::vector<std::uint64_t>& hashes) {
    HandMadeRun made = grid_run({1}, {4, 8, 12}, {3, 5, 8});
    std::erase_if(made.rows, [](const SummaryRow& row) { return row.variant != "standard"; });
    std::size_t i = 0;
    for (SummaryRow row : std::vector<SummaryRow>(made.rows)) {
      row.variant = "counting";
      row.num_hashes = hashes[i++ % hashes.size()];
      made.rows.push_back(row);
    }
    return chart_named(charts_of(made), "rate_vs_bits_per_key");
  };
  const std::string left_to_right =
      " The legend lists the k of the marks of each series from left to right.";
  const Chart in_order = grid({4, 6, 9});
  INFO(in_order.caption);
  CHECK(in_order.spec["encoding"]["color"]["scale"]["domain"] ==
        json({"standard, k = 3, 5, 8", "counting, k = 4, 6, 9"}));
  CHECK(says(in_order, left_to_right));
  CHECK_FALSE(says(in_order, " The k of"));
  for (const std::vector<std::uint64_t>& hashes :
       {std::vector<std::uint64_t>{9, 6, 4}, {4, 6, 6}}) {
    const Chart other = grid(hashes);
    INFO(other.caption);
    CHECK(says(other, " The k of “counting”: "));
    CHECK_FALSE(says(other, left_to_right));
  }
  CHECK(says(grid({4}), left_to_right));  // one k needs no place
}

TEST_CASE("charts: the caption of a single series states its k without an empty name", "[report]") {
  HandMadeRun made = grid_run({1}, {4, 8, 12}, {3, 5, 8});
  std::erase_if(made.rows, [](const SummaryRow& row) { return row.variant != "standard"; });
  CHECK(says(chart_named(charts_of(made), "rate_vs_bits_per_key"),
             " The k of the marks: 3 at 4, 5 at 8, 8 at 12 (x axis)."));
}

TEST_CASE("charts: captions state how k was chosen only if it was chosen", "[report]") {
  const auto caption = [](const HandMadeRun& made) {
    return chart_named(charts_of(made), "rate_vs_bits_per_key").caption;
  };
  const std::string sentence =
      " Each size has one k: of those tried, the k with the lowest expected rate at ";
  HandMadeRun chosen = grid_run({1}, {4, 8, 12}, {4, 5, 6});
  CHECK(caption(chosen).find(sentence + "capacity.") != std::string::npos);
  for (SummaryRow& row : chosen.rows) {
    row.requested_bits_per_key = bits_per_key(row);
    row.capacity.reset();
  }
  CHECK(caption(chosen).find(sentence + "the largest n.") != std::string::npos);
  CHECK(caption(grid_run({1}, {4, 8, 12}, {4})).find("Each size has one k") == std::string::npos);
}

TEST_CASE("charts: upper bounds in a chart by point are labelled as upper bounds", "[report]") {
  HandMadeRun made = one_series_run();
  for (SummaryRow& row : made.rows) {
    row.exact_false_positive_rate.reset();
    row.expected_by = "upper_bound";
  }
  const Chart chart = chart_named(charts_of(made), "rate_by_point");
  CHECK(chart.caption.find("For some points of standard, theory gives only an upper bound") !=
        std::string::npos);
  const std::string kinds =
      to_text(layer_of(chart, "approximation")["encoding"]["color"]["scale"]["domain"]);
  CHECK(kinds.find("\"upper bound\"") != std::string::npos);
  CHECK(kinds.find("\"exact theory\"") == std::string::npos);
  CHECK(chart.points.front().fields["approximation"] == "upper bound");
}

TEST_CASE("charts: the classic formula of plain counters is not drawn for variable_increment",
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
  CHECK(chart.caption.find("Drawn: 3,000 of 20,160 points.") != std::string::npos);
  double least_drawn = 1;
  for (const PlottedPoint& point : chart.points) {
    least_drawn = std::min(least_drawn, made.rows[*point.row].expected_false_positive_rate);
  }
  for (const SummaryRow& row : once) {
    if (row.num_false_positives > 0) CHECK(row.expected_false_positive_rate >= least_drawn);
  }
}

TEST_CASE("charts: a caption does not break between a number and its %", "[report]") {
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

TEST_CASE("charts: axes and legends are in words", "[report]") {
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

TEST_CASE("charts: captions name parameters that a variant shares, although others differ",
          "[report]") {
  HandMadeRun made = grid_run({0.5, 1, 2}, {8}, {5});
  for (SummaryRow& row : made.rows) {
    if (row.variant != "counting") continue;
    row.params = row.num_inserted == 100'000 ? R"({"counter_bits":4,"saturation":"sticky"})"
                                             : R"({"counter_bits":3,"saturation":"sticky"})";
  }
  const Chart chart = chart_named(
      requested(made, {{.chart = "rate_vs_theory", .x = {}, .facet = {}}}), "rate_vs_theory");
  INFO(chart.caption);
  CHECK(says(chart, " All points of counting: saturation = sticky."));
}

TEST_CASE("charts: the legend of rate_vs_theory has k if each series has one", "[report]") {
  HandMadeRun made = grid_run({0.5, 1, 2}, {6, 8, 10}, {5});
  for (SummaryRow& row : made.rows) row.num_hashes = row.num_bits / 150'000;
  const std::vector<SummaryRow> rows = made.rows;
  for (SummaryRow row : rows) {
    row.hash = "xxh64";
    made.rows.push_back(row);  // with the hash, there would be 12 series
  }
  const Chart chart = chart_named(
      requested(made, {{.chart = "rate_vs_theory", .x = {}, .facet = {}}}), "rate_vs_theory");
  INFO(chart.caption);
  CHECK(says(chart, " Marks of one colour differ in: keys inserted n, hash."));
  const json series = layer_of(chart, "measured")["encoding"]["color"]["scale"]["domain"];
  CHECK(series[0].get<std::string>().ends_with("k = 4"));
}

TEST_CASE("charts: the width of fingerprints that follows from the size is not a parameter",
          "[report]") {
  HandMadeRun made = grid_run({1}, {8, 12, 16}, {2});
  for (SummaryRow& row : made.rows) {
    row.variant = row.variant == "standard" ? "cuckoo" : "counting";
    if (row.variant == "counting") continue;
    row.params =
        R"({"bucket_cells":4,"fingerprint_bits":)" + std::to_string(row.num_bits / 110'000) + "}";
  }
  const auto series_of = [&] {
    const Chart chart = chart_named(charts_of(made), "rate_vs_bits_per_key");
    return chart.spec["encoding"]["color"]["scale"]["domain"].size();
  };
  CHECK(series_of() == 2);
  SummaryRow wider = made.rows.front();  // of the same size
  wider.params = R"({"bucket_cells":4,"fingerprint_bits":9})";
  made.rows.push_back(wider);
  const Chart chart = chart_named(charts_of(made), "rate_vs_bits_per_key");
  CHECK(chart.spec.dump().find("fingerprint_bits = 9") != std::string::npos);
}
