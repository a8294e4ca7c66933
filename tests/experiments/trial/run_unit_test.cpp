#include "experiments/trial/run_unit.hpp"

#include <atomic>
#include <cstdint>
#include <thread>
#include <vector>

#include "experiments/trial/buffer_pool.hpp"
#include "experiments/workload/digest_store.hpp"
#include "tests/experiments/unit/unit_factory.hpp"
#include "tests/support/catch.hpp"

namespace bloometry {
namespace {

std::vector<Unit> some_units() {
  std::vector<Unit> units;
  units.push_back(
      test::small_unit("standard", 4'000, test::grid({10, 300, 700}, {1, 4, 20}, 9'000)));
  units.push_back(test::small_unit("partitioned", 4'000, test::grid({10, 300}, {1, 4}, 9'000)));
  units.push_back(test::small_unit("scalable", 0, test::grid({10, 300}, {1}, 9'000)));
  units.push_back(test::small_unit("counting", 40'000, test::grid({10, 300}, {1, 4}, 9'000)));
  units.back().churn = Churn{.rounds = 3, .erase = 0.2, .reinsert = 0.1, .wrongful_erases = 0.1};
  return units;
}

}  // namespace

TEST_CASE("run_unit: progress adds up to count_operations with every engine",
          "[experiments][trial]") {
  for (const Unit& unit : some_units()) {
    for (const Engine engine : {Engine::kAuto, Engine::kDirect, Engine::kNaive}) {
      DigestStore store(1 << 24);
      std::atomic<std::uint64_t> num_operations{0};
      const TrialContext context{
          .engine = engine, .digests = &store, .num_operations = &num_operations};
      REQUIRE(run_unit(unit, context).has_value());
      INFO(unit.variant);
      REQUIRE(num_operations == count_operations(unit, engine));
    }
  }
}

TEST_CASE("run_unit: answered key operations do not depend on the engine", "[experiments][trial]") {
  const Unit unit = test::small_unit("standard", 4'000, test::grid({10, 300}, {1, 4}, 9'000));
  for (const Engine engine : {Engine::kAuto, Engine::kDirect, Engine::kNaive}) {
    DigestStore store(1 << 24);
    const auto result = run_unit(unit, {.engine = engine, .digests = &store});
    REQUIRE(result->timing.num_key_operations == 2 * (10 + 300) + 4 * 9'000);
    REQUIRE(result->timing.num_points == 4);
    REQUIRE(result->timing.total_s > 0);
  }
}

TEST_CASE("run_unit: a cancelled unit has no result", "[experiments][trial]") {
  const std::atomic<bool> cancelled{true};
  for (const Unit& unit : some_units()) {
    for (const Engine engine : {Engine::kAuto, Engine::kDirect, Engine::kNaive}) {
      DigestStore store(1 << 24);
      const TrialContext context{.engine = engine, .digests = &store, .cancelled = &cancelled};
      REQUIRE_FALSE(run_unit(unit, context).has_value());
    }
  }
}

TEST_CASE("run_unit: threads with a shared store and pool give the rows of one thread",
          "[experiments][trial]") {
  const std::vector<Unit> units = some_units();
  std::vector<std::vector<TrialRow>> expected;
  for (const Unit& unit : units) {
    DigestStore store(1 << 24);
    expected.push_back(run_unit(unit, {.digests = &store})->rows);
  }
  DigestStore store(300'000);
  BufferPool buffers;
  const TrialContext context{.digests = &store, .buffers = &buffers};
  std::vector<std::vector<TrialRow>> found(4 * units.size());
  {
    std::vector<std::jthread> threads;
    for (std::size_t i = 0; i < found.size(); ++i) {
      threads.emplace_back([&, i] { found[i] = run_unit(units[i % units.size()], context)->rows; });
    }
  }
  for (std::size_t i = 0; i < found.size(); ++i) REQUIRE(found[i] == expected[i % units.size()]);
}

TEST_CASE("run_unit: peak memory covers the checkpoint index", "[experiments][trial]") {
  const Unit unit = test::small_unit("standard", 1'000'000, test::grid({10, 300}, {1, 4}, 9'000));
  REQUIRE(unit_bytes(unit, Engine::kAuto).table >= 1'000'000);
  REQUIRE(unit_bytes(unit, Engine::kAuto).filter >= 125'000);  // for the sample check
  REQUIRE(unit_bytes(unit, Engine::kDirect).table == 0);
  REQUIRE(unit_bytes(unit, Engine::kDirect).total() >= 125'000);
  REQUIRE(unit_bytes(unit, Engine::kDirect).total() < 200'000);
}

}  // namespace bloometry
