#include "experiments/sweep/time_estimate.hpp"

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <nlohmann/json.hpp>

#include "experiments/plan/config.hpp"
#include "tests/support/catch.hpp"

namespace bloometry {
namespace {

double estimate(const nlohmann::json& grid, std::uint64_t trials, std::uint64_t queries,
                Engine engine = Engine::kAuto) {
  const std::vector<Unit> units = expand(config_from_json(
      {{"name", "time"}, {"trials", trials}, {"queries", queries}, {"grids", {grid}}}));
  const MemoryPlan memory = plan_memory(units, engine, 1, {std::uint64_t{1} << 34U});
  return estimate_seconds(units, engine, memory);
}

/// Returns the least of several estimates. Other programs on the machine make the measurements, and
/// thus an estimate, longer and not shorter.
double least_estimate(const nlohmann::json& grid, std::uint64_t trials, std::uint64_t queries,
                      Engine engine = Engine::kAuto) {
  double least = estimate(grid, trials, queries, engine);
  for (int i = 0; i < 6; ++i) least = std::min(least, estimate(grid, trials, queries, engine));
  return least;
}

const nlohmann::json kShort = {
    {"variant", "standard"}, {"num_keys", 1000}, {"num_bits", 10'000}, {"num_hashes", 7}};

}  // namespace

TEST_CASE("time_estimate: more work takes longer", "[sweep]") {
  // The larger sweep has a hundred times as many trials or queries. The smaller sweep has several
  // units, because in a single unit the sample check can need most of the time.
  const double few = least_estimate(kShort, 5, 10'000);
  CHECK(least_estimate(kShort, 500, 10'000) > 10 * few);
  CHECK(least_estimate(kShort, 5, 1'000'000) > 10 * few);
  CHECK(least_estimate(kShort, 500, 10'000, Engine::kNaive) >
        10 * least_estimate(kShort, 5, 10'000, Engine::kNaive));
}

TEST_CASE("time_estimate: an estimate of hours takes seconds", "[sweep]") {
  const nlohmann::json grid = {{"variant", {"standard", "counting", "blocked"}},
                               {"num_keys", {1'000'000, 100'000'000}},
                               {"bits_per_key", {40}},
                               {"num_hashes", {1, 2, 3, 4, 5, 6, 7, 8, 9, 10}}};
  const auto start = std::chrono::steady_clock::now();
  const double seconds = estimate(grid, 50, 100'000'000);
  const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start;
  // The sweep has 3 variants, 50 trials, 10 values of k and 4e8 operations per filter. An operation
  // needs at least 1 ns.
  CHECK(seconds > 600);
  CHECK(elapsed.count() < seconds / 10);
}

}  // namespace bloometry
