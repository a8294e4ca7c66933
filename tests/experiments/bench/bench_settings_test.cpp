#include "experiments/bench/bench_settings.hpp"

#include <algorithm>
#include <string>

#include "core/error.hpp"
#include "experiments/bench/peers/peers.hpp"
#include "tests/support/catch.hpp"
#include "variants/registry/registry.hpp"

using namespace bloometry;
using namespace bloometry::bench;

namespace {

BenchPlan plan_of(const BenchSettings& settings) {
  return make_bench_plan(settings, all_targets(), {.memory_bytes = 0, .num_cpus = 4});
}

std::string settings_complaint(const BenchSettings& settings, std::uint64_t memory_bytes = 0) {
  try {
    static_cast<void>(
        make_bench_plan(settings, all_targets(), {.memory_bytes = memory_bytes, .num_cpus = 4}));
  } catch (const ConfigError& error) {
    return error.what();
  }
  return "none";
}

}  // namespace

TEST_CASE("bench settings: without names all variants are measured", "[bench]") {
  const BenchPlan plan = plan_of({.num_keys = {10'000}});
  REQUIRE(plan.cases.size() == 2);
  CHECK(plan.ops.size() == 5);
  CHECK(plan.settings.hash == "xxh3");
  for (const BenchCase& bench_case : plan.cases) {
    for (const VariantInfo& variant : all_variant_infos()) {
      const auto found =
          std::find_if(bench_case.plans.begin(), bench_case.plans.end(),
                       [&](const TargetPlan& target) { return target.name == variant.name; });
      INFO(variant.name);
      REQUIRE(found != bench_case.plans.end());
      CHECK(found->can_erase == variant.can(Operation::kErase));
      CHECK(found->num_bits > 0);
    }
  }
}

TEST_CASE("bench settings: integer keys may follow a pattern", "[bench]") {
  const BenchPlan plan = plan_of({.targets = {"standard"}, .num_keys = {10'000}});
  REQUIRE(plan.cases.size() == 2);
  CHECK(plan.cases[0].keys == "random");
  CHECK(plan.cases[1].keys == "string");
  const BenchPlan patterns =
      plan_of({.targets = {"standard"}, .num_keys = {10'000}, .keys = {"strided", "sequential"}});
  REQUIRE(patterns.cases.size() == 2);
  CHECK(patterns.cases[0].keys == "sequential");
  CHECK(patterns.cases[1].keys == "strided");
}

TEST_CASE("bench settings: filters are sized by their exact rate", "[bench]") {
  const BenchPlan plan =
      plan_of({.targets = {"standard"}, .num_keys = {1'000'000}, .keys = {"random"}});
  REQUIRE(plan.cases.size() == 1);
  const TargetPlan& standard = plan.cases.front().plans.front();
  CHECK(standard.num_bits == 9'592'957);
  CHECK(standard.num_hashes == 7);
  CHECK(*standard.expected_rate <= 0.01);
  CHECK(standard.build()->num_bits() == 9'592'957);
}

TEST_CASE("bench settings: a filter that grows may be opened for fewer keys", "[bench]") {
  const auto bits = [](std::optional<std::uint64_t> initial_capacity) {
    const BenchPlan plan = plan_of({.targets = {"scalable"},
                                    .num_keys = {100'000},
                                    .keys = {"random"},
                                    .initial_capacity = initial_capacity});
    return plan.cases.front().plans.front().build()->num_bits();
  };
  CHECK(bits(1'000) < bits(std::nullopt) / 50);
}

TEST_CASE("bench settings: an invalid value is reported with the allowed values", "[bench]") {
  CHECK(settings_complaint({.targets = {"standrad"}}).find("variants must be one of standard, ") ==
        0);
  CHECK(settings_complaint({.targets = {"standrad"}}).find("got 'standrad'") != std::string::npos);
  CHECK(settings_complaint({.num_keys = {999}}) ==
        "num_keys must be in [1000, 4294967296], got 999");
  CHECK(settings_complaint({.rate = 1}) == "rate must be in (0, 1), got 1");
  CHECK(settings_complaint({.ops = {"delete"}}) ==
        "ops must be one of insert, negative, mix, positive, erase, got 'delete'");
  CHECK(settings_complaint({.keys = {"text"}}) ==
        "keys must be one of random, sequential, strided, high_half, thousands, top_16_bits, "
        "top_10_bits, both_halves, string, got 'text'");
  CHECK(settings_complaint({.hash = "fast"}).find("hash must be one of xxh3, ") == 0);
  CHECK(settings_complaint({.num_repetitions = 0}) ==
        "num_repetitions must be in [1, 1000], got 0");
  CHECK(settings_complaint({.num_queries = 10}) ==
        "num_queries must be in [1000, 1000000000], got 10");
  CHECK(settings_complaint({.initial_capacity = 0}) ==
        "initial_capacity must be in [1, 4294967296], got 0");
}

TEST_CASE("bench settings: a repeated number of keys is measured once", "[bench]") {
  const BenchPlan plan =
      plan_of({.targets = {"standard"}, .num_keys = {20'000, 10'000, 20'000}, .keys = {"random"}});
  REQUIRE(plan.cases.size() == 2);
  CHECK(plan.cases[0].num_keys == 20'000);
  CHECK(plan.cases[1].num_keys == 10'000);
  CHECK(plan.settings.num_keys.size() == 2);
}

TEST_CASE("bench settings: one thread is always measured, and threads are at most the usable cores",
          "[bench]") {
  CHECK(plan_of({.num_keys = {4'000}, .threads = {4, 2, 4}}).settings.threads ==
        std::vector<unsigned>{1, 2, 4});
  CHECK(settings_complaint({.num_keys = {4'000}, .threads = {5}}) ==
        "threads must be in [1, 4], the number of usable cores, got 5");
  CHECK(
      settings_complaint({.num_keys = {4'000}, .threads = {0}}).find("threads must be in [1, 4]") ==
      0);
  CHECK(settings_complaint({.num_keys = {1'999}, .threads = {2}}) ==
        "num_keys must be in [2000, 4294967296], got 1999");
  CHECK(settings_complaint({.num_keys = {2'000}, .num_queries = 1'999, .threads = {2}}) ==
        "num_queries must be in [2000, 1000000000], got 1999");
}

TEST_CASE("bench settings: atomic filters are measured if threads are requested", "[bench]") {
  const auto names = [](const BenchSettings& settings) {
    std::string text;
    const BenchPlan plan = plan_of(settings);
    for (const TargetPlan& target : plan.cases.front().plans) text += target.name + ' ';
    return text;
  };
  CHECK(names({.num_keys = {2'000}}).find("atomic_") == std::string::npos);
  CHECK(names({.num_keys = {2'000}, .threads = {1, 2}}).find("atomic_standard atomic_blocked") !=
        std::string::npos);
  CHECK(names({.targets = {"atomic_blocked"}, .num_keys = {2'000}}) == "atomic_blocked ");
  const BenchPlan plan = plan_of({.num_keys = {2'000}, .threads = {2}});
  for (const TargetPlan& target : plan.cases.front().plans) {
    CHECK(target.is_concurrent == (target.name.find("atomic_") == 0));
  }
}

TEST_CASE("bench settings: erase alone is refused if no variant can erase", "[bench]") {
  const auto erase_of = [](const std::vector<std::string>& targets) {
    return settings_complaint({.targets = targets, .num_keys = {1'000}, .ops = {"erase"}});
  };
  CHECK(erase_of({"blocked", "standard"}) ==
        "ops must be one of insert, negative, mix, positive if none of the variants can erase, "
        "got 'erase'");
  CHECK(erase_of({"blocked", "counting"}) == "none");
}

TEST_CASE("bench settings: cases that do not fit the memory are refused", "[bench]") {
  BenchSettings settings{.targets = {"standard"}, .num_keys = {1'000'000}, .keys = {"random"}};
  // The filter and the array of the floor need 2 * 1,199,119 bytes. A fifth of the memory must stay
  // free.
  constexpr std::uint64_t kNeeded = 2 * 1'199'119;
  CHECK(memory_bytes_of(plan_of(settings).cases.front()) == kNeeded);
  CHECK(settings_complaint(settings, kNeeded / 4 * 5 + 10) == "none");
  CHECK(settings_complaint(settings, kNeeded / 4 * 5 - 10).find("num_keys must be small enough") ==
        0);
}
