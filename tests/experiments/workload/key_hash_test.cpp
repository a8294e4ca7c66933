#include "experiments/workload/key_hash.hpp"

#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "core/statistics/binomial_test.hpp"
#include "core/study_hash/all_hashers.hpp"
#include "experiments/trial/run_unit.hpp"
#include "experiments/workload/digest_store.hpp"
#include "tests/experiments/unit/unit_factory.hpp"
#include "tests/experiments/workload/temporary_key_file.hpp"
#include "tests/support/catch.hpp"

namespace bloometry {
namespace {

/// Returns the low words of the digests of 3 lines of a file. The order of the lines depends on the
/// trial, but the digest of a line depends only on the seed.
std::set<std::uint64_t> words_of_lines(const KeySource& source, std::string_view hash,
                                       std::uint64_t trial) {
  Unit unit = test::small_unit("standard", 1000, {{2, 3, 1}});
  unit.keys = source;
  unit.hash = hash;
  unit.trial = trial;
  DigestStore store(1 << 20);
  std::set<std::uint64_t> words;
  for (const Digest& digest : *store.members(unit, 3)) words.insert(digest.lo);
  return words;
}

}  // namespace

TEMPLATE_LIST_TEST_CASE("key_hash: every family is found by name, with its properties and digests",
                        "[experiments][workload]", AllHashers) {
  const KeyHash& hash = find_key_hash(TestType::kName);
  CHECK(hash.name == TestType::kName);
  CHECK(hash.is_seeded == TestType::kIsSeeded);
  CHECK(hash.is_weak == TestType::kIsWeak);
  const std::vector<KeyView> keys = {"", "a", "https://example.com/product/1001"};
  std::vector<Digest> digests(keys.size());
  hash.hash_all(7, keys, digests);
  for (std::size_t i = 0; i < keys.size(); ++i) {
    CHECK(digests[i] == hasher_of_seed<TestType>(7)(keys[i]));
  }
}

TEST_CASE("key_hash: the default comes first, weak families last", "[experiments][workload]") {
  std::string weak;
  for (const KeyHash& hash : all_key_hashes()) {
    if (hash.is_weak) weak.append(hash.name).append(" ");
    CHECK(hash.is_weak == !weak.empty());
  }
  CHECK(weak == "crc32 fnv1 bkdr js sdbm ");
  CHECK(all_key_hashes().front().name == "xxh3");
}

TEST_CASE("key_hash: trials share the digests of a file's lines if the family has no seed",
          "[experiments][workload]") {
  const test::TemporaryKeyFile file(test::numbered_lines(3));
  for (const KeyHash& hash : all_key_hashes()) {
    CAPTURE(hash.name);
    CHECK((words_of_lines(file.source(), hash.name, 0) ==
           words_of_lines(file.source(), hash.name, 1)) == !hash.is_seeded);
  }
}

TEST_CASE("key_hash: a hash of 32 bits has its floor of the rate in an experiment",
          "[experiments][workload]") {
  // By theory 1.8 the rate is p1 + p2 - p1 p2. Here p1, the rate given the filter's state, is
  // 1.2e-6, and p2 = 1 - (1 - 2^-32)^n is 4.6565e-5 at n = 200,000. The false-alarm probability is
  // 1e-6. The keys depend on the unit's seed.
  constexpr double kFloor = 4.65650e-5;
  Unit unit = test::small_unit("standard", 8'000'000, {{200'000, 8, 1'000'000}});
  unit.hash = "crc32";
  DigestStore store(1 << 26);
  const TrialRow row = run_unit(unit, {.digests = &store})->rows.at(0);
  const double rate = row.conditional_false_positive_rate;
  CAPTURE(row.num_false_positives, rate);
  CHECK(statistics::binomial_two_sided_p_value(row.num_false_positives, row.num_queries,
                                               rate + kFloor - rate * kFloor) > 1e-6);
  CHECK(statistics::binomial_two_sided_p_value(row.num_false_positives, row.num_queries, rate) <
        1e-20);
}

}  // namespace bloometry
