#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <vector>

#include "experiments/plan/config.hpp"
#include "experiments/plan/planned_filters.hpp"
#include "experiments/unit/key_demand.hpp"
#include "tests/support/catch.hpp"
#include "variants/registry/theory_registry.hpp"

namespace bloometry {
namespace {

using Json = nlohmann::json;

std::vector<Unit> units_of(const std::string& fields, const std::string& grids) {
  return expand(
      config_from_json(Json::parse(R"({"name": "a", )" + fields + R"("grids": [)" + grids + "]}")));
}

std::vector<Unit> units_of(const std::string& grid) {
  return units_of("", grid);
}

std::set<std::string> ids_of(const std::vector<Unit>& units) {
  std::set<std::string> ids;
  for (const Unit& unit : units) ids.insert(unit.id);
  return ids;
}

}  // namespace

TEST_CASE("expand: with capacity all num_keys are checkpoints of one unit", "[plan][expand]") {
  const auto units = units_of(R"({"variant": "standard", "num_keys": [10, 20], "capacity": 100,
                                  "bits_per_key": 8, "num_hashes": [3, 1]})");
  REQUIRE(units.size() == 1);
  REQUIRE(units[0].spec.num_bits == 800);
  REQUIRE_FALSE(units[0].spec.bits_per_key);
  REQUIRE_FALSE(units[0].spec.num_hashes);
  REQUIRE(units[0].points == std::vector<Point>{{10, 1, 1'000'000, 100, 8},
                                                {10, 3, 1'000'000, 100, 8},
                                                {20, 1, 1'000'000, 100, 8},
                                                {20, 3, 1'000'000, 100, 8}});
}

TEST_CASE("expand: the observer receives the number of rows during planning", "[plan][expand]") {
  const Config config = config_from_json(Json::parse(R"({"name": "a", "trials": 100, "grids": [
      {"variant": "standard", "num_keys": {"from": 1, "to": 100, "steps": 100}, "num_bits": 1000,
       "num_hashes": 2}]})"));
  std::vector<std::uint64_t> heard;
  const std::vector<Unit> units =
      expand(config, [&](std::uint64_t num_rows) { heard.push_back(num_rows); });
  REQUIRE(heard == std::vector<std::uint64_t>{4100, 8200});
  REQUIRE(units.size() == 100);
}

TEST_CASE("expand: without capacity each num_keys has its own m", "[plan][expand]") {
  const auto units = units_of(R"({"variant": "standard", "num_keys": [10, 20], "bits_per_key": 8,
                                  "num_hashes": 3})");
  REQUIRE(units.size() == 2);
  for (const Unit& unit : units) {
    REQUIRE(unit.points.size() == 1);
    REQUIRE(unit.spec.num_bits == 8 * unit.points[0].num_inserted);
  }
}

TEST_CASE("expand: a size in bits or counters is shared by all num_keys", "[plan][expand]") {
  REQUIRE(units_of(R"({"variant": "standard", "num_keys": [0, 20], "num_bits": 64,
                       "num_hashes": 3})")
              .size() == 1);
  const auto units = units_of(R"({"variant": "counting", "num_keys": [0, 20], "num_counters": 64,
                                  "num_hashes": 3})");
  REQUIRE(units.size() == 1);
  REQUIRE(units[0].spec.num_counters == 64);
}

TEST_CASE("expand: memory of a counting filter is converted to counters", "[plan][expand]") {
  const auto units = units_of(R"({"variant": "counting", "num_keys": 10, "capacity": 10,
                                  "bits_per_key": 33, "num_hashes": 3})");
  REQUIRE(units[0].spec.num_counters == 83);  // llround(33 * 10 / 4)
  REQUIRE_FALSE(units[0].spec.num_bits);
  REQUIRE(units[0].params == R"({"counter_bits":4,"saturation":"sticky"})");
}

TEST_CASE("expand: a table names a parameter of its grid, also at a value that files omit",
          "[plan][expand]") {
  const auto params_with = [](const std::string& params) {
    return units_of(R"({"variant": "cuckoo", "num_keys": 10, "num_counters": 64)" + params + "}")[0]
        .params;
  };
  REQUIRE(params_with(R"(, "params": {"semi_sorting": 1})") ==
          R"({"bucket_cells":4,"fingerprint_bits":12,"semi_sorting":1})");
  REQUIRE(params_with(R"(, "params": {"semi_sorting": 0})") ==
          R"({"bucket_cells":4,"fingerprint_bits":12,"semi_sorting":0})");
  REQUIRE(params_with("") == R"({"bucket_cells":4,"fingerprint_bits":12})");
}

TEST_CASE("expand: filters of blocks are sized in blocks, and others are rounded up to them",
          "[plan][expand]") {
  const auto blocked = units_of(R"({"variant": "blocked", "num_keys": 20, "num_blocks": [3, 5],
                                    "num_hashes": 3, "params": {"block_bits": 256}})");
  REQUIRE(blocked.size() == 2);
  REQUIRE(*blocked[0].spec.num_bits + *blocked[1].spec.num_bits == (3 + 5) * 256);
  REQUIRE_FALSE(blocked[0].spec.num_blocks);
  const auto split = units_of(R"({"variant": "split_block", "num_keys": 20, "num_bits": 257})");
  REQUIRE(split[0].spec.num_bits == 512);
  const auto counting = units_of(
      R"({"variant": "blocked_counting", "num_keys": 20, "num_blocks": 3, "num_hashes": 3})");
  REQUIRE(counting[0].spec.num_counters == 3 * 128);
}

TEST_CASE("expand: num_hashes may be absent for a filter with a single k", "[plan][expand]") {
  for (const std::string k : {"", R"(, "num_hashes": 8)", R"(, "num_hashes": "optimal")"}) {
    const auto units =
        units_of(R"({"variant": "split_block", "num_keys": 20, "num_blocks": 3)" + k + "}");
    REQUIRE(units.size() == 1);
    REQUIRE(units[0].points == std::vector<Point>{{20, 8, 1'000'000}});
  }
}

TEST_CASE("expand: without probes every variant uses its default scheme", "[plan][expand]") {
  const std::string grid = R"({"variant": ["standard", "blocked", "split_block"], "num_keys": 20,
                               "num_bits": 4096, "num_hashes": "optimal"})";
  const Config config = config_from_json(Json::parse(R"({"name": "a", "grids": [)" + grid + "]}"));
  REQUIRE(config.probes.empty());
  std::set<std::string> names;
  for (const Unit& unit : expand(config)) names.insert(unit.variant + " " + unit.probes);
  REQUIRE(names == std::set<std::string>{"standard remix", "blocked bit_fields",
                                         "split_block parquet_salts"});
  // Reading the resolved config gives the same config.
  REQUIRE_FALSE(to_json(config).contains("probes"));
  REQUIRE(config_hash(config_from_json(to_json(config))) == config_hash(config));
  // If all variants have the same default scheme, the resolved config names the scheme.
  const Config alone = config_from_json(Json::parse(
      R"({"name": "a", "grids": [{"variant": "split_block", "num_keys": 20, "num_blocks": 3}]})"));
  REQUIRE(alone.probes == std::vector<std::string>{"parquet_salts"});
  REQUIRE(ids_of(units_of(R"("probes": "remix", )",
                          R"({"variant": "blocked", "num_keys": 20, "num_bits": 4096,
                              "num_hashes": 3})")) !=
          ids_of(units_of(R"({"variant": "blocked", "num_keys": 20, "num_bits": 4096,
                              "num_hashes": 3})")));
}

TEST_CASE("expand: a filter that grows has one point for each num_keys and no num_hashes",
          "[plan][expand]") {
  const auto units = units_of(R"({"variant": "scalable", "num_keys": [10, 20], "capacity": 500000,
                                  "target_false_positive_rate": [0.1, 0.01]})");
  REQUIRE(units.size() == 2);
  REQUIRE(units[0].points ==
          std::vector<Point>{{10, 0, 1'000'000, 500'000}, {20, 0, 1'000'000, 500'000}});
  REQUIRE_FALSE(units[0].spec.capacity);
  REQUIRE(std::get<double>(units[0].spec.params.at("initial_capacity")) == 500'000);
  REQUIRE(units[0].params.find(R"("initial_capacity":500000)") != std::string::npos);
}

TEST_CASE("expand: every key source, scheme and trial has its own units, sorted by id",
          "[plan][expand]") {
  const auto units =
      units_of(R"("keys": ["random", "url"], "probes": ["remix", "double_mod"], "trials": 3, )",
               R"({"variant": ["standard", "counting"], "num_keys": 10, "num_bits": [640, 1280],
          "num_hashes": 3})");
  REQUIRE(units.size() == 2 * 2 * 3 * 2 * 2);
  REQUIRE(ids_of(units).size() == units.size());
  REQUIRE(std::is_sorted(units.begin(), units.end(),
                         [](const Unit& a, const Unit& b) { return a.id < b.id; }));
}

TEST_CASE("expand: grids with the same unit are merged", "[plan][expand]") {
  const auto units = units_of("", R"(
      {"variant": "standard", "num_keys": [10, 20], "num_bits": 64, "num_hashes": [1, 2]},
      {"variant": "standard", "num_keys": [20, 30], "capacity": 8, "bits_per_key": 8,
       "num_hashes": [2, 3]})");
  REQUIRE(units.size() == 1);
  REQUIRE(units[0].points.size() == 4 + 4 - 1);
}

TEST_CASE("expand: a point has the capacity that its grids share", "[plan][expand]") {
  const auto capacities = [](const std::vector<std::string>& of_grids) {
    std::string grids;
    for (const std::string& capacity : of_grids) {
      grids += std::string(grids.empty() ? "" : ",") +
               R"({"variant": "standard", "num_keys": 20, "num_bits": 64, "num_hashes": 2)" +
               capacity + "}";
    }
    const auto units = units_of("", grids);
    REQUIRE(units.size() == 1);
    REQUIRE(units[0].points.size() == 1);
    return units[0].points[0].capacity;
  };
  const std::string eight = R"(, "capacity": 8)";
  const std::string nine = R"(, "capacity": 9)";
  const std::string ten = R"(, "capacity": 10)";
  CHECK_FALSE(capacities({""}));
  CHECK(capacities({eight, eight}) == 8);
  CHECK(capacities({eight, ""}) == 8);
  CHECK(capacities({"", eight}) == 8);
  CHECK_FALSE(capacities({eight, "", nine}));
  CHECK_FALSE(capacities({eight, nine, ten, ten, eight}));
}

TEST_CASE("expand: a point has the bits per key that its grids share", "[plan][expand]") {
  const std::string blocked = R"({"variant": "blocked", "num_keys": 100, "num_hashes": 4, )";
  const auto bits_per_key_of = [&](const std::string& sizes) {
    const auto units = units_of(sizes);
    REQUIRE(units.size() == 1);
    REQUIRE(units[0].points.size() == 1);
    return units[0].points[0].bits_per_key;
  };
  CHECK(bits_per_key_of(blocked + R"("bits_per_key": 8})") == 8);  // two blocks have 10.24
  CHECK_FALSE(bits_per_key_of(blocked + R"("num_bits": 1024})"));
  CHECK(bits_per_key_of(blocked + R"("bits_per_key": 8}, )" + blocked + R"("num_bits": 1024})") ==
        8);
  CHECK_FALSE(bits_per_key_of(blocked + R"("bits_per_key": [8, 9]})"));  // two blocks for both
}

TEST_CASE("expand: a unit's id does not depend on the capacity", "[plan][expand]") {
  const std::string grid =
      R"({"variant": "standard", "num_keys": 20, "num_bits": 64, "num_hashes": 2)";
  REQUIRE(ids_of(units_of(grid + "}")) == ids_of(units_of(grid + R"(, "capacity": 8})")));
}

TEST_CASE("expand: overlapping grids give the units of a single grid with all points",
          "[plan][expand]") {
  const auto apart = units_of("", R"(
      {"variant": "standard", "num_keys": 10, "num_bits": 64, "num_hashes": 2},
      {"variant": "standard", "num_keys": 20, "num_bits": 64, "num_hashes": 2})");
  const auto together =
      units_of(R"({"variant": "standard", "num_keys": [20, 10], "num_bits": 64, "num_hashes": 2})");
  REQUIRE(ids_of(apart) == ids_of(together));
}

/// Returns the k in 1..64 with the least expected rate at num_keys keys. Tries every k.
unsigned best_num_hashes_at(const Unit& unit, std::uint64_t num_keys) {
  const ProbeModel model = find_variant(unit.variant).scheme(unit.probes).model;
  const auto rate = [&](unsigned k) {
    FilterSpec spec = unit.spec;
    spec.num_hashes = k;
    return find_theory(unit.variant).expected_rate(spec, model, num_keys);
  };
  unsigned best = 1;
  for (unsigned k = 2; k <= 64; ++k) {
    if (rate(k) < rate(best)) best = k;
  }
  return best;
}

TEST_CASE("expand: optimal_at_capacity is one k for all checkpoints", "[plan][expand]") {
  const auto units = units_of(R"("probes": ["remix", "distinct"], )",
                              R"({"variant": ["standard", "counting"], "num_keys": [5, 30, 400],
                                  "capacity": 100, "bits_per_key": [8, 40],
                                  "num_hashes": "optimal_at_capacity"})");
  REQUIRE(units.size() == 8);
  for (const Unit& unit : units) {
    INFO(unit.variant << " " << unit.probes);
    REQUIRE(unit.points.size() == 3);
    for (const Point& point : unit.points) {
      REQUIRE(point.num_hashes == best_num_hashes_at(unit, 100));
    }
  }
}

TEST_CASE("expand: optimal_at_num_keys is the k of least expected rate at each n",
          "[plan][expand]") {
  const auto units = units_of(R"("probes": ["remix", "distinct"], )",
                              R"({"variant": ["standard", "counting"], "num_keys": [5, 30, 400],
                                  "capacity": 100, "bits_per_key": [8, 40],
                                  "num_hashes": "optimal_at_num_keys"})");
  for (const Unit& unit : units) {
    for (const Point& point : unit.points) {
      INFO(unit.variant << " " << unit.probes << " n " << point.num_inserted);
      REQUIRE(point.num_hashes == best_num_hashes_at(unit, point.num_inserted));
    }
  }
}

TEST_CASE("expand: the optimal k for 0 keys is one hash", "[plan][expand]") {
  const auto units = units_of(
      R"({"variant": "standard", "num_keys": 0, "num_bits": 640, "num_hashes": "optimal"})");
  REQUIRE(units[0].points[0].num_hashes == 1);
}

TEST_CASE("expand: a relative error fixes the number of queries from the expected rate",
          "[plan][expand]") {
  // The number of queries is z^2 (1-p)/(p e^2) with z = 1.96 and e = 0.05. The rate p is the
  // expected rate at m = 8192, k = 3.
  const auto units = units_of(
      R"("queries": {"relative_error": 0.05, "max_queries": 1e6}, )",
      R"({"variant": "standard", "num_keys": [0, 10, 1000], "num_bits": 8192, "num_hashes": 3})");
  const std::vector<Point>& points = units[0].points;
  REQUIRE(points[0].num_queries == 1'000'000);  // nothing to hit
  REQUIRE(points[1].num_queries == 1'000'000);  // p = 4.9e-8: capped
  REQUIRE(points[2].num_queries == 100'000);    // p = 0.02873: 51,945
}

TEST_CASE("expand: a relative error refers to the keys that remain after churn", "[plan][expand]") {
  const auto units =
      units_of(R"("queries": {"relative_error": 0.05, "max_queries": 1e9}, )",
               R"({"variant": "counting", "num_keys": 1000, "num_counters": 8192, "num_hashes": 3,
                   "churn": {"rounds": 3, "erase": 0.2}})");
  REQUIRE(units[0].points[0].num_queries == 1'000'000);  // n = 400, p = 0.00253: 605,000
}

TEST_CASE("expand: a stream is part of its units, and not limited by the window of a filter",
          "[plan][expand]") {
  const std::string grid = R"({"variant": "rotating", "num_keys": [10, 1000], "num_bits": 8000,
    "num_hashes": 3, "params": {"generations": 3, "generation_capacity": 50}, "stream": )";
  const auto units = units_of("", grid + R"({"zipf": 1, "num_distinct": 70}})");
  REQUIRE(units.size() == 1);
  REQUIRE(units[0].stream == ItemStream{.zipf = 1, .num_distinct = 70});
  REQUIRE(units[0].points.size() == 2);
  REQUIRE(key_demand(units[0]).num_members == 70);
  const auto cleared = units_of("", grid + R"({"zipf": 1, "num_distinct": 70, "clear_every": 5}})");
  REQUIRE(cleared[0].id != units[0].id);
}

TEST_CASE("expand: the best k of a stream is that for the keys held at most", "[plan][expand]") {
  const auto best_k = [](const std::string& stream) {
    return units_of("", R"({"variant": "standard", "num_keys": 1000000, "num_bits": 10000,
                             "num_hashes": "optimal", "stream": )" +
                            stream + "}")[0]
        .points.front()
        .num_hashes;
  };
  REQUIRE(best_k(R"({"zipf": 1, "num_distinct": 1000})") == 7);
  REQUIRE(best_k(R"({"zipf": 1, "num_distinct": 100000, "clear_every": 2000})") == 3);
}

TEST_CASE("expand: a window is part of its units, and the capacity of their filters",
          "[plan][expand]") {
  const std::string grid = R"({"variant": "standard", "num_keys": [10, 1000], "bits_per_key": 8,
                               "num_hashes": 3, "window": )";
  const auto units = units_of("", grid + R"({"size": 100, "unit": "keys"}})");
  REQUIRE(units.size() == 1);
  REQUIRE(units[0].window == StreamWindow{.size = 100});
  REQUIRE(units[0].spec.num_bits == 800U);
  REQUIRE(units[0].points.size() == 2);
  for (const Point& point : units[0].points) REQUIRE(point.capacity == 100U);
  const auto ticks =
      units_of("", grid + R"({"size": 4, "unit": "ticks", "inserts_per_tick": 50}})");
  REQUIRE(ticks[0].spec.num_bits == 1600U);
  REQUIRE(ticks[0].id != units[0].id);
  const auto sized = units_of("", grid + R"({"size": 100, "unit": "keys"}, "capacity": 500})");
  REQUIRE(sized[0].spec.num_bits == 4000U);
  REQUIRE(sized[0].points.front().capacity == 500U);
}

TEST_CASE("expand: counts round up to 1, 2 and 5 times a power of ten", "[plan][expand]") {
  REQUIRE(rounded_up_1_2_5(0) == 1);
  REQUIRE(rounded_up_1_2_5(1) == 1);
  REQUIRE(rounded_up_1_2_5(1.5) == 2);
  REQUIRE(rounded_up_1_2_5(2) == 2);
  REQUIRE(rounded_up_1_2_5(2.0001) == 5);
  REQUIRE(rounded_up_1_2_5(5.1) == 10);
  REQUIRE(rounded_up_1_2_5(1000) == 1000);
  REQUIRE(rounded_up_1_2_5(1001) == 2000);
  REQUIRE(rounded_up_1_2_5(99e15) == 100'000'000'000'000'000U);
}

}  // namespace bloometry
