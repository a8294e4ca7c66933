// What is true of every variant with every probe scheme.

#include <vector>

#include "core/filter/batch.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/digests.hpp"
#include "tests/support/variant_types.hpp"

namespace bloometry {
namespace {

using test::small_spec;

constexpr std::uint64_t kNumKeys = 500;

}  // namespace

TEMPLATE_LIST_TEST_CASE("conformance: no false negative, at capacity and at four times it",
                        "[conformance]", test::VariantsWithSchemes) {
  TestType filter(small_spec<TestType>(kNumKeys, 0.05));
  const auto keys = test::member_digests(4 * kNumKeys);
  for (std::size_t i = 0; i < keys.size(); ++i) {
    filter.insert(keys[i]);
    if (!filter.contains(keys[i])) FAIL("key " << i << " not found after its insert");
  }
  CHECK(count_positives(filter, keys) == keys.size());
}

TEMPLATE_LIST_TEST_CASE("conformance: an empty filter contains nothing and has rate 0",
                        "[conformance]", test::VariantsWithSchemes) {
  const TestType filter(small_spec<TestType>(kNumKeys, 0.05));
  CHECK(count_positives(filter, test::nonmember_digests(1000)) == 0);
  CHECK(filter.state().conditional_false_positive_rate == 0);
  CHECK(filter.state().num_ones == 0);
  CHECK(filter.num_bits() > 0);
  CHECK(filter.state().num_bits == filter.num_bits());
}

TEMPLATE_LIST_TEST_CASE("conformance: same digests, same filter", "[conformance]",
                        test::VariantsWithSchemes) {
  TestType one(small_spec<TestType>(kNumKeys, 0.05));
  TestType two(small_spec<TestType>(kNumKeys, 0.05));
  for (const Digest& key : test::member_digests(kNumKeys)) {
    one.insert(key);
    two.insert(key);
  }
  CHECK(one == two);
  two.insert(test::nonmember_digests(kNumKeys).back());
  one.insert(test::nonmember_digests(kNumKeys).back());
  CHECK(one == two);
}

TEMPLATE_LIST_TEST_CASE("conformance: insert is true only if the key tested negative",
                        "[conformance]", test::VariantsWithSchemes) {
  TestType filter(small_spec<TestType>(kNumKeys, 0.3));
  std::uint64_t num_true = 0;
  for (const Digest& key : test::member_digests(2 * kNumKeys)) {
    const bool was_absent = !filter.contains(key);
    const bool is_new = filter.insert(key);
    if (is_new != was_absent) FAIL("insert said " << is_new);
    num_true += is_new ? 1 : 0;
    if (filter.insert(key)) FAIL("the second insert claimed to be the first");
  }
  CHECK(num_true > 0);
}

TEMPLATE_LIST_TEST_CASE("conformance: a copy is a filter of its own", "[conformance]",
                        test::VariantsWithSchemes) {
  TestType filter(small_spec<TestType>(kNumKeys, 0.01));
  const auto keys = test::member_digests(10);
  filter.insert(keys[0]);
  TestType copy = filter;
  CHECK(copy == filter);
  for (const Digest& key : keys) copy.insert(key);
  CHECK_FALSE(copy == filter);
  CHECK(filter.contains(keys[0]));
  CHECK(count_positives(filter, keys) < keys.size());
  const TestType moved = std::move(copy);
  CHECK(count_positives(moved, keys) == keys.size());
}

TEMPLATE_LIST_TEST_CASE("conformance: clear makes a filter as new", "[conformance]",
                        test::VariantsWithSchemes) {
  const FilterSpec spec = small_spec<TestType>(kNumKeys, 0.05);
  TestType filter(spec);
  const auto keys = test::member_digests(2 * kNumKeys);
  insert_all(filter, std::span(keys));
  filter.clear();
  CHECK(filter == TestType(spec));
  CHECK(filter.state().conditional_false_positive_rate == 0);
  CHECK(count_positives(filter, keys) == 0);
}

TEMPLATE_LIST_TEST_CASE("conformance: a positive key has all its probes on set cells",
                        "[conformance]", test::VariantsWithSchemes) {
  if constexpr (ProbeCountingFilter<TestType>) {
    TestType filter(small_spec<TestType>(kNumKeys, 0.05));
    const auto queries = test::nonmember_digests(1000);
    for (const Digest& key : queries) REQUIRE(filter.num_set_probes(key) == 0);
    for (const Digest& key : test::member_digests(kNumKeys)) {
      filter.insert(key);
      REQUIRE(filter.num_set_probes(key) == filter.num_hashes());
    }
    // In a filter of increments all cells may be set and the key be absent all the same.
    const bool all_set_is_positive = !filter.state().num_passing_pairs;
    unsigned num_part_set = 0;
    for (const Digest& key : queries) {
      const unsigned num_set = filter.num_set_probes(key);
      REQUIRE(num_set <= filter.num_hashes());
      if (filter.contains(key) || all_set_is_positive) {
        REQUIRE(filter.contains(key) == (num_set == filter.num_hashes()));
      }
      num_part_set += num_set > 0 && num_set < filter.num_hashes() ? 1U : 0U;
    }
    CHECK(num_part_set > 500);  // it counts, and does not stop at the first that is not set
  } else {
    // Stages have k of their own; cells of one block are full or empty together.
    CHECK((GrowingFilter<TestType> || TestType::kDescription.sized_by_blocks));
  }
}

}  // namespace bloometry
