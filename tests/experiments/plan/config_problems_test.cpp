#include "tests/experiments/plan/config_problems.hpp"

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "experiments/plan/config.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/message_of.hpp"
#include "tests/support/temp_folder.hpp"

namespace bloometry::config_tests {

TEST_CASE("config: six different mistakes are all listed with their pointers", "[plan][config]") {
  const Json json = Json::parse(R"({
    "name": "six", "trails": 5, "seed": -1, "keys": ["random", "sequental"],
    "grids": [{"variant": "standard", "num_keys": 1.5, "num_bits": 1024, "bits_per_key": 8,
               "num_hashes": [1, 2, 0]}]})");
  REQUIRE(
      problems_of(json) ==
      Problems{"/trails: unknown field, allowed: $schema, name, question, seed, trials, queries, "
               "keys, hash, probes, grids, report; did you mean trials?",
               "/seed: must be in [0, 18446744073709551615], got -1",
               "/keys/1: must be one of random, sequential, decimal, url, strided, high_half, "
               "thousands, top_16_bits, top_10_bits, both_halves, {\"zipf\": exponent} or "
               "{\"file\": path}, got "
               "\"sequental\"",
               "/grids/0/num_keys: must be a whole number in [0, 140737488355328], got 1.5",
               "/grids/0: must have exactly one of num_bits, bits_per_key, num_counters, "
               "num_blocks, target_false_positive_rate, got num_bits, bits_per_key",
               "/grids/0/num_hashes/2: must be in [1, 64], got 0"});
}

TEST_CASE("config: suggests a field for the words of papers and of other programs",
          "[plan][config]") {
  const auto suggested = [](const std::string& pointer) {
    const Problems problems = problems_with(pointer, 1);
    REQUIRE_FALSE(problems.empty());
    const std::size_t start = problems.front().find("; did you mean ");
    return start == std::string::npos ? "" : problems.front().substr(start + 2);
  };
  CHECK(suggested("/grids/0/n") == "did you mean num_keys?");
  CHECK(suggested("/grids/0/m") == "did you mean num_bits?");
  CHECK(suggested("/grids/0/k") == "did you mean num_hashes?");
  CHECK(suggested("/grids/0/p") == "did you mean target_false_positive_rate?");
  CHECK(suggested("/grids/0/fpr") == "did you mean target_false_positive_rate?");
  CHECK(suggested("/grids/0/variants") == "did you mean variant?");
  CHECK(suggested("/grids/0/bits_per_keys") == "did you mean bits_per_key?");
  CHECK(suggested("/n") == "did you mean num_keys in grids?");
  CHECK(suggested("/variants") == "did you mean variant in grids?");
  CHECK(suggested("/num_hashes") == "did you mean num_hashes in grids?");
  CHECK(suggested("/num_queries") == "did you mean queries?");
  CHECK(suggested("/grids/0/moon").empty());
}

TEST_CASE("config: $schema must be a string", "[plan][config]") {
  REQUIRE(problem_with("/$schema", 5) == "/$schema: must be a string, got 5");
  REQUIRE(problems_with("/$schema", "schema.json").empty());
}

TEST_CASE("config: reports 20 problems and counts the rest", "[plan][config]") {
  Json json = smallest_config();
  for (int i = 0; i < 100'000; ++i) json["field" + std::to_string(i)] = i;
  const Problems problems = problems_of(json);
  REQUIRE(problems.size() == 21);
  REQUIRE(problems.front().starts_with("/field0: unknown field, allowed: "));
  REQUIRE(problems.back() == "and 99980 more problems");
  json = smallest_config();
  for (int i = 0; i < 20; ++i) json["field" + std::to_string(i)] = i;
  REQUIRE(problems_of(json).size() == 20);
}

TEST_CASE("config: problems are single lines of bounded length for any names and texts",
          "[plan][config]") {
  const std::string evil = std::string("\x1b[31mred\n2nd line\0", 19) + std::string(100'000, 'x');
  const auto require_harmless = [](const Problems& problems) {
    REQUIRE_FALSE(problems.empty());
    for (const std::string& problem : problems) {
      INFO(problem);
      REQUIRE(problem.size() <= 400);
      REQUIRE(problem.find_first_of(std::string("\x1b\n\0", 3)) == std::string::npos);
      // The message shortens the value in the middle, and must still name the fault.
      const std::array kWrongs = {"must be", "unknown", "has no", "no variant"};
      REQUIRE(std::any_of(kWrongs.begin(), kWrongs.end(), [&](const char* wrong) {
        return problem.find(wrong) != std::string::npos;
      }));
    }
  };
  require_harmless(problems_with("/" + evil, 1));
  require_harmless(problems_with("/name", evil));
  require_harmless(problems_with("/hash", evil));
  require_harmless(problems_with("/grids/0/variant", evil));
  require_harmless(problems_with("/grids/0/params", {{evil, 1}}));
  require_harmless(problems_with("/grids/0", {{"variant", "scalable"},
                                              {"num_keys", 10},
                                              {"target_false_positive_rate", 0.1},
                                              {"params", {{"insert_policy", evil}}}}));
}

TEST_CASE("config: missing required fields are reported by name", "[plan][config]") {
  REQUIRE(problems_of(Json::object()) ==
          Problems{"/name: must be given: 1 to 64 letters, digits, dots, dashes and underscores, "
                   "the first a letter or digit",
                   "/grids: must be given: a list of at least one grid"});
  REQUIRE(problems_with("/grids/0", Json::object()) ==
          Problems{"/grids/0/variant: must be given: one of " + names_of(all_variant_infos()),
                   "/grids/0/num_keys: must be given: a number, a list or a range of numbers",
                   "/grids/0: must have exactly one of num_bits, bits_per_key, num_counters, "
                   "num_blocks, target_false_positive_rate, got none"});
  REQUIRE(problem_with("/grids", Json::array()) ==
          "/grids: must be a list of at least one grid, got []");
}

TEST_CASE("config: wrong types are reported", "[plan][config]") {
  REQUIRE(problems_of(Json::array()) == Problems{"config: must be an object, got []"});
  REQUIRE(problem_with("/name", 7) == "/name: must be a string, got 7");
  REQUIRE(problem_with("/trials", "five") ==
          "/trials: must be a whole number in [1, 65536], got \"five\"");
  REQUIRE(problem_with("/question", nullptr) == "/question: must be a string, got null");
  REQUIRE(
      problem_with("/queries", true) ==
      "/queries: must be a whole number in [1, 70368744177664] or an object with relative_error, "
      "got true");
  REQUIRE(problem_with("/grids/0", 3) == "/grids/0: must be an object, got 3");
  REQUIRE(problem_with("/report", "fill") == "/report: must be a list of charts, got \"fill\"");
  REQUIRE(problem_with("/hash", Json::array()) ==
          "/hash: must be a name or a list of at least one name, got []");
}

TEST_CASE("config: texts that are not valid numbers are reported with their pointers",
          "[plan][config]") {
  REQUIRE(problem_with("/trials", "70k") == "/trials: must be in [1, 65536], got \"70k\"");
  REQUIRE(problem_with("/trials", "1.5") ==
          "/trials: must be a whole number in [1, 65536], got \"1.5\"");
  REQUIRE(problem_with("/trials", "64MB") ==
          "/trials: must be a whole number in [1, 65536], got \"64MB\"");
  REQUIRE(problem_with("/queries", "many") ==
          "/queries: must be a whole number in [1, 70368744177664], got \"many\"");
  REQUIRE(problem_with("/grids/0/num_keys", {1, "1,00"}) ==
          "/grids/0/num_keys/1: must be a whole number in [0, 140737488355328], got \"1,00\"; "
          "commas must separate groups of three digits of a whole number, as in 1,000,000");
  REQUIRE(problem_with("/grids/0/num_bits", "64Mb") ==
          "/grids/0/num_bits: must be a whole number in [1, 9007199254740992] of bits, or bytes "
          "like \"64MiB\", got \"64Mb\"; Mb may mean bits: write MB for bytes");
  REQUIRE(problem_with("/grids/0/num_bits", "1025TiB") ==
          "/grids/0/num_bits: must be in [1, 9007199254740992], got \"1025TiB\"");
  REQUIRE(problem_with("/grids/0/num_hashes", "best") ==
          "/grids/0/num_hashes: must be \"optimal\" or numbers in [1, 64], got \"best\"");
  REQUIRE(problem_with("/queries", {{"relative_error", "1/0"}}) ==
          "/queries/relative_error: must be a number in (0, 1), got \"1/0\"; both parts of a "
          "fraction must be whole numbers, the second at least 1, as in 1/1000");
  REQUIRE(problem_with("/queries", {{"relative_error", "200 %"}}) ==
          "/queries/relative_error: must be in (0, 1), got \"200 %\"");
}

TEST_CASE("config: a name must be safe as the name of a folder", "[plan][config]") {
  for (const char* name : {"", "a/b", "..", ".hidden", "a b", "-x"}) {
    REQUIRE(problem_with("/name", name).starts_with("/name: must be 1 to 64 letters"));
  }
  REQUIRE(problems_with("/name", "fpr_vs-theory.2").empty());
  REQUIRE(problems_with("/name", std::string(64, 'a')).empty());
  REQUIRE(problems_with("/name", std::string(65, 'a')).size() == 1);
}

TEST_CASE("config: seeds have 64 bits", "[plan][config]") {
  Json json = smallest_config();
  json["seed"] = 18446744073709551615U;
  REQUIRE(load(json).seed == 18446744073709551615U);
  REQUIRE(problem_with("/seed", 1.9e19).starts_with("/seed: must be in [0, 1844"));
}

TEST_CASE("config: unknown charts and fields of charts are refused", "[plan][config]") {
  const Json charts = Json::parse(R"([{"chart": "pie"}, {"x": "num_inserted"},
                                      {"chart": "fill", "facet": "moon"}])");
  const Problems problems = problems_with("/report", charts);
  REQUIRE(problems.size() == 3);
  REQUIRE(problems[0].starts_with("/report/0/chart: must be one of rate_vs_bits_per_key, "));
  REQUIRE(problems[1].starts_with("/report/1/chart: must be given: one of rate_vs_bits_per_key, "));
  REQUIRE(problems[2].starts_with("/report/2/facet: must be one of variant, "));
}

TEST_CASE("config: a plan with more than 10^7 rows is refused", "[plan][config]") {
  Json json = smallest_config();
  json["trials"] = 65536;
  json["grids"][0]["num_hashes"] = {{"from", 1}, {"to", 64}, {"steps", 64}};
  json["grids"][0]["num_keys"] = {{"from", 1}, {"to", 100}, {"steps", 100}};
  REQUIRE(problems_of(json) == Problems{"/grids: all axes, key sources, probes and trials together "
                                        "must give at most 10000000 rows, got 419430400"});
}

TEST_CASE("config: a missing file and one that is not JSON are reported in one line",
          "[plan][config]") {
  const test::TempFolder folder;
  const auto message = [&](const std::string& name) {
    return test::message_of<ConfigFileError>(
        [&] { static_cast<void>(load_config(folder / name)); });
  };
  REQUIRE(message("none.json").ends_with("none.json cannot be read: No such file or directory"));
  REQUIRE(message("").ends_with("it is a folder"));
  test::write_text(folder / "broken.json", "{\n  \"name\": }");
  REQUIRE(test::contains_text(message("broken.json"),
                              "broken.json: line 2, column 11: must be JSON: unexpected '}'"));
}

}  // namespace bloometry::config_tests
