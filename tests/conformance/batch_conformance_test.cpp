// Many keys at once: what the single-key calls say and leave behind, in their order.

#include <algorithm>
#include <memory>
#include <vector>

#include "core/filter/batch.hpp"
#include "core/store/prefetch.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/digests.hpp"
#include "tests/support/variant_types.hpp"

namespace bloometry {
namespace {

constexpr std::uint64_t kNumKeys = 300;
constexpr std::size_t kMaxLength = 200;

/// num_keys digests of which every third comes again soon, mostly in the same chunk.
std::vector<Digest> with_repeats(std::size_t num_keys, std::uint64_t seed) {
  std::vector<Digest> keys = test::member_digests(num_keys, seed);
  for (std::size_t i = 5; i < num_keys; i += 3) keys[i] = keys[i - 5];
  return keys;
}

/// Members and others in no order that a chunk could know.
std::vector<Digest> mixed(const std::vector<Digest>& members, std::uint64_t seed) {
  std::vector<Digest> queries = test::nonmember_digests(members.size(), seed);
  for (std::size_t i = 0; i < queries.size(); ++i) {
    if (queries[i].hi % 3 != 0) queries[i] = members[i];
  }
  return queries;
}

/// The spec of a filter that is large enough to be prefetched.
template <class F>
FilterSpec large_spec() {
  const std::uint64_t num_bits = 8 * kMinPrefetchBytes + 12'345;
  const unsigned num_hashes =
      std::clamp(5U, F::kDescription.min_num_hashes, F::kDescription.max_num_hashes);
  if constexpr (GrowingFilter<F>) {
    return {.capacity = num_bits / 8, .target_false_positive_rate = 0.01};
  } else if (F::kDescription.sized_by_counters) {
    return {.num_counters = num_bits, .num_hashes = num_hashes};
  } else {
    return {.num_bits = num_bits, .num_hashes = num_hashes};
  }
}

/// Whether count and cells are those of single inserts.
template <class F>
bool inserts_as_one_by_one(F& batch, F& single, std::span<const Digest> keys) {
  std::uint64_t num_new = 0;
  for (const Digest& key : keys) num_new += single.insert(key) ? 1 : 0;
  return insert_all(batch, keys) == num_new && batch == single;
}

template <class F>
bool answers_as_one_by_one(const F& filter, std::span<const Digest> queries) {
  const auto answers = std::make_unique<bool[]>(queries.size());
  contains_each(filter, queries, {answers.get(), queries.size()});
  std::uint64_t num_positives = 0;
  bool equal = true;
  for (std::size_t i = 0; i < queries.size(); ++i) {
    const bool expected = filter.contains(queries[i]);
    equal &= answers[i] == expected;
    num_positives += expected ? 1 : 0;
  }
  return equal && count_positives(filter, queries) == num_positives;
}

template <class F>
bool erases_as_one_by_one(F& batch, F& single, std::span<const Digest> keys) {
  std::uint64_t num_erased = 0;
  for (const Digest& key : keys) num_erased += single.erase(key) ? 1 : 0;
  const FilterState before = single.state();
  return erase_all(batch, keys) == num_erased && batch == single &&
         batch.state().num_refused_erases == before.num_refused_erases &&
         batch.state().num_skipped_decrements == before.num_skipped_decrements;
}

}  // namespace

TEMPLATE_LIST_TEST_CASE("conformance: inserting a batch is inserting its keys", "[conformance]",
                        test::VariantsWithSchemes) {
  TestType batch(test::small_spec<TestType>(kNumKeys, 0.05));
  TestType single = batch;
  for (std::size_t length = 0; length <= kMaxLength; ++length) {
    if (length % 8 == 0) {
      batch.clear();
      single.clear();
    }
    const auto keys = with_repeats(length, length % 4);
    if (!inserts_as_one_by_one(batch, single, keys)) FAIL("length " << length);
  }
}

TEMPLATE_LIST_TEST_CASE("conformance: every key of a chunk hears what its insert says",
                        "[conformance]", test::VariantsWithSchemes) {
  if constexpr (BatchFilter<TestType>) {
    TestType batch(test::small_spec<TestType>(kNumKeys, 0.05));
    TestType single = batch;
    for (std::size_t length = 0; length <= kUpdateKeysOf<TestType>; ++length) {
      const auto keys = with_repeats(length, length);
      const std::uint64_t mask = batch.insert_mask(keys);
      for (std::size_t i = 0; i < length; ++i) {
        if (single.insert(keys[i]) != ((mask >> i & 1U) != 0)) FAIL("length " << length);
      }
      if (length < 64) CHECK(mask >> length == 0);
    }
    CHECK(batch == single);
  }
}

TEMPLATE_LIST_TEST_CASE("conformance: querying a batch is querying its keys", "[conformance]",
                        test::VariantsWithSchemes) {
  // Between 1/4 and all cells set: keys end in every round.
  TestType filter(test::small_spec<TestType>(kNumKeys, 0.05));
  const auto members = test::member_digests(4 * kNumKeys);
  const auto queries = mixed(members, 1);
  for (std::size_t num_members = 0; num_members < members.size(); num_members += kNumKeys / 2) {
    insert_all(filter, std::span(members).subspan(num_members, kNumKeys / 2));
    for (std::size_t length = 0; length <= kMaxLength; ++length) {
      const auto some = std::span(queries).subspan(length, length);
      if (!answers_as_one_by_one(filter, some)) FAIL("length " << length);
    }
    CHECK(answers_as_one_by_one(filter, queries));
  }
}

TEMPLATE_LIST_TEST_CASE("conformance: erasing a batch is erasing its keys", "[conformance]",
                        test::ErasableVariants) {
  TestType batch(test::small_spec<TestType>(kNumKeys, 0.05));
  TestType single = batch;
  for (std::size_t length = 0; length <= kMaxLength; ++length) {
    const auto keys = with_repeats(length, length % 4);
    insert_all(batch, std::span(keys));
    insert_all(single, std::span(keys));
    // Repeats are erased as often as they came; others are refused or do damage, both alike.
    const auto erased = mixed(keys, length);
    if (!erases_as_one_by_one(batch, single, std::span(erased))) FAIL("length " << length);
  }
}

TEMPLATE_LIST_TEST_CASE("conformance: batches of a filter past the caches", "[conformance]",
                        test::VariantsWithSchemes) {
  TestType batch(large_spec<TestType>());
  REQUIRE(batch.num_bits() > 8 * kMinPrefetchBytes);
  TestType single = batch;
  const auto keys = with_repeats(3000, 0);
  CHECK(inserts_as_one_by_one(batch, single, keys));
  CHECK(answers_as_one_by_one(batch, mixed(keys, 0)));
  CHECK(answers_as_one_by_one(batch, std::span(keys).first(777)));
  if constexpr (ErasableFilter<TestType>) {
    CHECK(erases_as_one_by_one(batch, single, std::span(keys).first(1777)));
  }
}

}  // namespace bloometry
