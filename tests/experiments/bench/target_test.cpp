#include "experiments/bench/target.hpp"

#include <vector>

#include "experiments/bench/key_block.hpp"
#include "experiments/bench/peers/peers.hpp"
#include "tests/support/catch.hpp"

using namespace bloometry::bench;

namespace {

constexpr std::uint64_t kNumTargetKeys = 3'000;

TargetPlan plan_of(const TargetKind& kind, KeyKind keys, std::string_view hash) {
  return kind.plan(
      {.num_keys = kNumTargetKeys, .rate = 0.01, .keys = keys, .hash = std::string(hash)});
}

void make_keys(KeyBlock& block, std::uint64_t first) {
  const std::span<std::uint64_t> numbers = block.resize(kNumTargetKeys);
  for (std::uint64_t i = 0; i < kNumTargetKeys; ++i) numbers[i] = first + i;
  block.finish();
}

std::vector<Call> calls_of(const TargetPlan& plan) {
  if (plan.has_batch) return {Call::kSingle, Call::kBatch};
  return {Call::kSingle};
}

/// Fills a target by the kind of call `insert`, and queries the target by each kind of call. The
/// target must contain all members. All kinds of calls must return the same answers for absent
/// keys.
void check_answers(const TargetPlan& plan, KeyKind keys, Call insert) {
  const auto target = plan.build();
  KeyBlock block(keys);
  make_keys(block, 0);
  block.visit([&](auto members) { target->insert(members, insert); });
  for (const Call call : calls_of(plan)) {
    CHECK(block.visit([&](auto members) { return target->count_positives(members, call); }) ==
          kNumTargetKeys);
  }
  make_keys(block, 1'000'000);
  const auto num_positives = [&](Call call) {
    return block.visit([&](auto absent) { return target->count_positives(absent, call); });
  };
  CHECK(num_positives(calls_of(plan).back()) == num_positives(Call::kSingle));
  CHECK(num_positives(Call::kSingle) < kNumTargetKeys / 20);
  target->clear();
  CHECK(num_positives(Call::kSingle) == 0);
}

void check_erases(const TargetPlan& plan, KeyKind keys, Call call) {
  const auto target = plan.build();
  KeyBlock block(keys);
  make_keys(block, 0);
  block.visit([&](auto members) { target->insert(members, Call::kSingle); });
  CHECK(block.visit([&](auto members) { return target->erase(members, call); }) == kNumTargetKeys);
  CHECK(block.visit(
            [&](auto members) { return target->count_positives(members, Call::kSingle); }) == 0);
}

}  // namespace

TEST_CASE("bench target: every kind of call gives correct answers", "[bench]") {
  for (const TargetKind& kind : all_targets()) {
    for (const std::string_view hash : bench_hashes()) {
      for (const KeyKind keys : {KeyKind::kInteger, KeyKind::kString}) {
        const TargetPlan plan = plan_of(kind, keys, hash);
        INFO(plan.name << (keys == KeyKind::kString ? " string " : " integer ") << plan.hash);
        const bool is_sound_peer = plan.is_peer && plan.name.ends_with("_sound");
        REQUIRE(plan.refusal.empty() == !(is_sound_peer && keys == KeyKind::kString));
        if (!plan.refusal.empty()) continue;
        for (const Call call : calls_of(plan)) {
          check_answers(plan, keys, call);
          if (plan.can_erase) check_erases(plan, keys, call);
        }
      }
    }
  }
}

TEST_CASE("bench target: a filter that cannot be sized gives the reason", "[bench]") {
  const TargetKind standard = variant_targets().front();
  const TargetPlan plan =
      standard.plan({.num_keys = std::uint64_t{1} << 50U, .rate = 1e-300, .hash = "xxh3"});
  CHECK(plan.refusal == "it needs more than 2^53 cells");
}
