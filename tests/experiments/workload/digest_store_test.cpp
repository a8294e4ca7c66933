#include "experiments/workload/digest_store.hpp"

#include <cstdint>
#include <latch>
#include <memory>
#include <thread>
#include <vector>

#include "core/error.hpp"
#include "core/hash/key_view.hpp"
#include "core/hash/xxh3_hasher.hpp"
#include "core/statistics/seed_sequence.hpp"
#include "tests/experiments/unit/unit_factory.hpp"
#include "tests/experiments/workload/temporary_key_file.hpp"
#include "tests/support/catch.hpp"

namespace bloometry {
namespace {

std::vector<Digest> collect(DigestCursor cursor) {
  std::vector<Digest> digests;
  for (auto block = cursor.next(); !block.empty(); block = cursor.next()) {
    digests.insert(digests.end(), block.begin(), block.end());
  }
  return digests;
}

Unit unit_with(KeySource source, std::uint64_t num_members, std::uint64_t num_queries) {
  Unit unit = test::small_unit("standard", 1000, {{num_members, 3, num_queries}});
  unit.keys = std::move(source);
  return unit;
}

Unit random_unit(std::uint64_t num_members = 20'000, std::uint64_t num_queries = 50'000) {
  return unit_with(test::synthetic_source(KeySource::Kind::kRandom), num_members, num_queries);
}

}  // namespace

TEST_CASE("digest_store: a digest is the hash of the key under the trial's seed",
          "[experiments][workload]") {
  Unit unit = unit_with(test::synthetic_source(KeySource::Kind::kSequential), 10, 10);
  unit.trial = 2;
  DigestStore store(1 << 20);
  const Xxh3Hasher hasher(SeedSequence(unit.root_seed).seed("hash", "sequential", 2));
  const std::uint64_t offset = std::uint64_t{2} << 48U;
  REQUIRE((*store.members(unit, 10))[3] == hasher(IntegerKey(offset + 6).view()));
  REQUIRE(collect(store.queries(unit, 0, 10))[3] == hasher(IntegerKey(offset + 7).view()));
}

TEST_CASE("digest_store: keys of a pattern are those of the item", "[experiments][workload]") {
  const Unit unit = unit_with({.kind = KeySource::Kind::kPattern, .name = "strided"}, 10, 10);
  DigestStore store(1 << 20);
  const Xxh3Hasher hasher(SeedSequence(unit.root_seed).seed("hash", "strided", 0));
  REQUIRE((*store.members(unit, 10))[3] == hasher(IntegerKey(6 << 16).view()));
  REQUIRE(collect(store.queries(unit, 0, 10))[3] == hasher(IntegerKey(7 << 16).view()));
}

TEST_CASE("digest_store: digests are the same whether kept or computed again",
          "[experiments][workload]") {
  const test::TemporaryKeyFile file(test::numbered_lines(70'000));
  for (const KeySource& source : {test::synthetic_source(KeySource::Kind::kRandom),
                                  test::synthetic_source(KeySource::Kind::kUrl), file.source()}) {
    const Unit unit = unit_with(source, 20'000, 50'000);
    DigestStore roomy(1 << 24);
    DigestStore tight(0);
    const auto members = roomy.members(unit, 20'000);
    REQUIRE(std::equal(members->begin(), members->begin() + 20'000,
                       tight.members(unit, 20'000)->begin()));
    REQUIRE(collect(roomy.hash_anew(unit, KeyRole::kMember, 0, 20'000)) ==
            std::vector<Digest>(members->begin(), members->begin() + 20'000));
    const auto queries = collect(roomy.queries(unit, 0, 50'000));
    REQUIRE(queries.size() == 50'000);
    REQUIRE(queries == collect(tight.queries(unit, 0, 50'000)));
    REQUIRE(queries == collect(roomy.hash_anew(unit, KeyRole::kQuery, 0, 50'000)));
    const auto part = collect(tight.queries(unit, 123, 40'000));
    REQUIRE(part == std::vector<Digest>(queries.begin() + 123, queries.begin() + 40'123));
  }
}

TEST_CASE("digest_store: queries of a file follow the members of their unit",
          "[experiments][workload]") {
  const test::TemporaryKeyFile file(test::numbered_lines(100));
  const Unit fewer = unit_with(file.source(), 30, 20);
  const Unit more = unit_with(file.source(), 40, 20);
  DigestStore store(1 << 20);
  store.reserve(more);
  store.reserve(fewer);
  const auto lines = collect(store.hash_anew(more, KeyRole::kMember, 0, 100));
  REQUIRE(collect(store.queries(fewer, 0, 20)) ==
          std::vector<Digest>(lines.begin() + 30, lines.begin() + 50));
  REQUIRE(collect(store.queries(more, 0, 20)) ==
          std::vector<Digest>(lines.begin() + 40, lines.begin() + 60));
}

TEST_CASE("digest_store: lists of reserved units are computed once, in full length",
          "[experiments][workload]") {
  DigestStore store(1 << 24);
  store.reserve(random_unit(1'000, 10));
  store.reserve(random_unit(5'000, 10));
  const auto first = store.members(random_unit(1'000, 10), 1'000);
  REQUIRE(first->size() == 5'000);
  REQUIRE(store.members(random_unit(5'000, 10), 5'000) == first);
}

TEST_CASE("digest_store: a list is released by its last user", "[experiments][workload]") {
  const test::TemporaryKeyFile file(test::numbered_lines(70'000));
  for (const KeySource& source :
       {test::synthetic_source(KeySource::Kind::kRandom), file.source()}) {
    const std::vector<Unit> users = {unit_with(source, 20'000, 10'000),
                                     unit_with(source, 10'000, 20'000)};
    DigestStore store(1 << 24);
    for (const Unit& user : users) store.reserve(user);
    const std::weak_ptr members = store.members(users[0], 20'000);
    const auto queries = collect(store.queries(users[0], 0, 10'000));
    store.release(users[1]);
    REQUIRE_FALSE(members.expired());
    store.release(users[0]);
    REQUIRE(members.expired());
    REQUIRE(store.held_bytes() == 0);
    // Another request must compute the list again.
    REQUIRE(collect(store.queries(users[0], 0, 10'000)) == queries);
  }
}

TEST_CASE("digest_store: lists that are not held are released, the least recently used first",
          "[experiments][workload]") {
  const std::uint64_t budget = 2 * 20'000 * sizeof(Digest);
  DigestStore store(budget);
  std::vector<Unit> trials(3, random_unit(20'000, 10));
  for (std::uint64_t i = 0; i < 3; ++i) trials[i].trial = i;
  // Weak pointers identify the lists, because another list may be allocated at the same address.
  const std::weak_ptr first = store.members(trials[0], 20'000);
  const std::weak_ptr second = store.members(trials[1], 20'000);
  REQUIRE(store.members(trials[0], 20'000) == first.lock());
  static_cast<void>(store.members(trials[2], 20'000));  // list 1 is the least recently used
  REQUIRE(store.held_bytes() <= budget);
  REQUIRE(second.expired());
  REQUIRE_FALSE(first.expired());
  SECTION("a list that is held is kept, even beyond the budget") {
    const auto a = store.members(trials[0], 20'000);
    const auto b = store.members(trials[1], 20'000);
    const auto c = store.members(trials[2], 20'000);
    REQUIRE(store.held_bytes() == 3 * 20'000 * sizeof(Digest));
    REQUIRE(store.members(trials[0], 20'000) == a);
  }
}

TEST_CASE("digest_store: 32 concurrent requests receive one list", "[experiments][workload]") {
  DigestStore store(1 << 24);
  const Unit unit = random_unit(400'000, 50'000);
  std::vector<DigestList> lists(32);
  std::vector<std::vector<Digest>> queries(32);
  std::latch all_started(32);
  {
    std::vector<std::jthread> threads;
    for (std::size_t i = 0; i < 32; ++i) {
      threads.emplace_back([&, i] {
        all_started.arrive_and_wait();
        lists[i] = store.members(unit, 400'000);
        queries[i] = collect(store.queries(unit, 0, 50'000));
      });
    }
  }
  for (std::size_t i = 0; i < 32; ++i) {
    REQUIRE(lists[i] == lists[0]);
    REQUIRE(queries[i] == queries[0]);
  }
  REQUIRE(store.held_bytes() == 450'000 * sizeof(Digest));
}

TEST_CASE("digest_store: queries leave memory for the members of concurrent units",
          "[experiments][workload]") {
  // Two units of different trials run at the same time. The budget suffices for the members of both
  // trials and one list of queries.
  const std::uint64_t members = 20'000 * sizeof(Digest);
  const std::uint64_t queries = 15'000 * sizeof(Digest);
  const std::uint64_t budget = 2 * members + queries;
  DigestStore store(budget, 2 * members);
  std::vector<Unit> trials(3, random_unit(20'000, 15'000));
  for (std::uint64_t i = 0; i < 3; ++i) trials[i].trial = i;
  const DigestList first = store.members(trials[0], 20'000);
  const DigestCursor kept = store.queries(trials[0], 0, 15'000);
  REQUIRE(store.held_bytes() == members + queries);
  // The budget has room for the queries of the other trial, but then not for the members of that
  // trial.
  const std::vector<Digest> others = collect(store.queries(trials[1], 0, 15'000));
  REQUIRE(store.held_bytes() == members + queries);
  const DigestList second = store.members(trials[1], 20'000);
  REQUIRE(store.held_bytes() == budget);
  REQUIRE(others == collect(store.hash_anew(trials[1], KeyRole::kQuery, 0, 15'000)));
}

TEST_CASE("digest_store: queries that are no longer needed are released before members",
          "[experiments][workload]") {
  const std::uint64_t members = 20'000 * sizeof(Digest);
  const std::uint64_t queries = 50'000 * sizeof(Digest);
  DigestStore store(2 * members + queries, 2 * members);
  Unit other = random_unit();
  other.trial = 1;
  const Digest* const first = store.members(other, 20'000)->data();
  static_cast<void>(collect(store.queries(random_unit(), 0, 50'000)));
  static_cast<void>(collect(store.queries(other, 0, 50'000)));
  REQUIRE(store.held_bytes() == members + queries);
  REQUIRE(store.members(other, 20'000)->data() == first);
}

TEST_CASE("digest_store: an unknown hash is refused when it is reserved",
          "[experiments][workload]") {
  Unit unit = random_unit();
  unit.hash = "md6";
  DigestStore store(1 << 20);
  REQUIRE_THROWS_AS(store.reserve(unit), ConfigError);
}

}  // namespace bloometry
