#include <algorithm>
#include <array>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "experiments/plan/config.hpp"
#include "tests/experiments/plan/config_problems.hpp"
#include "tests/support/catch.hpp"
#include "variants/registry/registry.hpp"

namespace bloometry::config_tests {

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

TEST_CASE("config: a window has a size, a unit and shares", "[plan][config]") {
  Json json = smallest_config();
  Json& window = json["grids"][0]["window"];
  window = {{"size", 100}, {"unit", "keys"}, {"reinsert", "1/4"}};
  const Config config = load(json);
  REQUIRE(config.grids.front().window == StreamWindow{.size = 100, .reinsert = 0.25});
  window = {{"size", 3}, {"unit", "ticks"}, {"inserts_per_tick", "1k"}};
  REQUIRE(load(json).grids.front().window == StreamWindow{.size = 3, .inserts_per_tick = 1000});

  window = {{"unit", "seconds"}, {"inserts_per_tick", 0}, {"reinsert", 1.5}, {"repeat", 1}};
  REQUIRE(problems_of(json) ==
          Problems{"/grids/0/window/repeat: unknown field, allowed: size, unit, inserts_per_tick, "
                   "reinsert, erase",
                   "/grids/0/window/size: must be given: a whole number in [1, 140737488355328]",
                   "/grids/0/window/unit: must be one of keys, ticks, got \"seconds\"",
                   "/grids/0/window/inserts_per_tick: must be in [1, 140737488355328], got 0",
                   "/grids/0/window/reinsert: must be in [0, 1], got 1.5"});
  window = {{"size", 0}};
  REQUIRE(problems_of(json) ==
          Problems{"/grids/0/window/size: must be in [1, 140737488355328], got 0",
                   "/grids/0/window/unit: must be given: one of keys, ticks"});
  window = {{"size", 5}, {"unit", "ticks"}};
  REQUIRE(problems_of(json) ==
          Problems{"/grids/0/window/inserts_per_tick: must be given with unit ticks: a whole "
                   "number in [1, 140737488355328]"});
  window = {{"size", 5}, {"unit", "keys"}, {"inserts_per_tick", 5}};
  REQUIRE(problems_of(json) ==
          Problems{"/grids/0/window/inserts_per_tick: must be left out with unit keys"});
  window = {{"size", 1e9}, {"unit", "ticks"}, {"inserts_per_tick", 1e6}};
  REQUIRE(problems_of(json) ==
          Problems{"/grids/0/window: size * inserts_per_tick must be at most 140737488355328, got "
                   "1000000000 * 1000000"});
}

TEST_CASE("config: a window does not go with churn, nor its erases with any variant",
          "[plan][config]") {
  Json json = smallest_config();
  json["grids"][0]["window"] = {{"size", 5}, {"unit", "keys"}, {"erase", 0.5}};
  REQUIRE(problems_of(json) ==
          Problems{"/grids/0/window/erase: must be 0 for standard, which cannot erase, got 0.5"});
  json["grids"][0]["variant"] = "counting";
  REQUIRE(problems_of(json).empty());
  json["grids"][0]["churn"] = {{"rounds", 2}, {"erase", 0.5}};
  REQUIRE(problems_of(json) == Problems{"/grids/0/window: must be left out with churn"});
}

TEST_CASE("config: a resolved config contains the window with its defaults", "[plan][config]") {
  Json json = smallest_config();
  json["grids"][0]["window"] = {{"size", 5}, {"unit", "keys"}};
  REQUIRE(to_json(load(json))["grids"][0]["window"] ==
          Json({{"size", 5}, {"unit", "keys"}, {"reinsert", 0}, {"erase", 0}}));
  json["grids"][0]["window"] = {
      {"size", 5}, {"unit", "ticks"}, {"inserts_per_tick", 7}, {"reinsert", 0.5}};
  const Config config = load(json);
  const Json resolved = to_json(config);
  REQUIRE(resolved["grids"][0]["window"] == Json({{"size", 5},
                                                  {"unit", "ticks"},
                                                  {"inserts_per_tick", 7},
                                                  {"reinsert", 0.5},
                                                  {"erase", 0}}));
  REQUIRE(config_from_json(resolved).grids.front().window == config.grids.front().window);
  REQUIRE(to_json(config_from_json(resolved)) == resolved);
}

TEST_CASE("config: a stream of items has a law, a rule of inserts and a rule of clearing",
          "[plan][config]") {
  Json json = smallest_config();
  Json& stream = json["grids"][0]["stream"];
  stream = {{"zipf", 1.5}, {"num_distinct", "1k"}};
  REQUIRE(load(json).grids.front().stream == ItemStream{.zipf = 1.5, .num_distinct = 1000});
  REQUIRE(to_json(load(json))["grids"][0]["stream"] ==
          Json({{"zipf", 1.5}, {"num_distinct", 1000}, {"insert", "passed"}, {"clear_every", 0}}));
  stream = {{"zipf", 1}, {"num_distinct", 1}, {"insert", "all"}, {"clear_every", 9}};
  const Config config = load(json);
  REQUIRE(config.grids.front().stream ==
          ItemStream{
              .zipf = 1, .num_distinct = 1, .insert = ItemStream::Insert::kAll, .clear_every = 9});
  REQUIRE(to_json(config_from_json(to_json(config))) == to_json(config));

  stream = {{"zipf", 0}, {"num_distinct", 100'000'001}, {"insert", "some"}, {"keys", 1}};
  REQUIRE(problems_of(json) ==
          Problems{"/grids/0/stream/keys: unknown field, allowed: zipf, num_distinct, insert, "
                   "clear_every",
                   "/grids/0/stream/zipf: must be in (0, 10], got 0",
                   "/grids/0/stream/num_distinct: must be in [1, 100000000], got 100000001",
                   "/grids/0/stream/insert: must be one of passed, all, got \"some\""});
  stream = Json::object();
  REQUIRE(problems_of(json).size() == 2);
}

TEST_CASE("config: a stream of items goes with filters of fixed memory, and with nothing else",
          "[plan][config]") {
  Json json = smallest_config();
  json["grids"][0]["stream"] = {{"zipf", 1}, {"num_distinct", 100}};
  json["grids"][0]["variant"] = {"standard", "cuckoo"};
  json["grids"][0]["num_hashes"] = 2;
  REQUIRE(problems_of(json) ==
          Problems{"/grids/0/stream: must be left out for cuckoo, which refuses inserts"});
  json["grids"][0]["variant"] = "counting";
  json["grids"][0]["churn"] = {{"rounds", 2}, {"erase", 0.5}};
  json["grids"][0]["window"] = {{"size", 5}, {"unit", "keys"}};
  REQUIRE(problems_of(json) == Problems{"/grids/0/window: must be left out with churn",
                                        "/grids/0/stream: must be left out with churn",
                                        "/grids/0/stream: must be left out with window"});
  const Json scalable = {{"name", "grows"},
                         {"grids",
                          {{{"variant", "scalable"},
                            {"num_keys", 10},
                            {"target_false_positive_rate", 0.1},
                            {"stream", {{"zipf", 1}, {"num_distinct", 5}}}}}}};
  REQUIRE(problems_of(scalable) ==
          Problems{"/grids/0/stream: must be left out for scalable, which grows"});
}

TEST_CASE("config: a filter that forgets must keep its keys for the window of the grid",
          "[plan][config]") {
  // A window of 7 generations of 143 inserts, and of 8 generations of 125.
  const auto problems = [](const std::string& variant, const std::string& rest) {
    return problems_of(Json::parse(R"({"name": "a", "grids": [{"variant": ")" + variant +
                                   R"(", "capacity": 1001, "bits_per_key": 20, "num_hashes": 5,
                                   "params": {"generations": 8}, )" +
                                   rest + "}]}"));
  };
  CHECK(problems("rotating", R"("num_keys": 1002)").empty());
  CHECK(problems("rotating", R"("num_keys": [5, 1003])") ==
        Problems{"/grids/0/num_keys: must be at most 1002, the window of the filter, got 1003; add "
                 "\"window\" to measure a filter that forgets keys (rotating with bits_per_key "
                 "20)"});
  CHECK(problems("age_partitioned", R"("num_keys": 1002)").size() == 1);
  const auto of_size = [](std::uint64_t size) {
    return R"("num_keys": 9999, "window": {"unit": "keys", "size": )" + std::to_string(size) + "}";
  };
  CHECK(problems("rotating", of_size(1002)).empty());
  CHECK(problems("rotating", of_size(1003)) ==
        Problems{"/grids/0/window/size: must be at most 1002, the window of the filter, got 1003 "
                 "(rotating with bits_per_key 20)"});
  CHECK(problems("age_partitioned", of_size(1002)) ==
        Problems{"/grids/0/window/size: must be at most 1001, the window of the filter, got 1002 "
                 "(age_partitioned with bits_per_key 20)"});
  const std::string ticks = R"("num_keys": 9, "window": {"unit": "ticks", "inserts_per_tick": 125)";
  CHECK(problems("rotating", ticks + R"(, "size": 8})") ==
        Problems{"/grids/0/window/size: must be at most 7, the window of the filter, got 8 "
                 "(rotating with bits_per_key 20)"});
  CHECK(problems("age_partitioned", ticks + R"(, "size": 8})").empty());
}

TEST_CASE("config: parameters that follow from k must be given with several values of k",
          "[plan][config]") {
  const auto problems = [](const std::string& rest) {
    return problems_of(
        Json::parse(R"({"name": "a", "grids": [{"variant": "age_partitioned", "capacity": 1000,
                        "bits_per_key": 20, "num_keys": 1000, )" +
                    rest + "}]}"));
  };
  CHECK(problems(R"("num_hashes": 6)").empty());
  CHECK(problems(R"("num_hashes": [6, 12], "params": {"generations": 8})").empty());
  CHECK(problems(R"("num_hashes": [6, 12], "params": {"generation_capacity": 125})").empty());
  const Problems found = problems(R"("num_hashes": [6, 12])");
  REQUIRE(found.size() == 1);
  CHECK_THAT(found.front(),
             Catch::Matchers::StartsWith(
                 "/grids/0/num_hashes: must be one value, or params must contain generation"));
}

}  // namespace bloometry::config_tests
