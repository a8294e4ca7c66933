#include "variants/d_left/d_left_filter.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <random>
#include <vector>

#include "core/engine/batch.hpp"
#include "core/error.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/digests.hpp"
#include "tests/support/message_of.hpp"
#include "tests/support/test_seed.hpp"

namespace bloometry {
namespace {

/// Returns the spec of a table of 4 x num_buckets buckets.
FilterSpec table_spec(std::uint64_t num_buckets, unsigned remainder_bits,
                      unsigned counter_bits = 2) {
  return {.num_blocks = 4 * num_buckets,
          .num_hashes = 4,
          .params = {{"remainder_bits", double(remainder_bits)},
                     {"counter_bits", double(counter_bits)}}};
}

/// Inserts distinct fingerprints until the table has no room for one. Returns the digests of the
/// inserted keys, followed by the digest without room.
std::vector<Digest> fill(DLeftFilter& filter) {
  std::vector<Digest> inserted;
  for (std::uint64_t item = 0;; item += 2) {
    inserted.push_back(test::digest_of_item(item, 0));
    if (filter.try_insert(inserted.back()) == Insertion::kFull) return inserted;
  }
}

std::vector<std::uint64_t> words_of(const DLeftFilter& filter) {
  const auto words = filter.buckets().all_words();
  return {words.begin(), words.end()};
}

/// Returns the number of occupied cells of each bucket.
std::vector<int> loads_of(const DLeftFilter& filter) {
  std::vector<int> loads;
  for (std::uint64_t bucket = 0; bucket < filter.num_blocks(); ++bucket) {
    loads.push_back(std::popcount(filter.buckets().occupied(bucket)));
  }
  return loads;
}

}  // namespace

TEST_CASE("d_left: the permutations are bijections for every number of fingerprints",
          "[variants]") {
  for (const std::uint64_t num_fingerprints : {2, 6, 30, 64, 1000, 4096, 4095 * 4}) {
    const DLeftPermutations permutations(num_fingerprints, 8);
    for (unsigned i = 0; i < 8; ++i) {
      std::vector<bool> is_image(num_fingerprints, false);
      for (std::uint64_t f = 0; f < num_fingerprints; ++f)
        is_image[permutations.image(i, f)] = true;
      CAPTURE(num_fingerprints, i);
      REQUIRE(std::ranges::count(is_image, true) == static_cast<std::ptrdiff_t>(num_fingerprints));
    }
  }
}

TEST_CASE("d_left: a permutation is a multiplication modulo B 2^R, up to 2^63", "[variants]") {
  __extension__ using Wide = unsigned __int128;
  std::mt19937_64 random(test::test_seed());
  for (const std::uint64_t num_fingerprints :
       {std::uint64_t{2048} << 14U, (std::uint64_t{1} << 56U) - 3, (std::uint64_t{1} << 63U) - 1}) {
    const DLeftPermutations permutations(num_fingerprints, 8);
    for (unsigned i = 0; i < 8; ++i) {
      const std::uint64_t factor = permutations.image(i, 1);
      CHECK(std::gcd(factor, num_fingerprints) == 1);
      for (int j = 0; j < 1000; ++j) {
        const std::uint64_t f = j == 0 ? num_fingerprints - 1 : random() % num_fingerprints;
        REQUIRE(permutations.image(i, f) ==
                static_cast<std::uint64_t>(Wide{factor} * f % num_fingerprints));
      }
    }
  }
}

TEST_CASE("d_left: the paper's table has the paper's memory and rate", "[variants]") {
  const FilterSpec by_rate{.capacity = 49'152, .target_false_positive_rate = 0.001464};
  const FilterSpec by_memory{.capacity = 49'152, .num_bits = 1U << 20U};
  const FilterSpec by_cells{.num_counters = 65'536, .num_hashes = 4};
  for (const FilterSpec& spec : {by_rate, by_memory, by_cells, table_spec(2048, 14)}) {
    const DLeftFilter filter(spec);
    CHECK(filter.num_blocks() == 4 * 2048);
    CHECK(filter.geometry().block_cells == 8);
    CHECK(number_param(filter.params(), "remainder_bits") == 14);
    CHECK(filter.num_bits() == 1U << 20U);
  }
}

TEST_CASE("d_left: a key is in exactly one cell, whatever its fingerprint", "[variants]") {
  // With remainders of 1 or 2 bits, most remainders are 0 or equal to that of another key.
  for (const unsigned remainder_bits : {1U, 2U, 5U}) {
    constexpr std::uint64_t kNumBuckets = 5;
    DLeftFilter filter(table_spec(kNumBuckets, remainder_bits));
    const std::uint64_t num_fingerprints = kNumBuckets << remainder_bits;
    const std::uint64_t num_kept = std::min<std::uint64_t>(num_fingerprints, 100);
    for (std::uint64_t f = 0; f < num_kept; ++f) {
      CAPTURE(remainder_bits, f);
      const Digest digest = test::digest_with_fingerprint(f, num_fingerprints);
      REQUIRE_FALSE(filter.contains(digest));
      REQUIRE(filter.try_insert(digest) == Insertion::kNew);
      REQUIRE(filter.try_insert(digest) == Insertion::kKept);
      REQUIRE(filter.state().num_ones == f + 1);
    }
    for (std::uint64_t f = 0; f < num_fingerprints; ++f) {
      REQUIRE(filter.contains(test::digest_with_fingerprint(f, num_fingerprints)) ==
              (f < num_kept));
    }
    CHECK(filter.state().conditional_false_positive_rate ==
          static_cast<double>(num_kept) / static_cast<double>(num_fingerprints));
  }
}

TEST_CASE("d_left: a key goes to the least loaded bucket, and to the leftmost of several",
          "[variants]") {
  DLeftFilter filter(table_spec(16, 20));
  const DLeftPermutations permutations(std::uint64_t{16} << 20U, 4);
  for (const Digest& digest : test::member_digests(300)) {
    const std::uint64_t fingerprint = fastrange(digest.lo, std::uint64_t{16} << 20U);
    const std::vector<int> before = loads_of(filter);
    std::uint64_t least = permutations.image(0, fingerprint) >> 20U;
    for (unsigned i = 1; i < 4; ++i) {
      const std::uint64_t bucket = 16 * i + (permutations.image(i, fingerprint) >> 20U);
      if (before[bucket] < before[least]) least = bucket;
    }
    REQUIRE(filter.try_insert(digest) == Insertion::kNew);
    std::vector<int> expected = before;
    ++expected[least];
    REQUIRE(loads_of(filter) == expected);
  }
}

TEST_CASE("d_left: a full table refuses a key and stays as it was", "[variants]") {
  for (const std::uint64_t num_buckets : {1, 3, 64}) {
    DLeftFilter filter(table_spec(num_buckets, 20));
    std::vector<Digest> keys = fill(filter);
    const Digest refused = keys.back();
    keys.pop_back();
    const std::vector<std::uint64_t> words = words_of(filter);
    CAPTURE(num_buckets);
    CHECK(filter.try_insert(refused) == Insertion::kFull);
    CHECK(test::message_of<FullError>([&] { filter.insert(refused); }) ==
          "the filter is full: it has no room for the key, and is unchanged");
    CHECK(words_of(filter) == words);
    CHECK_FALSE(filter.contains(refused));
    CHECK(count_positives(filter, std::span(keys)) == keys.size());
    CHECK(filter.try_insert(keys.front()) == Insertion::kKept);  // a member needs no room
    if (num_buckets == 1) CHECK(keys.size() == 32);
    // An erase makes room again.
    CHECK(filter.erase(keys.front()));
    CHECK(filter.erase(keys.front()));
    CHECK((num_buckets > 1 || filter.try_insert(refused) == Insertion::kNew));
  }
}

TEST_CASE("d_left: a batch ends at the first key without room and counts the keys before it",
          "[variants]") {
  const FilterSpec spec = table_spec(3, 20);
  DLeftFilter single(spec);
  std::vector<Digest> keys = fill(single);
  const std::uint64_t num_fitting = keys.size() - 1;
  for (const Digest& more : test::nonmember_digests(200)) keys.push_back(more);
  keys.insert(keys.begin(), keys.front());  // the second insert of a key is not new
  DLeftFilter batch(spec);
  const InsertCount count = try_insert_all(batch, keys);
  CHECK(count == InsertCount{num_fitting + 1, num_fitting, true});
  static_cast<void>(single.try_insert(keys.front()));
  CHECK(batch == single);
  DLeftFilter throwing(spec);
  CHECK(test::message_of<FullError>([&] { insert_all(throwing, std::span(keys)); }) ==
        "the filter is full: it has no room for another key after " +
            std::to_string(num_fitting + 1) + " keys of this call");
  CHECK(throwing == batch);
  CHECK(try_insert_all(batch, {}) == InsertCount{});
}

TEST_CASE("d_left: a counter at its maximum stays there, and its key is never lost", "[variants]") {
  for (const unsigned counter_bits : {2U, 3U}) {
    DLeftFilter filter(table_spec(16, 12, counter_bits));
    const Digest key = test::digest_of_item(0, 0);
    const unsigned max = (1U << counter_bits) - 1;
    for (unsigned i = 0; i + 1 < max; ++i) filter.insert(key);
    CHECK(filter.state().num_saturated == 0);
    for (unsigned i = 0; i + 1 < max; ++i) CHECK(filter.erase(key));
    CHECK_FALSE(filter.contains(key));
    CHECK_FALSE(filter.erase(key));
    CHECK(filter.state().num_refused_erases == 1);
    for (unsigned i = 0; i < max + 1; ++i) filter.insert(key);
    CHECK(filter.state().num_saturated == 1);
    for (unsigned i = 0; i < 2 * max; ++i) CHECK(filter.erase(key));
    CHECK(filter.contains(key));
    CHECK(filter.state().num_skipped_decrements == 2 * max);
  }
}

TEST_CASE("d_left: agrees with an exact multiset of fingerprints under churn", "[variants]") {
  constexpr std::uint64_t kNumBuckets = 37;
  constexpr unsigned kRemainderBits = 7;
  const std::uint64_t num_fingerprints = kNumBuckets << kRemainderBits;
  DLeftFilter filter(table_spec(kNumBuckets, kRemainderBits, 8));
  std::map<std::uint64_t, int> counts;  // by fingerprint
  std::vector<Digest> members;
  std::mt19937_64 random(test::test_seed());
  for (int step = 0; step < 100'000; ++step) {
    const Digest digest{random(), random()};
    const std::uint64_t fingerprint = fastrange(digest.lo, num_fingerprints);
    REQUIRE(filter.contains(digest) == counts.contains(fingerprint));
    if (members.size() < 800 && random() % 2 == 0) {
      const Insertion expected = counts.contains(fingerprint) ? Insertion::kKept : Insertion::kNew;
      REQUIRE(filter.try_insert(digest) == expected);
      ++counts[fingerprint];
      members.push_back(digest);
    } else if (!members.empty()) {
      std::swap(members[random() % members.size()], members.back());
      const auto found = counts.find(fastrange(members.back().lo, num_fingerprints));
      REQUIRE(filter.erase(members.back()));
      if (--found->second == 0) counts.erase(found);
      members.pop_back();
    }
  }
  REQUIRE(filter.state().num_skipped_decrements == 0);
  CHECK(filter.state().num_ones == counts.size());
  CHECK(filter.state().conditional_false_positive_rate ==
        static_cast<double>(counts.size()) / static_cast<double>(num_fingerprints));
  CHECK(count_positives(filter, std::span(members)) == members.size());
}

TEST_CASE("d_left: doubling keeps every answer, and gives room", "[variants]") {
  for (const unsigned num_subtables : {2U, 4U, 7U}) {
    FilterSpec spec = table_spec(0, 6, 2);
    spec.num_blocks = 9 * num_subtables;
    spec.num_hashes = num_subtables;
    spec.max_fill = 0.5;
    DLeftFilter filter(spec);
    const std::uint64_t num_fingerprints = std::uint64_t{9} << 6U;
    std::vector<Digest> keys = fill(filter);
    keys.pop_back();
    filter.insert(keys[3]);
    while (number_param(filter.params(), "remainder_bits") > 1) {
      const DLeftFilter before = filter;
      filter.grow();
      CAPTURE(num_subtables, filter.geometry().cell_bits);
      CHECK(filter.geometry().num_cells == 2 * before.geometry().num_cells);
      CHECK(filter.geometry().max_fill == 0.5);
      CHECK(number_param(filter.params(), "remainder_bits") ==
            number_param(before.params(), "remainder_bits") - 1);
      for (std::uint64_t f = 0; f < num_fingerprints; ++f) {
        const Digest query = test::digest_with_fingerprint(f, num_fingerprints);
        REQUIRE(filter.contains(query) == before.contains(query));
      }
      CHECK(filter.state().num_ones == before.state().num_ones);
      CHECK(filter.state().conditional_false_positive_rate ==
            before.state().conditional_false_positive_rate);
      CHECK(*filter.state().exceeds_max_fill ==
            (2 * filter.state().num_ones > filter.geometry().num_cells));
    }
    CHECK(test::message_of<ConfigError>([&] { filter.grow(); }) ==
          "remainder_bits must be at least 2 for a filter that doubles, got 1");
    // The counters have moved with their remainders, and keys can still be inserted and erased.
    CHECK(try_insert_all(filter, test::nonmember_digests(50)).num_inserted == 50);
    CHECK(filter.erase(keys[3]));
    CHECK(filter.contains(keys[3]));
    CHECK(count_positives(filter, std::span(keys)) == keys.size());
  }
}

TEST_CASE("d_left: a doubled filter equals no filter of its size, but has its geometry",
          "[variants]") {
  DLeftFilter grown(table_spec(20, 10));
  insert_all(grown, test::member_digests(400));
  grown.grow();
  const DLeftFilter direct(table_spec(40, 9));
  CHECK(grown.geometry() == direct.geometry());
  CHECK(grown.params() == direct.params());
  CHECK_FALSE(grown == direct);
  grown.clear();
  CHECK(grown == direct);
}

TEST_CASE("d_left: impossible sizes are refused by name", "[variants][sizing]") {
  const auto refusal = [](const FilterSpec& spec) {
    return test::message_of<ConfigError>([&] { (void)DLeftFilter::geometry(spec); });
  };
  CHECK(refusal({.target_false_positive_rate = 0.01}) ==
        "capacity must be given with target_false_positive_rate: a number of keys");
  CHECK(refusal({.capacity = 1000, .num_bits = 3000}) ==
        "num_bits must be at least 4032 for d_left with capacity 1000, got 3000");
  CHECK(refusal({.capacity = 1000, .bits_per_key = 3}) ==
        "bits_per_key must be at least 4.032 for d_left with capacity 1000, got 3");
  CHECK(refusal({.capacity = 1000, .target_false_positive_rate = 1e-20}) ==
        "target_false_positive_rate must be at least 2.1147105230955136e-14 for d_left with "
        "capacity 1000, got 1e-20");
  CHECK(refusal({.capacity = 1000,
                 .target_false_positive_rate = 0.001,
                 .params = {{"remainder_bits", 9.0}}}) ==
        "remainder_bits must be at least 15 for this rate and capacity, got 9");
  CHECK(refusal({.num_bits = 1U << 20U, .num_hashes = 9}) == "num_hashes must be in [2, 8], got 9");
  CHECK(refusal({.num_blocks = 1U << 20U, .params = {{"remainder_bits", 56.0}}}) ==
        "remainder_bits must be at most 38 with 262144 buckets per subtable, got 56");
  CHECK(refusal({}) ==
        "size must be given by one of num_bits, bits_per_key, num_counters, num_blocks, "
        "target_false_positive_rate, got none");
  CHECK(test::message_of<ConfigError>([] {
          DLeftFilter({.num_cells = 40, .cell_bits = 16, .num_hashes = 4, .block_cells = 8});
        }) == "num_cells must be a multiple of 32, a bucket in each subtable, got 40");
  CHECK(test::message_of<ConfigError>([] {
          DLeftFilter({.num_cells = 32, .cell_bits = 2, .num_hashes = 4, .block_cells = 8});
        }) == "cell_bits must be above counter_bits = 2, got 2");
}

}  // namespace bloometry
