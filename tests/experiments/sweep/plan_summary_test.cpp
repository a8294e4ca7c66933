#include "experiments/sweep/plan_summary.hpp"

#include <nlohmann/json.hpp>

#include "experiments/plan/config.hpp"
#include "tests/support/catch.hpp"

namespace bloometry {
namespace {

std::vector<Unit> units_with(const nlohmann::json& probes, std::uint64_t trials,
                             const nlohmann::json& hashes = "xxh3") {
  return expand(config_from_json({{"name", "plan"},
                                  {"hash", hashes},
                                  {"probes", probes},
                                  {"trials", trials},
                                  {"queries", 1000},
                                  {"grids",
                                   {{{"variant", "counting"},
                                     {"num_keys", {100, 500}},
                                     {"num_counters", 8192},
                                     {"num_hashes", {2, 3}}}}}}));
}

constexpr std::uint64_t kEnoughMemory = std::uint64_t{1} << 30U;

}  // namespace

TEST_CASE("plan_summary: counts units, rows and shared digests", "[sweep][plan]") {
  const PlanSummary summary =
      summarize_plan(units_with("remix", 3), Engine::kAuto, 1, {kEnoughMemory});
  REQUIRE(summary.num_units == 3);
  REQUIRE(summary.num_rows == 12);
  REQUIRE(summary.memory.digest_bytes == 16 * (500 + 1000));
  REQUIRE(summary.memory.unit_bytes >= 8192 / 2);
  REQUIRE(summary.num_key_operations > 12 * 1000);
  REQUIRE(summary.exempt.empty());
}

TEST_CASE("plan_summary: each further thread holds the digests of one more trial",
          "[sweep][plan]") {
  const std::vector<Unit> units = units_with("remix", 3);
  for (const std::uint64_t threads : {1U, 2U, 3U, 5U}) {
    const MemoryPlan memory =
        summarize_plan(units, Engine::kAuto, static_cast<unsigned>(threads), {kEnoughMemory})
            .memory;
    REQUIRE(memory.digest_bytes == std::min<std::uint64_t>(threads, 3) * 16 * (500 + 1000));
  }
}

TEST_CASE("plan_summary: exempt rows are counted by reason", "[sweep][plan]") {
  const std::vector<Unit> units = units_with({"remix", "double_mod"}, 1);
  const PlanSummary summary = summarize_plan(units, Engine::kAuto, 1, {kEnoughMemory});
  REQUIRE(summary.exempt.size() == 1);
  REQUIRE(summary.exempt.begin()->second == 4);
}

TEST_CASE("plan_summary: rows with wrongful erases are exempt", "[sweep][plan]") {
  std::vector<Unit> units = units_with("remix", 1);
  for (const auto& [wrongful, num_exempt] : {std::pair{0.0, 0U}, {0.5, 1U}}) {
    for (Unit& unit : units) {
      unit.churn = Churn{.rounds = 1, .erase = 0.1, .wrongful_erases = wrongful};
    }
    const PlanSummary summary = summarize_plan(units, Engine::kAuto, 1, {kEnoughMemory});
    REQUIRE(summary.exempt.size() == num_exempt);
    for (const auto& [reason, num_rows] : summary.exempt) REQUIRE(num_rows == summary.num_rows);
  }
}

TEST_CASE("plan_summary: rows with a weak hash are exempt", "[sweep][plan]") {
  const std::vector<Unit> units = units_with("remix", 1, {"xxh64", "md5_split", "crc32", "sdbm"});
  const PlanSummary summary = summarize_plan(units, Engine::kAuto, 1, {kEnoughMemory});
  REQUIRE(summary.num_rows == 16);
  REQUIRE(summary.exempt == std::map<std::string, std::uint64_t>{{"hash crc32 is marked weak", 4},
                                                                 {"hash sdbm is marked weak", 4}});
}

}  // namespace bloometry
