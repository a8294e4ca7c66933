// Tests that cuckoo filters with semi-sorted buckets give the answers of those without.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <random>
#include <span>
#include <vector>

#include "core/engine/batch.hpp"
#include "core/error.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/digests.hpp"
#include "tests/support/message_of.hpp"
#include "tests/support/test_seed.hpp"
#include "variants/cuckoo/cuckoo_filter.hpp"

namespace bloometry {
namespace {

FilterSpec table_spec_of(std::uint64_t num_buckets, unsigned fingerprint_bits, bool semi_sorting) {
  return {.num_blocks = num_buckets,
          .params = {{"fingerprint_bits", double(fingerprint_bits)},
                     {"semi_sorting", semi_sorting ? 1.0 : 0.0}}};
}

/// A filter without semi-sorting and one with it, which receive the same calls.
struct FilterPair {
  CuckooFilter plain;
  CuckooFilter sorted;

  FilterPair(std::uint64_t num_buckets, unsigned fingerprint_bits)
      : plain(table_spec_of(num_buckets, fingerprint_bits, false)),
        sorted(table_spec_of(num_buckets, fingerprint_bits, true)) {}

  void require_equal_states() const {
    const FilterState expected = plain.state();
    const FilterState state = sorted.state();
    REQUIRE(state.num_ones == expected.num_ones);
    REQUIRE(state.num_counters == expected.num_counters);
    REQUIRE(state.num_passing_pairs == expected.num_passing_pairs);
    REQUIRE(state.conditional_false_positive_rate == expected.conditional_false_positive_rate);
    REQUIRE(state.num_refused_erases == expected.num_refused_erases);
    REQUIRE(state.num_bits == expected.num_bits - state.num_counters.value());
  }

  void require_equal_answers(std::span<const Digest> keys) const {
    std::uint64_t num_positives = 0;
    for (const Digest& key : keys) {
      const bool is_positive = plain.contains(key);
      REQUIRE(sorted.contains(key) == is_positive);
      num_positives += is_positive ? 1 : 0;
    }
    REQUIRE(count_positives(sorted, keys) == num_positives);
  }
};

}  // namespace

TEST_CASE("semi-sorted cuckoo: inserts, erases and queries give the answers of a plain table",
          "[variants]") {
  constexpr std::uint64_t kNumBuckets = 250;
  constexpr std::size_t kMostMembers = 900;
  std::mt19937_64 random(test::test_seed());
  for (const unsigned fingerprint_bits : {5U, 6U, 7U, 8U, 11U, 12U, 16U, 17U, 20U, 31U, 32U, 56U}) {
    FilterPair filters(kNumBuckets, fingerprint_bits);
    std::vector<Digest> members;
    std::vector<Digest> strangers(64);
    for (int round = 0; round < 60; ++round) {
      CAPTURE(fingerprint_bits, round, members.size());
      std::vector<Digest> batch(
          std::min<std::size_t>(random() % 100, kMostMembers - members.size()));
      for (Digest& key : batch) key = {random(), random()};
      const InsertCount expected = try_insert_all(filters.plain, batch);
      const InsertCount inserted = try_insert_all(filters.sorted, batch);
      REQUIRE(inserted.num_inserted == expected.num_inserted);
      REQUIRE(inserted.num_new == expected.num_new);
      REQUIRE(inserted.is_full == expected.is_full);
      members.insert(members.end(), batch.begin(),
                     batch.begin() + static_cast<std::ptrdiff_t>(inserted.num_inserted));
      const Digest key{random(), random()};
      const Insertion insertion = filters.plain.try_insert(key);
      REQUIRE(filters.sorted.try_insert(key) == insertion);
      if (insertion != Insertion::kFull) members.push_back(key);
      for (Digest& stranger : strangers) stranger = {random(), random()};
      filters.require_equal_answers(strangers);
      filters.require_equal_answers(members);
      REQUIRE(count_positives(filters.sorted, std::span(members)) == members.size());
      std::ranges::shuffle(members, random);
      for (std::uint64_t i = random() % 80; i > 0 && !members.empty(); --i) {
        REQUIRE(filters.plain.erase(members.back()));
        REQUIRE(filters.sorted.erase(members.back()));
        members.pop_back();
      }
      filters.require_equal_states();
    }
    // Strangers that do not test positive are refused by both.
    for (const Digest& stranger : strangers) {
      REQUIRE(filters.sorted.erase(stranger) == filters.plain.erase(stranger));
    }
    filters.require_equal_states();
    filters.plain.clear();
    filters.sorted.clear();
    filters.require_equal_states();
    CHECK(filters.sorted == CuckooFilter(table_spec_of(kNumBuckets, fingerprint_bits, true)));
  }
}

TEST_CASE("semi-sorted cuckoo: a full table refuses a key and stays as it was", "[variants]") {
  for (const unsigned fingerprint_bits : {12U, 20U, 40U}) {
    CuckooFilter filter(table_spec_of(500, fingerprint_bits, true));
    std::vector<Digest> members;
    for (std::uint64_t item = 0;; ++item) {
      const Digest key = test::digest_of_item(item, 0);
      const CuckooFilter before = filter;
      if (filter.try_insert(key) == Insertion::kFull) {
        REQUIRE(filter == before);
        break;
      }
      members.push_back(key);
    }
    CAPTURE(fingerprint_bits, members.size());
    CHECK(members.size() > 1900);
    CHECK(filter.state().num_ones == members.size());
    CHECK(count_positives(filter, std::span(members)) == members.size());
  }
}

TEST_CASE("semi-sorted cuckoo: equal inserts give equal bytes", "[variants]") {
  CuckooFilter first(table_spec_of(100, 12, true));
  CuckooFilter second(table_spec_of(100, 12, true));
  const std::vector<Digest> keys = test::member_digests(380);
  REQUIRE(try_insert_all(first, keys).num_inserted == 380);
  for (const Digest& key : keys) second.insert(key);
  CHECK(first == second);
  CHECK(first.erase(keys[7]));
  CHECK_FALSE(first == second);
}

TEST_CASE("semi-sorted cuckoo: the parameter is part of the filter", "[variants]") {
  const CuckooFilter filter(table_spec_of(8, 13, true));
  CHECK(filter.num_bits() == 32 * 12);
  CHECK(filter.geometry().cell_bits == 12);
  CHECK(number_param(filter.params(), "semi_sorting") == 1);
  CHECK(number_param(filter.params(), "fingerprint_bits") == 13);
  // The same geometry, but other fingerprints.
  CHECK_FALSE(filter == CuckooFilter(table_spec_of(8, 12, false)));
  const CuckooFilter plain(table_spec_of(8, 12, false));
  CHECK_FALSE(plain.params().contains("semi_sorting"));
  const auto message = [](unsigned fingerprint_bits, double bucket_cells) {
    FilterSpec spec = table_spec_of(8, fingerprint_bits, true);
    spec.params.insert_or_assign("bucket_cells", bucket_cells);
    return test::message_of<ConfigError>([&] { CuckooFilter{spec}; });
  };
  CHECK(message(4, 4) == "fingerprint_bits must be in [5, 56] with semi_sorting 1, got 4");
  CHECK(message(12, 8) ==
        "semi_sorting must be 0 unless bucket_cells is 4, got 1 with "
        "bucket_cells 8");
  CHECK(message(12, 2) ==
        "semi_sorting must be 0 unless bucket_cells is 4, got 1 with "
        "bucket_cells 2");
}

}  // namespace bloometry
