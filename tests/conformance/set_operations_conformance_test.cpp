// Merge, intersect and estimates: what is true of every variant that has them, with every scheme.

#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "core/filter/batch.hpp"
#include "core/filter/set_estimates.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/digests.hpp"
#include "tests/support/message_of.hpp"
#include "tests/support/variant_types.hpp"

namespace bloometry {
namespace {

template <class F>
struct IsMergeable : std::bool_constant<MergeableFilter<F>> {};

template <class F>
struct IsIntersectable : std::bool_constant<IntersectableFilter<F>> {};

template <class F>
struct EstimatesSets : std::bool_constant<SetEstimatingFilter<F>> {};

template <class F>
struct IsFixedAndEstimates : std::bool_constant<CountEstimatingFilter<F> && !GrowingFilter<F>> {};

using MergeableVariants = test::Those<test::VariantsWithSchemes, IsMergeable>;
using IntersectableVariants = test::Those<test::VariantsWithSchemes, IsIntersectable>;
using SetEstimatingVariants = test::Those<test::VariantsWithSchemes, EstimatesSets>;
using FixedEstimatingVariants = test::Those<test::VariantsWithSchemes, IsFixedAndEstimates>;
using MergeableBorrowingVariants = test::Those<MergeableVariants, test::IsBorrowing>;

constexpr double kInfinity = std::numeric_limits<double>::infinity();

template <class F>
F filter_of(const FilterSpec& spec, std::span<const Digest> keys) {
  F filter(spec);
  insert_all(filter, keys);
  return filter;
}

/// A spec of m cells, or of m blocks where cells come in blocks, whatever the bits of a cell.
template <class F>
FilterSpec spec_of_parts(std::uint64_t num_parts, unsigned num_hashes) {
  const unsigned k = test::hashes_near<F>(num_hashes);
  const Geometry some = F::geometry({.num_bits = 64, .num_hashes = k});
  return {.num_bits = num_parts * some.block_cells * some.cell_bits, .num_hashes = k};
}

/// 600 keys; A holds the first 400 and B the last 400, so that 200 are in both.
struct Keys {
  std::vector<Digest> all = test::member_digests(600);
  std::span<const Digest> a = std::span(all).first(400);
  std::span<const Digest> b = std::span(all).last(400);
  std::span<const Digest> common = std::span(all).subspan(200, 200);
};

}  // namespace

TEMPLATE_LIST_TEST_CASE("conformance: merge gives the filter of all inserts, bit for bit",
                        "[conformance]", MergeableVariants) {
  const Keys keys;
  // At capacity, and so overfull that cells saturate.
  for (const std::uint64_t capacity : {600U, 40U}) {
    const FilterSpec spec = test::small_spec<TestType>(capacity, 0.05);
    TestType merged = filter_of<TestType>(spec, keys.a);
    const TestType b = filter_of<TestType>(spec, keys.b);
    const TestType b_before = b;
    merged.merge(b);
    TestType built = filter_of<TestType>(spec, keys.a);
    insert_all(built, keys.b);
    CHECK(merged == built);
    CHECK(b == b_before);
    CHECK(count_positives(merged, std::span(keys.all)) == keys.all.size());
    CHECK(merged.state().conditional_false_positive_rate ==
          built.state().conditional_false_positive_rate);
  }
}

TEMPLATE_LIST_TEST_CASE("conformance: merging an empty filter changes nothing, itself adds nothing",
                        "[conformance]", MergeableVariants) {
  const Keys keys;
  const FilterSpec spec = test::small_spec<TestType>(600, 0.05);
  const TestType a = filter_of<TestType>(spec, keys.a);
  TestType merged = a;
  merged.merge(TestType(spec));
  CHECK(merged == a);
  TestType from_empty(spec);
  from_empty.merge(a);
  CHECK(from_empty == a);
  merged.merge(merged);
  TestType twice = a;
  insert_all(twice, keys.a);  // a counting filter holds every key twice, a bit filter as before
  CHECK(merged == twice);
}

TEMPLATE_LIST_TEST_CASE("conformance: merge of other m or k is refused and changes nothing",
                        "[conformance]", MergeableVariants) {
  const Keys keys;
  const FilterSpec own_spec = spec_of_parts<TestType>(840, 7);
  const std::uint64_t num_cells = TestType::geometry(own_spec).num_cells;
  TestType filter(own_spec);
  insert_all(filter, keys.a);
  const TestType before = filter;
  for (const FilterSpec& spec : {spec_of_parts<TestType>(841, 7), spec_of_parts<TestType>(840, 6),
                                 spec_of_parts<TestType>(420, 7)}) {
    const bool is_equal =
        spec.num_bits == own_spec.num_bits && spec.num_hashes == own_spec.num_hashes;
    if (is_equal) continue;  // k is fixed
    TestType other(spec);
    insert_all(other, keys.b);
    const TestType other_before = other;
    const std::string message = test::message_of<ConfigError>([&] { filter.merge(other); });
    const bool names_hashes = *spec.num_hashes == 6;
    CHECK(test::contains_text(
        message, names_hashes ? "num_hashes must be equal in both filters, "
                                "got 7 and 6"
                              : "must be equal in both filters, got " + std::to_string(num_cells)));
    CHECK(filter == before);
    CHECK(other == other_before);
    if constexpr (SetEstimatingFilter<TestType>) {
      CHECK_THROWS_AS(estimate_union(filter, other), ConfigError);
    }
  }
}

TEMPLATE_LIST_TEST_CASE("conformance: filters over owned and borrowed memory merge",
                        "[conformance]", MergeableBorrowingVariants) {
  using Borrowing = typename TestType::template WithMemory<BorrowedMemory>;
  const Keys keys;
  const FilterSpec spec = test::small_spec<TestType>(600, 0.05);
  AlignedWords lent(TestType::num_words_for(TestType::geometry(spec)));
  Borrowing borrowing(spec, BorrowedMemory{{lent.data(), lent.size()}});
  insert_all(borrowing, keys.b);
  TestType owning = filter_of<TestType>(spec, keys.a);
  owning.merge(borrowing);
  TestType built = filter_of<TestType>(spec, keys.a);
  insert_all(built, keys.b);
  CHECK(owning == built);
  borrowing.merge(filter_of<TestType>(spec, keys.a));
  CHECK(borrowing.state().num_ones == built.state().num_ones);
  CHECK(count_positives(borrowing, std::span(keys.all)) == keys.all.size());
}

TEMPLATE_LIST_TEST_CASE("conformance: intersect keeps the common keys and drops others",
                        "[conformance]", IntersectableVariants) {
  const Keys keys;
  const FilterSpec spec = test::small_spec<TestType>(600, 0.01);
  const TestType a = filter_of<TestType>(spec, keys.a);
  const TestType b = filter_of<TestType>(spec, keys.b);
  TestType both = a;
  both.intersect(b);
  CHECK(count_positives(both, keys.common) == keys.common.size());
  for (const Digest& key : test::nonmember_digests(5000)) {
    if (both.contains(key) != (a.contains(key) && b.contains(key))) FAIL("not the AND");
  }
  // It holds the filter of the intersection, and is held by both.
  TestType with_common = both;
  with_common.merge(filter_of<TestType>(spec, keys.common));
  CHECK(with_common == both);
  TestType in_a = a;
  in_a.merge(both);
  CHECK(in_a == a);
  TestType itself = a;
  itself.intersect(itself);
  CHECK(itself == a);
  TestType with_empty = a;
  with_empty.intersect(TestType(spec));
  CHECK(with_empty == TestType(spec));
  CHECK_THROWS_AS(both.intersect(TestType(spec_of_parts<TestType>(840, 7))), ConfigError);
  CHECK(with_common == both);
}

TEMPLATE_LIST_TEST_CASE("conformance: every variant estimates its number of keys", "[conformance]",
                        test::VariantsWithSchemes) {
  const FilterSpec spec = test::small_spec<TestType>(500, 0.05);
  TestType filter(spec);
  CHECK(filter.estimate_count() == 0);
  filter.insert(test::digest_of_item(0, 0));
  const double one = filter.estimate_count();
  CHECK(one > 0);
  for (const Digest& key : test::member_digests(500)) filter.insert(key);
  CHECK(filter.estimate_count() > one);
  filter.clear();
  CHECK(filter.estimate_count() == 0);
}

TEMPLATE_LIST_TEST_CASE("conformance: a full filter estimates infinitely many keys",
                        "[conformance]", FixedEstimatingVariants) {
  TestType filter(test::spec_near<TestType>(65, 3));
  const auto keys = test::member_digests(5000);
  insert_all(filter, std::span(keys));
  CHECK(filter.estimate_count() == kInfinity);
  if constexpr (SetEstimatingFilter<TestType>) {
    const TestType empty(test::spec_near<TestType>(65, 3));
    CHECK(estimate_union(filter, empty) == kInfinity);
    CHECK_FALSE(estimate_intersection(filter, empty).has_value());
    CHECK_FALSE(estimate_jaccard(filter, empty).has_value());
  }
}

TEMPLATE_LIST_TEST_CASE("conformance: estimates of two filters are those of a third, not built",
                        "[conformance]", SetEstimatingVariants) {
  const Keys keys;
  const FilterSpec spec = test::small_spec<TestType>(600, 0.05);
  const TestType a = filter_of<TestType>(spec, keys.a);
  const TestType b = filter_of<TestType>(spec, keys.b);
  TestType either = a;
  insert_all(either, keys.b);
  CHECK(estimate_union(a, b) == either.estimate_count());
  CHECK(*estimate_intersection(a, b) ==
        a.estimate_count() + b.estimate_count() - either.estimate_count());
  CHECK(*estimate_jaccard(a, b) == *estimate_intersection(a, b) / estimate_union(a, b));
  CHECK(estimate_union(a, a) == a.estimate_count());
  CHECK(*estimate_jaccard(a, a) == 1);
  CHECK(*estimate_jaccard(TestType(spec), TestType(spec)) == 1);
  CHECK(*estimate_intersection(a, TestType(spec)) == 0);
}

}  // namespace bloometry
