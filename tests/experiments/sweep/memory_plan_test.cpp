#include "experiments/sweep/memory_plan.hpp"

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "core/error.hpp"
#include "core/hash/digest.hpp"
#include "experiments/plan/config.hpp"
#include "tests/experiments/workload/temporary_key_file.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/message_of.hpp"
#include "variants/registry/registry.hpp"

namespace bloometry {
namespace {

constexpr std::uint64_t kMiB = std::uint64_t{1} << 20U;
constexpr std::uint64_t kPlenty = std::uint64_t{1} << 40U;

/// Returns the units of 2 trials of standard filters with 8 and 16 million bits. Each unit has 4
/// points, so that the engine auto uses tables.
std::vector<Unit> standard_units(std::uint64_t num_queries = 2'000'000) {
  return expand(config_from_json({{"name", "plan"},
                                  {"trials", 2},
                                  {"queries", num_queries},
                                  {"grids",
                                   {{{"variant", "standard"},
                                     {"num_keys", {500'000, 1'000'000}},
                                     {"num_bits", {8'000'000, 16'000'000}},
                                     {"num_hashes", {2, 3}}}}}}));
}

/// Returns the least sufficient memory in MiB, as stated in the error message.
std::uint64_t least_mib(const std::vector<Unit>& units, Engine engine) {
  const std::string message =
      test::message_of<ConfigError>([&] { static_cast<void>(plan_memory(units, engine, 1, {})); });
  const std::string start = "max_memory must be at least ";
  REQUIRE(message.substr(0, start.size()) == start);
  return std::stoull(message.substr(start.size()));
}

}  // namespace

TEST_CASE("memory_plan: with enough memory all threads run and all digests are kept",
          "[sweep][plan]") {
  const std::vector<Unit> units = standard_units();
  const MemoryPlan plan = plan_memory(units, Engine::kDirect, 3, {kPlenty});
  CHECK(plan.num_threads == 3);
  CHECK(plan.digest_bytes == 2 * sizeof(Digest) * (1'000'000 + 2'000'000));
  CHECK(plan.member_bytes == 2 * sizeof(Digest) * 1'000'000);
  CHECK(plan.unit_bytes >= (16'000'000 + 16'000'000 + 8'000'000) / 8);
  CHECK(plan.peak_bytes() == plan.digest_bytes + plan.unit_bytes);
  CHECK(plan.max_digest_bytes == kPlenty - plan.unit_bytes);
}

TEST_CASE("memory_plan: while a table doubles, the smaller table is counted too", "[sweep][plan]") {
  const std::uint64_t num_keys = GENERATE(0, 1, 1'000, 1'100, 2'000, 2'001, 100'000, 200'000);
  const std::vector<Unit> units =
      expand(config_from_json({{"name", "plan"},
                               {"queries", 1},
                               {"grids",
                                {{{"variant", "d_left"},
                                  {"capacity", 1'000},
                                  {"num_keys", num_keys},
                                  {"bits_per_key", 40},
                                  {"num_hashes", 4},
                                  {"params", {{"max_capacity", 100'000}}}}}}}));
  const Unit& unit = units.at(0);
  FilterSpec spec = unit.spec;
  spec.num_hashes = 4;
  const Geometry first = find_variant("d_left").geometry(spec);
  const Geometry last = find_variant("d_left").geometry_at(spec, num_keys);
  CAPTURE(num_keys, last.num_cells);
  CHECK((last.num_cells > first.num_cells) == (num_keys > 1'000));
  // The table before the last doubling has half of the cells, with a bit more each.
  const std::uint64_t before =
      last.num_cells > first.num_cells ? last.num_cells / 2 * (last.cell_bits + 1) : 0;
  const std::uint64_t order = 8 * num_keys;  // the order of the keys, in bytes
  CHECK(unit_bytes(unit, Engine::kDirect).filter == (last.num_bits() + before) / 8 + 1 + order);
}

TEST_CASE(
    "memory_plan: checkpoint indexes are counted in addition to the filters of the sample check",
    "[sweep][plan]") {
  const std::vector<Unit> units = standard_units();
  const std::uint64_t direct = plan_memory(units, Engine::kDirect, 1, {kPlenty}).unit_bytes;
  // Two lanes and two steps need one byte per position.
  CHECK(plan_memory(units, Engine::kAuto, 1, {kPlenty}).unit_bytes >= direct + 16'000'000);
}

TEST_CASE("memory_plan: each further thread adds the next largest table and filter",
          "[sweep][plan]") {
  const std::vector<Unit> units = standard_units();  // two units of 16 and two of 8 million bits
  const auto third_below_second = [&](Engine engine) {
    std::uint64_t bytes[3];
    for (unsigned i = 0; i < 3; ++i) {
      bytes[i] = plan_memory(units, engine, i + 1, {kPlenty}).unit_bytes;
    }
    return (bytes[1] - bytes[0]) - (bytes[2] - bytes[1]);
  };
  CHECK(third_below_second(Engine::kDirect) == 8'000'000 / 8);
  CHECK(third_below_second(Engine::kAuto) == 8'000'000 / 8 + 8'000'000);
}

TEST_CASE("memory_plan: the peak is within the budget, and memory that fits is used",
          "[sweep][plan]") {
  const std::vector<Unit> units = standard_units();
  for (const Engine engine : {Engine::kAuto, Engine::kDirect, Engine::kNaive}) {
    const std::uint64_t least = least_mib(units, engine) * kMiB;
    unsigned threads_before = 1;
    std::uint64_t digests_before = 0;
    for (std::uint64_t memory = least; memory < least + 200 * kMiB; memory += kMiB) {
      const MemoryPlan plan = plan_memory(units, engine, 4, {memory});
      CHECK(plan.peak_bytes() <= memory);
      CHECK(plan.max_digest_bytes >= plan.member_bytes);
      CHECK(plan.num_threads >= threads_before);
      if (plan.num_threads == threads_before) CHECK(plan.digest_bytes >= digests_before);
      threads_before = plan.num_threads;
      digests_before = plan.digest_bytes;
    }
    CHECK(threads_before == 4);
  }
}

TEST_CASE("memory_plan: if the budget is too small the error states the least that suffices",
          "[sweep][plan]") {
  const std::vector<Unit> units = standard_units();
  for (const Engine engine : {Engine::kAuto, Engine::kDirect, Engine::kNaive}) {
    const std::uint64_t least = least_mib(units, engine);
    CHECK(plan_memory(units, engine, 8, {least * kMiB}).num_threads == 1);
    CHECK_THROWS_AS(plan_memory(units, engine, 8, {(least - 1) * kMiB}), ConfigError);
  }
  const std::string message = test::message_of<ConfigError>(
      [&] { static_cast<void>(plan_memory(units, Engine::kAuto, 2, {2 * kMiB + 1})); });
  CHECK(message == "max_memory must be at least " +
                       std::to_string(least_mib(units, Engine::kAuto)) +
                       "MiB for this config, got 2MiB; engine direct needs only " +
                       std::to_string(least_mib(units, Engine::kDirect)) + "MiB");
}

TEST_CASE("memory_plan: a default budget is raised to what one unit needs", "[sweep][plan]") {
  const std::vector<Unit> units = standard_units();
  const std::uint64_t least = least_mib(units, Engine::kDirect) * kMiB;
  const MemoryBudget small = {.bytes = 3 * kMiB, .is_default = true, .most_bytes = least};
  CHECK(plan_memory(units, Engine::kDirect, 2, small).num_threads == 1);
  const MemoryBudget requested = {.bytes = 3 * kMiB};
  CHECK_THROWS_AS(plan_memory(units, Engine::kDirect, 2, requested), ConfigError);
  const MemoryBudget capped = {.bytes = 3 * kMiB, .is_default = true, .most_bytes = least - kMiB};
  CHECK_THROWS_AS(plan_memory(units, Engine::kDirect, 2, capped), ConfigError);
}

TEST_CASE("memory_plan: more than full_bytes does not keep more digests", "[sweep][plan]") {
  const std::vector<Unit> units = standard_units();
  const std::uint64_t least = least_mib(units, Engine::kDirect) * kMiB;
  const std::uint64_t full = plan_memory(units, Engine::kDirect, 2, {least}).full_bytes;
  const MemoryPlan at_full = plan_memory(units, Engine::kDirect, 2, {full});
  const MemoryPlan more = plan_memory(units, Engine::kDirect, 2, {2 * full});
  const MemoryPlan less = plan_memory(units, Engine::kDirect, 2, {full - 1});
  CHECK(at_full.num_threads == 2);
  CHECK(at_full.digest_bytes == more.digest_bytes);
  CHECK((less.num_threads < 2 || less.digest_bytes < more.digest_bytes));
}

TEST_CASE("memory_plan: the error names a default budget as the default", "[sweep][plan]") {
  const std::vector<Unit> units = standard_units();
  const std::string message = test::message_of<ConfigError>([&] {
    static_cast<void>(
        plan_memory(units, Engine::kDirect, 1, {.bytes = 3 * kMiB, .is_default = true}));
  });
  CHECK(message == "max_memory must be at least " +
                       std::to_string(least_mib(units, Engine::kDirect)) +
                       "MiB for this config, got 3MiB (the default: three quarters of "
                       "the machine's memory)");
  CHECK(memory_budget(0).is_default);
  CHECK(memory_budget(0).bytes <= 2048 * kMiB);
  CHECK(memory_budget(0).bytes > 0);
  CHECK_FALSE(memory_budget(1).is_default);
}

TEST_CASE("memory_plan: the naive engine does not keep digests", "[sweep][plan]") {
  CHECK(plan_memory(standard_units(), Engine::kNaive, 2, {kPlenty}).digest_bytes == 0);
}

TEST_CASE("memory_plan: key files are counted, with one list for members and queries",
          "[sweep][plan]") {
  const test::TemporaryKeyFile file(test::numbered_lines(3'000));
  std::vector<Unit> units = standard_units(1'000);
  units.resize(1);
  units[0].keys = file.source();
  units[0].points = {{1'000, 3, 1'500}};
  const MemoryPlan plan = plan_memory(units, Engine::kDirect, 1, {kPlenty});
  CHECK(plan.key_file_bytes == 2 * std::filesystem::file_size(file.source().path));
  CHECK(plan.member_bytes == sizeof(Digest) * 2'500);
  CHECK(plan.digest_bytes == plan.member_bytes);
}

}  // namespace bloometry
