#include "experiments/bench/key_stream.hpp"

#include <algorithm>
#include <array>
#include <set>
#include <string>
#include <vector>

#include "experiments/bench/key_block.hpp"
#include "tests/support/catch.hpp"

using namespace bloometry::bench;

namespace {

using Numbers = std::vector<std::uint64_t>;

constexpr std::array kOneThread = {1U};

/// Returns all queries, read block by block as in a run.
Numbers numbers_of(const Queries& queries, const MemberOrder& members) {
  Numbers numbers(queries.num_queries);
  for (std::uint64_t from = 0; from < queries.num_queries; from += kBlockKeys) {
    const auto size = std::min<std::uint64_t>(kBlockKeys, queries.num_queries - from);
    queries.write(from, members, std::span(numbers).subspan(from, size));
  }
  return numbers;
}

bool is_member(const Build& build, std::uint64_t number) {
  return number - build.members.first < build.members.size;
}

std::uint64_t num_members(const Build& build, const Numbers& numbers) {
  return static_cast<std::uint64_t>(
      std::count_if(numbers.begin(), numbers.end(),
                    [&](std::uint64_t number) { return is_member(build, number); }));
}

}  // namespace

TEST_CASE("bench keys: no key is queried twice, even in warm-ups and other builds", "[bench]") {
  constexpr std::uint64_t kNumKeys = 40'000;
  const BuildPlan plan = plan_builds(kNumKeys, 30'000);
  CHECK(plan.num_queries == 10'000);
  CHECK(plan.num_builds == 3);
  NumberSource source;
  std::set<std::uint64_t> queried;
  std::uint64_t num_queries = 0;
  std::set<std::uint64_t> inserted;
  for (std::uint64_t i = 0; i < plan.num_builds; ++i) {
    const Build build = next_build(source, kNumKeys, plan.num_queries, kQueryOps, kOneThread);
    REQUIRE(build.passes.size() == 6);
    const MemberOrder members(build.members);
    for (std::uint64_t j = 0; j < kNumKeys; ++j) inserted.insert(build.members.first + j);
    for (const QueryPass& pass : build.passes) {
      CHECK(pass.timed.num_queries == plan.num_queries);
      CHECK(pass.warm_up.num_queries == plan.num_queries / kWarmUpShare);
      for (const Queries& queries : {pass.warm_up, pass.timed}) {
        const Numbers numbers = numbers_of(queries, members);
        queried.insert(numbers.begin(), numbers.end());
        num_queries += numbers.size();
      }
    }
  }
  CHECK(queried.size() == num_queries);
  CHECK(inserted.size() == plan.num_builds * kNumKeys);
}

TEST_CASE("bench keys: negative queries no members, positive only members, mix half of each",
          "[bench]") {
  const BuildPlan plan{.num_builds = 1, .num_queries = 9'001};
  NumberSource source;
  source.next(1'000'000);
  const Build build = next_build(source, 40'000, plan.num_queries, kQueryOps, kOneThread);
  const MemberOrder members(build.members);
  for (const QueryPass& pass : build.passes) {
    const Numbers numbers = numbers_of(pass.timed, members);
    INFO(name_of(pass.timed.op) << ' ' << name_of(pass.timed.call));
    switch (pass.timed.op) {
      case Op::kNegative:
        CHECK(num_members(build, numbers) == 0);
        break;
      case Op::kPositive:
        CHECK(num_members(build, numbers) == 9'001);
        break;
      default:
        CHECK(num_members(build, numbers) == 4'500);
        break;
    }
  }
}

TEST_CASE("bench keys: a mix is in random order", "[bench]") {
  NumberSource source;
  const Build build = next_build(source, 40'000, 4'096, std::vector{Op::kMix}, kOneThread);
  const Numbers numbers = numbers_of(build.passes.front().timed, MemberOrder(build.members));
  std::uint64_t num_changes = 0;
  for (std::size_t i = 1; i < numbers.size(); ++i) {
    num_changes += is_member(build, numbers[i]) != is_member(build, numbers[i - 1]) ? 1 : 0;
  }
  // Each of 4095 pairs of neighbours differs with probability 1/2. Each limit is six standard
  // errors of 32 from the mean. A share of 2e-9 of all shuffles exceeds a limit.
  CHECK(num_changes > 2048 - 6 * 32);
  CHECK(num_changes < 2048 + 6 * 32);
}

TEST_CASE("bench keys: each member is queried once, in another order than inserted", "[bench]") {
  for (const std::uint64_t size : {1U, 2U, 1'000U, 4'097U, 65'536U}) {
    const MemberOrder order({.first = 7, .size = size});
    std::set<std::uint64_t> met;
    for (std::uint64_t i = 0; i < size; ++i) met.insert(order.at(i));
    CHECK(met.size() == size);
    CHECK(*met.begin() == 7);
    CHECK(*met.rbegin() == 6 + size);
  }
  const MemberOrder order({.first = 0, .size = 1'000'000});
  std::uint64_t num_from_first_half = 0;
  for (std::uint64_t i = 0; i < 1'000; ++i) num_from_first_half += order.at(i) < 500'000 ? 1 : 0;
  CHECK(num_from_first_half >= 499);
  CHECK(num_from_first_half <= 501);
}

TEST_CASE("bench keys: a small filter is built often enough to query new members", "[bench]") {
  CHECK(plan_builds(10'000'000, 1'000'000).num_builds == 1);
  CHECK(plan_builds(10'000'000, 1'000'000).num_queries == 1'000'000);
  CHECK(plan_builds(100'000, 1'000'000).num_builds == 40);
  CHECK(plan_builds(100'000, 1'000'000).num_queries == 25'000);
  CHECK(plan_builds(100'000, 25'001).num_builds == 2);
}

TEST_CASE("bench keys: strings have 20 bytes and are the hexadecimal integers", "[bench]") {
  KeyBlock block(KeyKind::kString);
  const std::span<std::uint64_t> numbers = block.resize(3);
  numbers[0] = 0;
  numbers[1] = 0x0123456789abcdef;
  numbers[2] = ~std::uint64_t{0};
  block.finish();
  block.visit([](auto keys) {
    if constexpr (std::is_same_v<decltype(keys), StringKeys>) {
      REQUIRE(keys.size() == 3);
      CHECK(keys[0] == "key:0000000000000000");
      CHECK(keys[1] == "key:0123456789abcdef");
      CHECK(keys[2] == "key:ffffffffffffffff");
      CHECK(keys[0].size() == kStringBytes);
    } else {
      FAIL("strings were requested");
    }
  });
}

TEST_CASE("bench order: each target comes first in turn", "[bench]") {
  CHECK(rotated_order(3, 0) == std::vector<std::size_t>{0, 1, 2});
  CHECK(rotated_order(3, 1) == std::vector<std::size_t>{1, 2, 0});
  CHECK(rotated_order(3, 5) == std::vector<std::size_t>{2, 0, 1});
  CHECK(rotated_order(0, 4).empty());
}
