// Tests that batch calls return the same answers and produce the same cells as single-key calls in
// the same order.

#include <algorithm>
#include <cstring>
#include <memory>
#include <string_view>
#include <vector>

#include "core/any_filter/any_filter.hpp"
#include "core/engine/batch.hpp"
#include "core/engine/hashed_chunks.hpp"
#include "core/store/prefetch.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/digests.hpp"
#include "tests/support/variant_schemes.hpp"
#include "tests/support/variant_types.hpp"

namespace bloometry {
namespace {

using test::variant_schemes;
using test::VariantScheme;

constexpr std::uint64_t kNumBatchKeys = 300;
constexpr std::size_t kMaxLength = 200;

/// Room for the keys of eight lengths, each of which may be inserted four times. Such copies fill
/// the buckets of a table of fingerprints unevenly.
constexpr std::uint64_t kRoom = 16 * kMaxLength;

/// Returns num_keys digests. Every third digest repeats the digest five places before it, which is
/// mostly in the same chunk.
std::vector<Digest> with_repeats(std::size_t num_keys, std::uint64_t seed) {
  std::vector<Digest> keys = test::member_digests(num_keys, seed);
  for (std::size_t i = 5; i < num_keys; i += 3) keys[i] = keys[i - 5];
  return keys;
}

/// Returns members and other keys in random order.
std::vector<Digest> mixed(const std::vector<Digest>& members, std::uint64_t seed) {
  std::vector<Digest> queries = test::nonmember_digests(members.size(), seed);
  for (std::size_t i = 0; i < queries.size(); ++i) {
    if (queries[i].hi % 3 != 0) queries[i] = members[i];
  }
  return queries;
}

/// Returns the spec of a filter that is large enough for prefetching.
FilterSpec large_spec(const VariantScheme& subject) {
  const std::uint64_t num_bits = 8 * kMinPrefetchBytes + 12'345;
  const unsigned num_hashes = subject.hashes_near(5);
  if (subject.can("grow")) {
    return {.capacity = num_bits / 8, .target_false_positive_rate = 0.01};
  }
  if (subject.variant->has_size_axis(SizeAxis::kNumCounters)) {
    return {.num_counters = num_bits, .num_hashes = num_hashes};
  }
  return {.num_bits = num_bits, .num_hashes = num_hashes};
}

/// Returns keys that consist of the bytes of the digests. The hash kDigestOfKey returns the bytes
/// of a key as the key's digest.
std::vector<KeyView> as_keys(std::span<const Digest> digests) {
  std::vector<KeyView> keys;
  for (const Digest& digest : digests) {
    keys.emplace_back(std::string_view(reinterpret_cast<const char*>(&digest), sizeof digest));
  }
  return keys;
}

constexpr HashCall kDigestOfKey = {
    nullptr, [](const void* /*hasher*/, std::span<const KeyView> keys, Digest* digests) noexcept {
      for (const KeyView key : keys) std::memcpy(digests++, key.data(), sizeof(Digest));
    }};

/// Inserts the keys as a batch into `batch`, and one by one into `single`. Returns whether the
/// counts of new keys and the cells are equal.
bool inserts_as_one_by_one(AnyFilter& batch, AnyFilter& single, std::span<const Digest> keys) {
  const std::uint64_t num_new = single.insert_singly(keys);
  return batch.insert(keys) == num_new && batch == single;
}

bool answers_as_one_by_one(const AnyFilter& filter, std::span<const Digest> queries) {
  const auto answers = std::make_unique<bool[]>(queries.size());
  filter.contains(queries, {answers.get(), queries.size()});
  std::uint64_t num_positives = 0;
  bool equal = true;
  for (std::size_t i = 0; i < queries.size(); ++i) {
    const bool expected = test::contains_one(filter, queries[i]);
    equal &= answers[i] == expected;
    num_positives += expected ? 1 : 0;
  }
  return equal && filter.count_positives(queries) == num_positives;
}

bool erases_as_one_by_one(AnyFilter& batch, AnyFilter& single, std::span<const Digest> keys) {
  const std::uint64_t num_erased = single.erase_singly(keys);
  const FilterState before = single.state();
  return batch.erase(keys) == num_erased && batch == single &&
         batch.state().num_refused_erases == before.num_refused_erases &&
         batch.state().num_skipped_decrements == before.num_skipped_decrements;
}

}  // namespace

TEST_CASE("conformance: a batch insert equals single inserts", "[conformance]") {
  const auto subject = GENERATE(from_range(variant_schemes()));
  CAPTURE(subject);
  AnyFilter batch = subject.make(subject.small_spec(kNumBatchKeys, 0.05, kRoom));
  AnyFilter single = batch;
  for (std::size_t length = 0; length <= kMaxLength; ++length) {
    if (length % 8 == 0) {
      batch.clear();
      single.clear();
    }
    const auto keys = with_repeats(length, length % 4);
    if (!inserts_as_one_by_one(batch, single, keys)) FAIL("length " << length);
  }
}

// The tests above check the number of set bits in an insert mask. This test checks the positions of
// the set bits. The positions depend on the variant's code, not on the scheme.
TEMPLATE_LIST_TEST_CASE(
    "conformance: insert_mask returns the answer of insert for every key of a chunk",
    "[conformance]", test::VariantsWithTwoSchemes) {
  if constexpr (BatchFilter<TestType>) {
    constexpr std::uint64_t kMost = kUpdateKeysOf<TestType> * (kUpdateKeysOf<TestType> + 1) / 2;
    TestType batch(test::small_spec<TestType>(kNumBatchKeys, 0.05, kMost));
    TestType single = batch;
    for (std::size_t length = 0; length <= kUpdateKeysOf<TestType>; ++length) {
      const auto keys = with_repeats(length, length);
      const std::uint64_t mask = BatchAccess::insert_mask(batch, keys);
      for (std::size_t i = 0; i < length; ++i) {
        if (single.insert(keys[i]) != ((mask >> i & 1U) != 0)) FAIL("length " << length);
      }
      if (length < 64) CHECK(mask >> length == 0);
    }
    CHECK(batch == single);
  }
}

TEST_CASE("conformance: a batch query equals single queries", "[conformance]") {
  const auto subject = GENERATE(from_range(variant_schemes()));
  CAPTURE(subject);
  // The share of set cells grows from about 1/4 to nearly 1, so that queries end after every
  // possible number of probes.
  AnyFilter filter = subject.make(subject.small_spec(kNumBatchKeys, 0.05, 4 * kNumBatchKeys));
  const auto members = test::member_digests(4 * kNumBatchKeys);
  const auto queries = mixed(members, 1);
  for (std::size_t num_members = 0; num_members < members.size();
       num_members += kNumBatchKeys / 2) {
    filter.insert(std::span(members).subspan(num_members, kNumBatchKeys / 2));
    for (std::size_t length = 0; length <= kMaxLength; ++length) {
      const auto some = std::span(queries).subspan(length, length);
      if (!answers_as_one_by_one(filter, some)) FAIL("length " << length);
    }
    CHECK(answers_as_one_by_one(filter, queries));
  }
}

TEST_CASE("conformance: batches of keys equal batches of their digests", "[conformance]") {
  const auto subject = GENERATE(from_range(variant_schemes()));
  CAPTURE(subject);
  const bool is_large = GENERATE(false, true);
  const FilterSpec spec =
      is_large ? large_spec(subject) : subject.small_spec(kNumBatchKeys, 0.05, 1500);
  AnyFilter hashing = subject.make(spec);
  AnyFilter given = hashing;
  // The lengths are near the sizes of chunks and of blocks of keys.
  for (const std::size_t length : {0U, 1U, 15U, 16U, 17U, 63U, 64U, 65U, 257U, 700U}) {
    CAPTURE(length);
    const auto members = with_repeats(length, length);
    REQUIRE(hashing.insert(as_keys(members), kDigestOfKey) == given.insert(members));
    REQUIRE(hashing == given);
    const auto queries = mixed(members, length);
    const auto answers = std::make_unique<bool[]>(2 * length);
    hashing.contains(as_keys(queries), kDigestOfKey, {answers.get(), length});
    given.contains(queries, {answers.get() + length, length});
    REQUIRE(std::equal(answers.get(), answers.get() + length, answers.get() + length));
  }
}

TEST_CASE("conformance: a batch erase equals single erases", "[conformance]") {
  const auto subject = GENERATE(from_range(variant_schemes(test::can_erase)));
  CAPTURE(subject);
  AnyFilter batch = subject.make(subject.small_spec(kNumBatchKeys, 0.05, kRoom));
  AnyFilter single = batch;
  for (std::size_t length = 0; length <= kMaxLength; ++length) {
    if (length % 8 == 0) {
      batch.clear();
      single.clear();
    }
    const auto keys = with_repeats(length, length % 4);
    batch.insert(keys);
    single.insert(keys);
    // Repeated keys are erased as often as they were inserted. For other keys, both filters either
    // refuse the erase or change the same cells.
    if (!erases_as_one_by_one(batch, single, mixed(keys, length))) FAIL("length " << length);
  }
}

TEST_CASE("conformance: batches equal single calls in filters larger than the caches",
          "[conformance]") {
  const auto subject = GENERATE(from_range(variant_schemes()));
  CAPTURE(subject);
  AnyFilter batch = subject.make(large_spec(subject));
  REQUIRE(batch.num_bits() > 8 * kMinPrefetchBytes);
  AnyFilter single = batch;
  const auto keys = with_repeats(3000, 0);
  CHECK(inserts_as_one_by_one(batch, single, keys));
  CHECK(answers_as_one_by_one(batch, mixed(keys, 0)));
  CHECK(answers_as_one_by_one(batch, std::span(keys).first(777)));
  if (batch.can_erase()) {
    CHECK(erases_as_one_by_one(batch, single, std::span(keys).first(1777)));
  }
}

}  // namespace bloometry
