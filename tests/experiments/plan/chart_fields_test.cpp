#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "experiments/plan/config.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/temp_folder.hpp"

namespace bloometry {
namespace {

using Json = nlohmann::json;
using Lines = std::vector<std::string>;

Config load_with(const Json& chart) {
  const test::TempFolder folder;
  const Json json = {
      {"name", "a"},
      {"grids",
       {{{"variant", "standard"}, {"num_keys", 1000}, {"num_bits", 8192}, {"num_hashes", 3}}}},
      {"report", Json::array({chart})}};
  test::write_text(folder / "config.json", json.dump());
  return load_config(folder / "config.json");
}

Lines problems_of_chart(const Json& chart) {
  Lines lines;
  try {
    static_cast<void>(load_with(chart));
  } catch (const ConfigFileError& error) {
    for (const Problem& problem : error.problems()) lines.push_back(problem.line());
  }
  return lines;
}

}  // namespace

TEST_CASE("config: fixed values of charts have the type of their axis", "[plan][config]") {
  const Json fix = {{"num_hashes", "7"},
                    {"num_keys", "1M"},
                    {"target_false_positive_rate", "0.1 %"},
                    {"variant", "standard"},
                    {"size", "8 bits per key"}};
  const Json written = to_json(load_with({{"chart", "rate_by_point"}, {"fix", fix}}));
  CHECK(written["report"][0]["fix"] == Json({{"num_hashes", 7},
                                             {"num_keys", 1'000'000},
                                             {"target_false_positive_rate", 0.001},
                                             {"variant", "standard"},
                                             {"size", "8 bits per key"}}));
  CHECK(to_json(config_from_json(written)) == written);
}

TEST_CASE("config: fixed values of another type or name are refused", "[plan][config]") {
  const auto problem_of = [](const Json& fix) {
    const Lines problems = problems_of_chart({{"chart", "fill"}, {"fix", fix}});
    REQUIRE(problems.size() == 1);
    return problems[0];
  };
  CHECK(problem_of({{"num_hashes", "many"}}) ==
        R"(/report/0/fix/num_hashes: must be a number, got "many")");
  CHECK(problem_of({{"num_hashes", {1, 2}}}) ==
        "/report/0/fix/num_hashes: must be a number, got [1,2]");
  CHECK(problem_of({{"num_hashes", nullptr}}) ==
        "/report/0/fix/num_hashes: must be a number, got null");
  CHECK(problem_of({{"keys", 7}}) == "/report/0/fix/keys: must be a string, got 7");
  CHECK(problem_of({{"variant", "morton"}})
            .starts_with("/report/0/fix/variant: must be one of standard, "));
  CHECK(problem_of({{"hash", "sha"}}).starts_with("/report/0/fix/hash: must be one of "));
  CHECK(problem_of({{"colour", 7}}).starts_with("/report/0/fix/colour: "));
}

TEST_CASE("config: an axis that a chart uses twice is refused", "[plan][config]") {
  const auto problem_of = [](const Json& chart) {
    const Lines problems = problems_of_chart(chart);
    REQUIRE(problems.size() == 1);
    CHECK(problems[0].find(": must be one of variant, params, ") != std::string::npos);
    return problems[0].substr(0, problems[0].find(':')) +
           problems[0].substr(problems[0].find(", because"));
  };
  CHECK(problem_of({{"chart", "rate_vs_n"}, {"series", "num_keys"}}) ==
        R"(/report/0/series, because num_inserted is the x axis of rate_vs_n, got "num_keys")");
  CHECK(problem_of({{"chart", "rate_vs_theory"}, {"x", "size"}, {"facet", "size"}}) ==
        R"(/report/0/facet, because size is the x axis of rate_vs_theory, got "size")");
  CHECK(
      problem_of({{"chart", "rate_by_point"}, {"series", "num_keys"}, {"facet", "num_inserted"}}) ==
      "/report/0/facet, because num_keys is the axis of series of rate_by_point, got "
      R"("num_inserted")");
  CHECK(problem_of({{"chart", "rate_vs_num_hashes"}, {"fix", {{"num_hashes", 7}}}}) ==
        "/report/0/fix, because num_hashes is the x axis of rate_vs_num_hashes, got "
        R"("num_hashes")");
  CHECK(problems_of_chart({{"chart", "rate_vs_n"}, {"series", "size"}, {"facet", "none"}}).empty());
}

TEST_CASE("config: a run folder of an earlier version may contain a facet that is x",
          "[plan][config]") {
  Json written = to_json(load_with({{"chart", "rate_vs_n"}}));
  written["report"][0]["facet"] = "num_inserted";
  CHECK(config_from_json(written).charts[0].facet == "num_inserted");
}

}  // namespace bloometry
