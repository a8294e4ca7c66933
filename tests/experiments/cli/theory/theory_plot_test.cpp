#include <algorithm>
#include <cmath>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "core/text.hpp"
#include "experiments/cli/theory/theory_options.hpp"
#include "tests/experiments/cli/theory/theory_charts.hpp"
#include "tests/experiments/cli/theory/theory_output.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/csv_lines.hpp"
#include "tests/support/temp_folder.hpp"

using namespace bloometry;
using namespace bloometry::test;
using nlohmann::json;

TEST_CASE("theory chart: the names of filters that differ in memory contain it", "[cli][theory]") {
  PointOptions options = point("standard,counting,blocked", 0);
  options.request.bits_per_key.reset();
  options.request.num_cells = 100'352;
  options.request.num_hashes = 7;
  for (const char* against : {"num_keys", "num_hashes"}) {
    const json chart = chart_of(options, against);
    CHECK(domain_of(chart, "color") ==
          json({"standard, 12.25 KiB", "counting, 49 KiB", "blocked, 12.25 KiB"}));
    CHECK(caption_of(chart).find(" The filters differ in memory. ") != std::string::npos);
  }
  CHECK(domain_of(chart_of(options, "bits_per_key"), "color") ==
        json({"standard", "counting", "blocked"}));
  options.request.num_cells.reset();
  options.request.num_bits = 100'352;  // equal memory
  const json equal = chart_of(options, "num_keys");
  CHECK(domain_of(equal, "color") == json({"standard", "counting", "blocked"}));
  CHECK(caption_of(equal).find("differ in memory") == std::string::npos);
  CHECK(caption_of(equal).find("m = 25,088 counters of 4 bits") != std::string::npos);
}

TEST_CASE("theory chart: exact theory of a table ends at its number of cells", "[cli][theory]") {
  const std::string variant = GENERATE(as<std::string>{}, "cuckoo", "d_left", "standard,cuckoo");
  PointOptions options;
  options.variant = variant;
  options.request.num_keys = 1000;
  options.request.rate = 0.01;
  const json chart = chart_of(options, "num_keys");
  options.variant = variant == "d_left" ? "d_left" : "cuckoo";
  const double num_cells = theory_json(options).at("num_cells");
  std::size_t num_bounds = 0;
  for (const json& value : chart.at("data").at("values")) {
    if (value.at("series").get<std::string>().starts_with("standard")) continue;
    const bool has_room = value.at("x").get<double>() <= num_cells;
    CHECK((value.at("line") == "upper bound") == !has_room);
    num_bounds += has_room ? 0 : 1;
  }
  CHECK(num_bounds > 10);
  CHECK(caption_of(chart).ends_with(
      "The upper bound is the rate of full cells, where a table has fewer cells than keys. "));
}

TEST_CASE("theory chart: a logarithmic axis of n has labels at powers of ten", "[cli][theory]") {
  PointOptions options;
  options.variant = "standard,scalable";
  options.request.num_keys = 100'000;
  options.request.rate = 0.01;
  const json axis = layer_of(chart_of(options, "num_keys"), "lines")["encoding"]["x"]["axis"];
  for (const int power : {1'000, 10'000, 100'000}) {
    CHECK(std::find(axis["values"].begin(), axis["values"].end(), power) != axis["values"].end());
  }
  CHECK(axis.contains("labelExpr"));
}

TEST_CASE("theory chart: a table has the points of the chart", "[cli][theory]") {
  const TempFolder folder;
  const std::filesystem::path file = folder.path() / "curve.csv";
  REQUIRE(theory_chart_command(point("standard,blocked", 10), {.file = file}) == kDone);
  const std::string csv = read_file(file);
  const json chart = chart_of(point("standard,blocked", 10), "num_keys");
  const auto num_lines = static_cast<std::size_t>(std::count(csv.begin(), csv.end(), '\n'));
  CHECK(num_lines == 1 + chart.at("data").at("values").size() + 2);  // header, requested points
  CHECK(csv.starts_with("chart,facet,series,mark,x,y,"));
  PointOptions blocked = point("blocked", 10);
  CHECK(csv.find("\ncurve,,\"blocked, k = ") != std::string::npos);
  CHECK(csv.find("\ncurve,,\"standard, k = 7\",requested,10000,") != std::string::npos);
  CHECK(csv.find("," + shortest_text(exact_rate(blocked)) + ",exact theory,") != std::string::npos);
}

TEST_CASE("theory chart: each line of a table has the values of its filter", "[cli][theory]") {
  const TempFolder folder;
  const std::filesystem::path file = folder.path() / "curve.csv";
  const auto rows_of = [&](const PointOptions& options, const std::string& against) {
    REQUIRE(theory_chart_command(options, {.file = file, .against = against}) == kDone);
    return csv_lines(read_file(file));
  };
  PointOptions options = point("standard,counting,blocked", 12);
  const std::vector<CsvLine> by_keys = rows_of(options, "num_keys");
  REQUIRE(by_keys.size() > 180);
  for (const auto& row : by_keys) {
    CHECK(row.at("series").starts_with(row.at("variant")));
    CHECK(row.at("num_inserted") == row.at("x"));
    CHECK(row.at("num_bits").starts_with("120"));
    CHECK(std::stod(row.at("num_bits")) / std::stod(row.at("x")) ==
          Approx(std::stod(row.at("bits_per_key"))));
    CHECK(row.at("series").ends_with("k = " + row.at("num_hashes")));
    CHECK(row.at("params").starts_with(row.at("variant") == "counting" ? "{\"counter_bits\":4"
                                                                       : "{"));
  }
  for (const auto& row : rows_of(options, "bits_per_key")) {
    if (row.at("mark") == "bound") continue;
    CHECK(row.at("bits_per_key") == row.at("x"));
    CHECK(row.at("num_inserted") == "10000");
    CHECK_FALSE(row.at("num_hashes").empty());
  }
  options.variant = "standard,blocked";
  for (const auto& row : rows_of(options, "num_hashes")) CHECK(row.at("num_hashes") == row.at("x"));
  options = point("standard,scalable", 0);
  options.request.bits_per_key.reset();
  options.request.rate = 0.01;
  for (const auto& row : rows_of(options, "num_keys")) {
    if (row.at("variant") != "scalable") continue;
    CHECK(row.at("num_hashes").empty());
    CHECK(row.at("initial_capacity") == "10000");
    CHECK(row.at("target_false_positive_rate") == "0.01");
    CHECK(std::stod(row.at("num_bits")) > 0);
  }
}

TEST_CASE("theory chart: tables of one and of several variants have the same bound",
          "[cli][theory]") {
  const TempFolder folder;
  const std::filesystem::path file = folder.path() / "curve.csv";
  for (const char* variants : {"standard", "standard,blocked"}) {
    REQUIRE(theory_chart_command(point(variants, 12), {.file = file, .against = "bits_per_key"}) ==
            kDone);
    std::vector<std::string> x;
    for (const auto& row : csv_lines(read_file(file))) {
      if (row.at("mark") != "bound") continue;
      x.push_back(row.at("x"));
      CHECK(std::stod(row.at("y")) == Approx(std::exp2(-std::stod(row.at("x")))));
    }
    CHECK(x.size() == 2);
  }
}

TEST_CASE("theory chart: a bound below the chart is neither drawn nor named", "[cli][theory]") {
  const json chart = chart_of(point("blocked,counting", 80), "bits_per_key");
  CHECK(domain_of(chart, "strokeDash") == json({"exact theory"}));
  CHECK(caption_of(chart).find("bound") == std::string::npos);
  for (const json& layer : chart.at("layer")) CHECK(layer.at("name") != "bound");
}
