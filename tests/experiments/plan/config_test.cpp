#include "experiments/plan/config.hpp"

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "experiments/plan/key_source_fields.hpp"
#include "test_folders.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/message_of.hpp"
#include "tests/support/temp_folder.hpp"
#include "variants/registry/registry.hpp"

namespace bloometry {
namespace {

using Json = nlohmann::json;
using Problems = std::vector<std::string>;

Json smallest_config() {
  return Json::parse(R"({"name": "a", "grids": [
      {"variant": "standard", "num_keys": 1000, "num_bits": 8192, "num_hashes": 3}]})");
}

Config load(const Json& json) {
  const test::TempFolder folder;
  test::write_text(folder / "config.json", json.dump());
  return load_config(folder / "config.json");
}

Problems problems_of(const Json& json) {
  try {
    static_cast<void>(load(json));
  } catch (const ConfigFileError& error) {
    Problems lines;
    for (const Problem& problem : error.problems()) lines.push_back(problem.line());
    return lines;
  }
  return {};
}

/// Returns the problems of the smallest config after one field is set to the value.
Problems problems_with(const std::string& pointer, const Json& value) {
  Json json = smallest_config();
  json[Json::json_pointer(pointer)] = value;
  return problems_of(json);
}

/// Returns the message of the only problem of the smallest config after one field is set to the
/// value.
std::string problem_with(const std::string& pointer, const Json& value) {
  const Problems problems = problems_with(pointer, value);
  REQUIRE(problems.size() == 1);
  return problems.front();
}

}  // namespace

TEST_CASE("config: defaults are filled in", "[plan][config]") {
  const Config config = load(smallest_config());
  REQUIRE(config.seed == 1);
  REQUIRE(config.trials == 1);
  REQUIRE(config.queries.num_queries == 1'000'000);
  REQUIRE(config.keys == std::vector{KeySource{.name = "random"}});
  REQUIRE(config.hashes == std::vector<std::string>{"xxh3"});
  REQUIRE(config.probes == std::vector<std::string>{"remix"});
  REQUIRE(config.charts.empty());
}

TEST_CASE("config: k and sizes that a filter of blocks does not support are refused",
          "[plan][config]") {
  const auto problems = [](const std::string& grid) {
    return problems_of(Json::parse(R"({"name": "a", "grids": [)" + grid + "]}"));
  };
  REQUIRE(problems(R"({"variant": "blocked", "num_keys": 9, "num_blocks": 3, "num_hashes": 17})") ==
          Problems{"/grids/0/num_hashes: must be in [1, 16] for blocked, got 17"});
  REQUIRE(problems(R"({"variant": ["standard", "blocked"], "num_keys": 9, "bits_per_key": 9,
                       "num_hashes": [0, 17, 16, 18]})") ==
          Problems{"/grids/0/num_hashes/0: must be in [1, 16] for blocked, got 0",
                   "/grids/0/num_hashes/1: must be in [1, 16] for blocked, got 17",
                   "/grids/0/num_hashes/3: must be in [1, 16] for blocked, got 18"});
  REQUIRE(problems(R"({"variant": "split_block", "num_keys": 9, "num_blocks": 3,
                       "num_hashes": 6})") ==
          Problems{"/grids/0/num_hashes: must be 8 for split_block, got 6"});
  REQUIRE(problems(R"({"variant": "blocked", "num_keys": 9, "num_blocks": 3, "num_hashes": 4,
                       "params": {"block_bits": 300}})") ==
          Problems{"/grids/0/params/block_bits: must be 256 or 512, got 300 (blocked)"});
  REQUIRE(problems(R"({"variant": "split_block", "num_keys": 9, "num_blocks": [2147483648, 3],
                       "num_hashes": 8})") ==
          Problems{"/grids/0/num_blocks: must be in [1, 2147483647], got 2147483648 (split_block "
                   "with num_blocks 2147483648)"});
  REQUIRE(problems(R"({"variant": "blocked", "num_keys": 9, "num_blocks": 3})") ==
          Problems{"/grids/0/num_hashes: must be given for blocked: numbers in [1, 16] or "
                   "\"optimal\""});
  REQUIRE(problems(R"({"variant": "standard", "num_keys": 9, "num_blocks": 3, "num_hashes": 4})") ==
          Problems{"/grids/0/num_blocks: must be left out for standard; use one of num_bits, "
                   "bits_per_key"});
}

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

TEST_CASE("config: names are checked against the registry", "[plan][config]") {
  REQUIRE(problem_with("/grids/0/variant", "standart")
              .starts_with("/grids/0/variant: must be one of standard, partitioned, "));
  REQUIRE(problem_with("/hash", "md4") ==
          "/hash: must be one of xxh3, folded_multiply, aes, splitmix64_xxh3, xxh64, murmur3_128, "
          "murmur64a, siphash_2_4, siphash_2_4_128, md5_split, crc32, fnv1, bkdr, "
          "js, sdbm, got \"md4\"");
  REQUIRE(problem_with("/probes/0", "doubel")
              .starts_with("/probes/0: must be one of remix, independent, distinct, "));
}

TEST_CASE("config: a scheme must suit every variant of every grid", "[plan][config]") {
  Json json = smallest_config();
  json["probes"] = {"remix", "distinct"};
  json["grids"][0]["variant"] = {"standard", "partitioned"};
  const Problems problems = problems_of(json);
  REQUIRE(problems.size() == 1);
  REQUIRE(problems.front().starts_with("/probes: must be one of remix, independent"));
  REQUIRE(problems.front().ends_with(" for partitioned (/grids/0), got \"distinct\""));
}

TEST_CASE("config: a size that a variant does not have is refused", "[plan][config]") {
  Json json = smallest_config();
  json["grids"][0]["variant"] = {"standard", "scalable"};
  json["grids"][0].erase("num_hashes");
  REQUIRE(
      problems_of(json) ==
      Problems{"/grids/0/num_bits: must be left out for scalable; use target_false_positive_rate",
               "/grids/0/num_hashes: must be given for standard: numbers in [1, 64] or "
               "\"optimal\""});
  json["grids"][0] = {{"variant", "standard"},
                      {"num_keys", 10},
                      {"num_hashes", 3},
                      {"target_false_positive_rate", 0.01}};
  REQUIRE(problems_of(json) == Problems{"/grids/0/target_false_positive_rate: must be left out for "
                                        "standard; use one of num_bits, bits_per_key"});
}

TEST_CASE("config: num_hashes is refused for growing filters", "[plan][config]") {
  Json json = smallest_config();
  json["grids"][0] = {{"variant", "scalable"},
                      {"num_keys", 10},
                      {"num_hashes", 3},
                      {"target_false_positive_rate", 0.01}};
  REQUIRE(problems_of(json) == Problems{"/grids/0/num_hashes: must be left out for scalable, "
                                        "which determines this value"});
}

TEST_CASE("config: parameters must be those of a variant of the grid and in range",
          "[plan][config]") {
  Json json = smallest_config();
  json["grids"][0]["variant"] = "counting";
  SECTION("unknown parameter") {
    json["grids"][0]["params"] = {{"counterbits", 4}};
    REQUIRE(
        problems_of(json) ==
        Problems{
            "/grids/0/params/counterbits: unknown parameter; allowed for counting: counter_bits, "
            "saturation; did you mean counter_bits?"});
  }
  SECTION("out of range, or a value of another type") {
    json["grids"][0]["params"] = {{"counter_bits", 17}, {"saturation", Json::object()}};
    REQUIRE(
        problems_of(json) ==
        Problems{"/grids/0/params/counter_bits: must be a whole number in [1, 16], got 17 "
                 "(counting)",
                 "/grids/0/params/saturation: must be a number, a string or a list of integers, "
                 "got {}"});
  }
  SECTION("a parameter of one of two variants") {
    json["grids"][0]["variant"] = {"standard", "counting"};
    json["grids"][0]["params"] = {{"counter_bits", 8}};
    REQUIRE(problems_of(json).empty());
  }
  SECTION("contradicting parameters") {
    json["grids"][0] = {{"variant", "scalable"},
                        {"num_keys", 10},
                        {"params", {{"max_capacity", 100}}},
                        {"target_false_positive_rate", 0.01}};
    REQUIRE(problems_of(json) ==
            Problems{"/grids/0/params/max_capacity: must be left out unless error_schedule "
                     "is horizon (scalable with target_false_positive_rate 0.01)"});
  }
}

TEST_CASE("config: impossible geometries are refused before anything runs", "[plan][config]") {
  Json json = smallest_config();
  SECTION("bits per key of 0 keys") {
    json["grids"][0].erase("num_bits");
    json["grids"][0]["bits_per_key"] = 8;
    json["grids"][0]["num_keys"] = {0, 10};
    REQUIRE(problems_of(json) == Problems{"/grids/0/num_keys: must be at least 1, got 0 (standard "
                                          "with bits_per_key 8)"});
    json["grids"][0]["capacity"] = 10;
    REQUIRE(problems_of(json).empty());
  }
  SECTION("fewer bits than slices") {
    json["grids"][0]["variant"] = "partitioned";
    json["grids"][0]["num_bits"] = 2;
    REQUIRE(problems_of(json).size() == 1);
    REQUIRE(problems_of(json).front() ==
            "/grids/0/num_hashes: must be in [1, 2], because each slice needs a bit, got 3 "
            "(partitioned with num_bits 2)");
  }
  SECTION("fewer bits than distinct probes") {
    json["probes"] = "distinct";
    json["grids"][0]["num_bits"] = 2;
    json["grids"][0]["num_hashes"] = {2, 3, 4};
    REQUIRE(problems_of(json) ==
            Problems{"/grids/0/num_hashes: must be at most 2, the number of cells, "
                     "with distinct probes, got 3 (standard with num_bits 2)",
                     "/grids/0/num_hashes: must be at most 2, the number of cells, "
                     "with distinct probes, got 4 (standard with num_bits 2)"});
  }
}

TEST_CASE("config: churn requires a variant that erases and valid shares", "[plan][config]") {
  Json json = smallest_config();
  json["grids"][0]["churn"] = {{"rounds", 2}, {"erase", 0.5}};
  REQUIRE(problems_of(json) ==
          Problems{"/grids/0/churn: must be left out for standard, which cannot erase"});
  json["grids"][0]["variant"] = "counting";
  REQUIRE(problems_of(json).empty());
  json["grids"][0]["churn"] = {
      {"rounds", 0}, {"reinsert", 1.5}, {"wrongful_erases", -0.1}, {"repeat", 1}};
  REQUIRE(problems_of(json) ==
          Problems{"/grids/0/churn/repeat: unknown field, allowed: rounds, erase, reinsert, "
                   "wrongful_erases",
                   "/grids/0/churn/rounds: must be in [1, 1000000], got 0",
                   "/grids/0/churn/erase: must be given: a number in [0, 1]",
                   "/grids/0/churn/reinsert: must be in [0, 1], got 1.5",
                   "/grids/0/churn/wrongful_erases: must be in [0, 1], got -0.1"});
}

TEST_CASE("config: the example of the documentation is valid", "[plan][config]") {
  const Json json = Json::parse(R"({
      "name": "fpr_vs_theory", "question": "...", "seed": 20261120, "trials": 5,
      "queries": {"relative_error": 0.02, "confidence": 0.95, "max_queries": 1e9},
      "keys": ["random", "sequential", "decimal", "url"], "hash": ["xxh3"],
      "probes": ["remix", "double_mod"],
      "grids": [{"variant": ["counting"], "num_keys": {"from": 1e3, "to": 1e4, "steps": 3},
                 "capacity": 1000000, "bits_per_key": [32, 40], "num_hashes": "optimal",
                 "params": {"counter_bits": 4},
                 "churn": {"rounds": 10, "erase": 0.2, "reinsert": 0.5, "wrongful_erases": 0.0}}],
      "report": [{"chart": "rate_vs_theory", "x": "num_inserted", "facet": "bits_per_key"},
                 {"chart": "relative_error_heatmap"}]})");
  REQUIRE(problems_of(json).empty());
}

TEST_CASE("config: key sources given by name are read and written back", "[plan][config]") {
  Json json = smallest_config();
  json["keys"] = synthetic_key_names();
  REQUIRE(json["keys"].size() == 10);
  REQUIRE(to_json(load(json))["keys"] == json["keys"]);
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

TEST_CASE("config: a key file is read when the config is checked", "[plan][config]") {
  const test::TempFolder folder;
  Json json = smallest_config();
  json["keys"] = {{{"file", "keys.txt"}}};
  json["queries"] = 4;
  json["grids"][0]["num_keys"] = {1, 3};
  const auto problem = [&] {
    test::write_text(folder / "config.json", json.dump());
    try {
      static_cast<void>(expand(load_config(folder / "config.json")));
    } catch (const ConfigFileError& error) {
      return error.problems().front().line();
    }
    return std::string("none");
  };
  SECTION("missing file") {
    REQUIRE(problem().starts_with("/keys/0/file: cannot open key file "));
  }
  SECTION("too few lines: the error states the required number") {
    test::write_text(folder / "keys.txt", "a\nb\na\nc\nd\ne\nf\n");
    REQUIRE(problem() ==
            "/keys: file:keys.txt must have at least 7 distinct lines (3 members and 4 queries), "
            "got 6 (duplicates dropped: 1); reduce /queries");
  }
  SECTION("empty") {
    test::write_text(folder / "keys.txt", "");
    REQUIRE(problem() ==
            "/keys: file:keys.txt must have at least 7 distinct lines (3 members and 4 queries), "
            "got 0 (duplicates dropped: 0); reduce /queries");
  }
  SECTION("too few candidates for wrongful erases, which are as many as the queries") {
    test::write_text(folder / "keys.txt", "a\nb\nc\nd\ne\nf\ng");
    json["grids"][0] = {{"variant", "counting"},
                        {"num_keys", {1, 3}},
                        {"num_counters", 64},
                        {"num_hashes", 2},
                        {"churn", {{"rounds", 1}, {"erase", 0.5}, {"wrongful_erases", 0.1}}}};
    REQUIRE(
        problem().ends_with("at least 11 distinct lines (3 members and 8 queries), got 7 "
                            "(duplicates dropped: 0); reduce /queries"));
  }
  SECTION("too few lines for a relative error: the error states the limit") {
    test::write_text(folder / "keys.txt", "a\nb\na\nc\nd\ne\nf\n");
    json["queries"] = {{"relative_error", 0.01}};
    REQUIRE(problem().ends_with("; reduce /queries/max_queries"));
  }
  SECTION("a label is kept, and does not change a unit or a run") {
    test::write_text(folder / "keys.txt", "a\nb\nc\nd\ne\nf\ng");
    REQUIRE(problem() == "none");
    const Config plain = load_config(folder / "config.json");
    json["keys"][0]["label"] = "my words";
    REQUIRE(problem() == "none");
    const Config labelled = load_config(folder / "config.json");
    REQUIRE(labelled.keys.front().label == "my words");
    REQUIRE(to_json(labelled)["keys"][0]["label"] == "my words");
    REQUIRE(run_id(labelled) == run_id(plain));
    REQUIRE(expand(labelled).front().id == expand(plain).front().id);
  }
  SECTION("labels are short texts, and a file has a single label") {
    test::write_text(folder / "keys.txt", "a\nb\nc\nd\ne\nf\ng");
    const std::string allowed = "/keys/0/label: must be a string of 1 to 40 bytes without control ";
    for (const std::string& bad :
         {std::string(), std::string(41, 'x'), std::string("two\nlines")}) {
      json["keys"][0]["label"] = bad;
      REQUIRE(problem().starts_with(allowed));
    }
    json["keys"][0]["label"] = "one";
    json["keys"].push_back({{"file", "keys.txt"}, {"label", "two"}});
    REQUIRE(problem() ==
            "/keys/1/label: must be 'one', the label of the same file in an earlier "
            "entry, got 'two'");
  }
  SECTION("labels differ, and are not names of other keys") {
    test::write_text(folder / "keys.txt", "a\nb\nc\nd\ne\nf\ng");
    test::write_text(folder / "more.txt", "a\nb\nc\nd\ne\nf\ng\nh");
    json["keys"][0]["label"] = "words";
    json["keys"].push_back({{"file", "more.txt"}, {"label", "words"}});
    REQUIRE(problem() == "/keys/1/label: must differ from that of file:keys.txt, got 'words'");
    for (const char* name : {"random", "zipf:1", "file:more.txt"}) {
      json["keys"][1]["label"] = name;
      REQUIRE(problem() ==
              "/keys/1/label: must not be the name of other keys, got '" + std::string(name) + "'");
    }
    json["keys"][1]["label"] = "other words";
    REQUIRE(problem() == "none");
  }
  SECTION("enough lines, with a path relative to the config's folder") {
    test::write_text(folder / "keys.txt", "a\nb\nc\nd\ne\nf\ng");
    REQUIRE(problem() == "none");
    const Config config = load_config(folder / "config.json");
    REQUIRE(config.keys.front().name == "file:keys.txt");
    REQUIRE(config.keys.front().path == (folder / "keys.txt").string());
    REQUIRE(config.keys.front().content_hash.size() == 32);
  }
  SECTION("file changed since the run was resolved") {
    test::write_text(folder / "keys.txt", "a\nb\nc\nd\ne\nf\ng");
    json["keys"][0]["content_hash"] = std::string(32, '0');
    REQUIRE(problem().starts_with("/keys/0/content_hash: must be "));
  }
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

TEST_CASE("config: optimal is written as optimal_at_num_keys or optimal_at_capacity",
          "[plan][config]") {
  Json json = smallest_config();
  Json& grid = json["grids"][0];
  const auto written = [&] { return to_json(load(json))["grids"][0]["num_hashes"]; };
  grid["num_hashes"] = "optimal";
  REQUIRE(written() == "optimal_at_num_keys");
  grid["capacity"] = 1000;
  REQUIRE(written() == "optimal_at_capacity");
  grid["num_hashes"] = "optimal_at_num_keys";
  REQUIRE(written() == "optimal_at_num_keys");
  Json resolved = to_json(load(json));
  resolved["grids"][0]["num_hashes"] = "optimal";  // the name in configs of older runs
  REQUIRE(to_json(config_from_json(resolved)) == to_json(load(json)));
  grid.erase("capacity");
  grid["num_hashes"] = "optimal_at_capacity";
  REQUIRE(problems_of(json) ==
          Problems{"/grids/0/capacity: must be given with num_hashes \"optimal_at_capacity\": the "
                   "number of keys for which filters are sized"});
}

TEST_CASE("config: a written config is read as the same plan", "[plan][config]") {
  Json json = smallest_config();
  json["grids"][0]["variant"] = {"standard", "counting"};
  json["grids"][0]["num_keys"] = {1000, 10};
  json["grids"][0]["params"] = {{"counter_bits", 8}};
  json["report"] = {{{"chart", "fill"}, {"x", "num_inserted"}}};
  json["queries"] = {{"relative_error", 0.1}};
  const Config config = load(json);
  const Json resolved = to_json(config);
  REQUIRE(to_json(config_from_json(resolved)) == resolved);
  REQUIRE(run_id(config_from_json(resolved)) == run_id(config));
  const std::vector<Unit> units = expand(config);
  const std::vector<Unit> again = expand(config_from_json(resolved));
  REQUIRE(std::equal(units.begin(), units.end(), again.begin(), again.end(),
                     [](const Unit& a, const Unit& b) { return a.id == b.id; }));
  REQUIRE(resolved["grids"][1]["params"] == Json({{"counter_bits", 8}, {"saturation", "sticky"}}));
  REQUIRE(resolved["grids"][0]["num_keys"] == Json({10, 1000}));
  REQUIRE(resolved["seed"] == 1);
}

TEST_CASE("config: every shipped config is valid", "[plan][config]") {
  for (const auto& entry : std::filesystem::recursive_directory_iterator(test::kConfigFolder)) {
    const std::string name = entry.path().filename().string();
    if (entry.path().extension() != ".json" || name == "schema.json") continue;
    if (name == "real_keys.json" && !std::filesystem::exists("/usr/share/ieee-data/oui.csv")) {
      WARN("skipped: real_keys.json needs the package ieee-data");
      continue;
    }
    INFO(name);
    REQUIRE_NOTHROW(load_config(entry.path()));
  }
}

}  // namespace bloometry
