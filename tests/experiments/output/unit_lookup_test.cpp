#include "experiments/output/unit_lookup.hpp"

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "experiments/unit/unit_id.hpp"
#include "test_folders.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/runs/made_up_runs.hpp"

namespace bloometry {
namespace {

/// Returns a config with the given grids and one trial. `fields` may override the number of trials.
Config config_of(const std::string& grids, const std::string& fields = "") {
  return config_from_json(
      nlohmann::json::parse(R"({"name": "a", )" + fields + R"("grids": [)" + grids + "]}"));
}

/// Requires that the lookup finds every unit of the config by the unit's rows. The found unit must
/// have the points of the planned unit.
void require_found(const Config& config) {
  FramedUnits lookup(config);
  const std::vector<Unit> units = expand(config);
  REQUIRE(lookup.num_units() == units.size());
  for (const Unit& unit : units) {
    const Unit* found = lookup.find(test::made_up_result(unit));
    REQUIRE(found != nullptr);
    REQUIRE(found->id == unit.id);
    REQUIRE(found->points == unit.points);
    REQUIRE(lookup.find(unit.id) == found);
  }
  REQUIRE(lookup.take_found().size() == units.size());
}

/// Returns whether the lookup finds the unit that the rows name.
bool is_found(const Config& config, const UnitResult& result) {
  return FramedUnits(config).find(result) != nullptr;
}

/// Returns the result with a new id: that of the unit with only the points of the result's rows.
UnitResult with_id_of_rows(Unit unit, UnitResult result) {
  unit.points.clear();
  for (const TrialRow& row : result.rows) {
    unit.points.push_back({.num_inserted = row.num_inserted,
                           .num_hashes = static_cast<unsigned>(*row.num_hashes),
                           .num_queries = row.num_queries});
  }
  result.timing.unit = unit_id(unit);
  return result;
}

}  // namespace

TEST_CASE("unit_lookup: rows give the points of the plan", "[output][unit_lookup]") {
  const std::string optimal = R"("queries": {"relative_error": 0.1}, "trials": 2, )";
  SECTION("a best k at each n") {
    require_found(config_of(R"({"variant": ["standard", "partitioned", "blocked"],
        "num_keys": [0, 10, 30, 400], "num_bits": [640, 1280], "num_hashes": "optimal"})",
                            optimal));
  }
  SECTION("a best k at capacity, sizes that round to the same filter") {
    require_found(config_of(R"({"variant": "blocked", "num_keys": [10, 100, 400], "capacity": 100,
        "bits_per_key": [8, 9, 20], "num_hashes": "optimal_at_capacity"})",
                            optimal));
  }
  SECTION("grids that share filters") {
    require_found(config_of(R"(
        {"variant": "standard", "num_keys": [10, 20], "num_bits": 64, "num_hashes": [2, 3]},
        {"variant": "standard", "num_keys": [20, 30], "capacity": 8, "bits_per_key": 8,
         "num_hashes": [3, 4]})"));
  }
  SECTION("churns and growing filters") {
    require_found(config_of(R"(
        {"variant": "counting", "num_keys": [10, 20], "num_counters": 64, "num_hashes": [2, 3]},
        {"variant": "counting", "num_keys": [10, 20], "num_counters": 64, "num_hashes": [2, 3],
         "churn": {"rounds": 2, "erase": 0.5}},
        {"variant": "scalable", "num_keys": [10, 200], "capacity": 50,
         "target_false_positive_rate": [0.1, 0.01]})",
                            R"("queries": 100, )"));
  }
}

TEST_CASE("unit_lookup: rows of the shipped configs are found", "[output][unit_lookup]") {
  for (const auto& entry :
       std::filesystem::directory_iterator(std::filesystem::path(test::kConfigFolder) / "smoke")) {
    INFO(entry.path().string());
    require_found(load_config(entry.path()));
  }
}

TEST_CASE("unit_lookup: rows that a grid does not request are not found", "[output][unit_lookup]") {
  const Config config = config_of(
      R"({"variant": "standard", "num_keys": [10, 20], "num_bits": 64, "num_hashes": [2, 3]})",
      R"("queries": 100, )");
  const Unit unit = expand(config).front();
  const UnitResult right = test::made_up_result(unit);
  REQUIRE(is_found(config, right));
  REQUIRE(is_found(config, with_id_of_rows(unit, right)));
  UnitResult wrong = right;
  SECTION("a missing point") {
    wrong.rows.pop_back();
  }
  SECTION("a repeated point") {
    wrong.rows.push_back(wrong.rows.back());
  }
  SECTION("another k") {
    wrong.rows[0].num_hashes = 5;
  }
  SECTION("another n") {
    wrong.rows[0].num_inserted = 11;
  }
  SECTION("more queries") {
    wrong.rows[0].num_queries = 101;
  }
  SECTION("no rows") {
    wrong.rows.clear();
  }
  SECTION("another variant") {
    wrong.rows[0].variant = "partitioned";
  }
  REQUIRE_FALSE(is_found(config, wrong));
  REQUIRE_FALSE(is_found(config, with_id_of_rows(unit, wrong)));
}

TEST_CASE("unit_lookup: rows under another id are not found", "[output][unit_lookup]") {
  const Config config =
      config_of(R"({"variant": "standard", "num_keys": 10, "num_bits": 64, "num_hashes": 2})");
  UnitResult result = test::made_up_result(expand(config).front());
  result.timing.unit.back() ^= 1;
  REQUIRE_FALSE(is_found(config, result));
}

TEST_CASE("unit_lookup: another best k than that of the id is not found", "[output][unit_lookup]") {
  const Config config = config_of(
      R"({"variant": "standard", "num_keys": 10, "num_bits": 64, "num_hashes": "optimal"})");
  UnitResult result = test::made_up_result(expand(config).front());
  REQUIRE(is_found(config, result));
  ++*result.rows[0].num_hashes;
  REQUIRE_FALSE(is_found(config, result));
}

TEST_CASE("unit_lookup: the best k beside a grid with named k is not looked up",
          "[output][unit_lookup]") {
  const Config config = config_of(R"(
      {"variant": "standard", "num_keys": [10, 20], "num_bits": 64, "num_hashes": "optimal"},
      {"variant": "standard", "num_keys": [20, 30], "num_bits": 64, "num_hashes": [3, 4]})");
  REQUIRE_FALSE(is_found(config, test::made_up_result(expand(config).front())));
}

}  // namespace bloometry
