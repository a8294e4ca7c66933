#include "experiments/trial/unit_work.hpp"

#include <atomic>
#include <set>
#include <string>
#include <vector>

#include "core/any_filter/any_filter.hpp"
#include "core/hash/xxh3_hasher.hpp"
#include "experiments/workload/digest_store.hpp"
#include "tests/experiments/unit/unit_factory.hpp"
#include "tests/support/catch.hpp"
#include "variants/registry/registry.hpp"

namespace bloometry {
namespace {

Unit growing_unit(double initial_capacity, double growth_factor, std::uint64_t num_keys,
                  std::uint64_t num_queries) {
  Unit unit = test::small_unit("scalable", 0, {{num_keys, 0, num_queries}});
  unit.spec.params["initial_capacity"] = initial_capacity;
  unit.spec.params["growth_factor"] = growth_factor;
  return unit;
}

std::uint64_t real_num_stages(const Unit& unit) {
  AnyFilter filter = make_filter(unit.variant, unit.probes, unit.spec);
  std::vector<Digest> digests;
  for (std::uint64_t i = 0; i < unit.points.front().num_inserted; ++i) {
    digests.push_back(Xxh3Hasher()(std::to_string(i)));
  }
  filter.insert(digests);
  return *filter.state().num_stages;
}

}  // namespace

TEST_CASE("unit_work: an operation on a filter that does not grow is one", "[trial][work]") {
  const Unit unit = test::small_unit("standard", 4'000, test::grid({10, 300}, {1, 4}, 9'000));
  REQUIRE(work_per_operation(unit, unit.points, StageCost::kBatch) == 1);
  REQUIRE(work_per_operation(unit, unit.points, StageCost::kSingle) == 1);
  REQUIRE(planned_num_stages(unit, 1e9) == 1);
  REQUIRE(count_work(unit, Engine::kDirect, true) ==
          static_cast<double>(count_operations(unit, Engine::kDirect)));
}

TEST_CASE("unit_work: the planned number of stages is that of the filter, within a factor of two",
          "[trial][work]") {
  for (const double growth : {1.0, 1.5, 2.0}) {
    for (const double capacity : {1.0, 10.0, 1000.0}) {
      const Unit unit = growing_unit(capacity, growth, 2'000, 1);
      const auto real = static_cast<double>(real_num_stages(unit));
      const double planned = planned_num_stages(unit, 2'000);
      INFO("growth " << growth << ", capacity " << capacity << ": " << planned << " of " << real);
      REQUIRE(planned <= 2 * real);
      REQUIRE(planned >= real / 2);
    }
  }
}

TEST_CASE("unit_work: a filter of a key per stage costs the square of its keys", "[trial][work]") {
  const double small = count_work(growing_unit(1, 1, 10'000, 10'000), Engine::kDirect, false);
  const double large = count_work(growing_unit(1, 1, 100'000, 100'000), Engine::kDirect, false);
  REQUIRE(large > 1e9);
  REQUIRE(large / small > 90);
  REQUIRE(large / small < 110);
}

TEST_CASE("unit_work: progress adds up to count_work with every engine, checks included",
          "[trial][work]") {
  std::vector<Unit> units = {growing_unit(10, 1, 2'000, 9'000), growing_unit(64, 2, 300, 9'000)};
  units.push_back(test::small_unit("partitioned", 4'000, test::grid({10, 300}, {1, 4}, 9'000)));
  units.push_back(test::small_unit("standard", 4'000, test::grid({10, 300}, {1, 4}, 9'000)));
  for (const Unit& unit : units) {
    for (const Engine engine : {Engine::kAuto, Engine::kDirect, Engine::kNaive}) {
      DigestStore store(1 << 24);
      std::atomic<std::uint64_t> work{0};
      const std::set<std::string> always_checked = {unit.id};
      const TrialContext context{
          .engine = engine, .digests = &store, .work = &work, .always_checked = &always_checked};
      REQUIRE(run_unit(unit, context).has_value());
      const double planned = count_work(unit, engine, true);
      INFO(unit.variant << " " << work << " of " << planned);
      // The number of keys in each block is rounded down. In this test, the rounding affects at
      // most two blocks per phase and four phases per point.
      REQUIRE(static_cast<double>(work) <= planned + 1);
      REQUIRE(static_cast<double>(work) >= planned - 8 * static_cast<double>(unit.points.size()));
    }
  }
}

}  // namespace bloometry
