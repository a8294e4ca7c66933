// Tests properties of merge, intersect and estimates for every scheme of every variant with these
// operations.

#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "core/any_filter/any_filter.hpp"
#include "core/contract/set_estimates.hpp"
#include "core/engine/batch.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/digests.hpp"
#include "tests/support/message_of.hpp"
#include "tests/support/variant_schemes.hpp"
#include "tests/support/variant_types.hpp"

namespace bloometry {
namespace {

using test::contains_one;
using test::variant_schemes;
using test::VariantScheme;

template <class F>
struct IsMergeable : std::bool_constant<MergeableFilter<F>> {};

using MergeableBorrowingVariants =
    test::Those<test::Those<test::VariantsWithTwoSchemes, IsMergeable>, test::IsBorrowing>;

bool can_merge(const VariantScheme& subject) {
  return subject.can("merge");
}

bool can_intersect(const VariantScheme& subject) {
  return subject.can("intersect");
}

AnyFilter some_filter(const VariantScheme& subject) {
  return subject.make(subject.small_spec(600, 0.05));
}

bool estimates_sets(const VariantScheme& subject) {
  return some_filter(subject).can_estimate_sets();
}

bool is_fixed_and_estimates(const VariantScheme& subject) {
  return test::has_fixed_size(subject) && some_filter(subject).can_estimate_count();
}

constexpr double kInfinity = std::numeric_limits<double>::infinity();

template <class F>
F filter_of(const FilterSpec& spec, std::span<const Digest> keys) {
  F filter(spec);
  insert_all(filter, keys);
  return filter;
}

AnyFilter filter_of(const VariantScheme& subject, const FilterSpec& spec,
                    std::span<const Digest> keys) {
  AnyFilter filter = subject.make(spec);
  filter.insert(keys);
  return filter;
}

/// Keys of two filters. Filter A contains the first 400 of 600 keys, and filter B contains the last
/// 400 keys. The middle 200 keys are common to both filters.
struct Keys {
  std::vector<Digest> all = test::member_digests(600);
  std::span<const Digest> a = std::span(all).first(400);
  std::span<const Digest> b = std::span(all).last(400);
  std::span<const Digest> common = std::span(all).subspan(200, 200);
};

}  // namespace

TEST_CASE("conformance: merge gives the filter of all inserts, bit for bit", "[conformance]") {
  const auto subject = GENERATE(from_range(variant_schemes(can_merge)));
  CAPTURE(subject);
  const Keys keys;
  // The second capacity is so small that cells saturate.
  for (const std::uint64_t capacity : {600U, 40U}) {
    const FilterSpec spec = subject.small_spec(capacity, 0.05);
    AnyFilter merged = filter_of(subject, spec, keys.a);
    const AnyFilter b = filter_of(subject, spec, keys.b);
    const AnyFilter b_before = b;
    merged.merge(b);
    AnyFilter built = filter_of(subject, spec, keys.a);
    built.insert(keys.b);
    CHECK(merged == built);
    CHECK(b == b_before);
    CHECK(merged.count_positives(keys.all) == keys.all.size());
    CHECK(merged.state().conditional_false_positive_rate ==
          built.state().conditional_false_positive_rate);
  }
}

TEST_CASE(
    "conformance: merging an empty filter changes nothing, merging itself repeats the inserts",
    "[conformance]") {
  const auto subject = GENERATE(from_range(variant_schemes(can_merge)));
  CAPTURE(subject);
  const Keys keys;
  const FilterSpec spec = subject.small_spec(600, 0.05);
  const AnyFilter a = filter_of(subject, spec, keys.a);
  AnyFilter merged = a;
  merged.merge(subject.make(spec));
  CHECK(merged == a);
  AnyFilter from_empty = subject.make(spec);
  from_empty.merge(a);
  CHECK(from_empty == a);
  merged.merge(merged);
  AnyFilter twice = a;
  twice.insert(keys.a);  // a counting filter now counts every key twice; a bit filter is unchanged
  CHECK(merged == twice);
}

TEST_CASE("conformance: merge of other m or k is refused and changes nothing", "[conformance]") {
  const auto subject = GENERATE(from_range(variant_schemes(can_merge)));
  CAPTURE(subject);
  const Keys keys;
  const FilterSpec own_spec = subject.spec_of_parts(840, 7);
  const std::uint64_t num_cells = subject.geometry(own_spec).num_cells;
  AnyFilter filter = subject.make(own_spec);
  filter.insert(keys.a);
  const AnyFilter before = filter;
  for (const FilterSpec& spec : {subject.spec_of_parts(841, 7), subject.spec_of_parts(840, 6),
                                 subject.spec_of_parts(420, 7)}) {
    const bool is_equal =
        spec.num_bits == own_spec.num_bits && spec.num_hashes == own_spec.num_hashes;
    if (is_equal) continue;  // the scheme or variant fixes k
    AnyFilter other = subject.make(spec);
    other.insert(keys.b);
    const AnyFilter other_before = other;
    const std::string message = test::message_of<ConfigError>([&] { filter.merge(other); });
    const bool names_hashes = *spec.num_hashes == 6;
    CHECK(test::contains_text(
        message, names_hashes ? "num_hashes must be equal in both filters, "
                                "got 7 and 6"
                              : "must be equal in both filters, got " + std::to_string(num_cells)));
    CHECK(filter == before);
    CHECK(other == other_before);
    if (filter.can_estimate_sets()) {
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

TEST_CASE("conformance: intersect keeps the common keys and drops others", "[conformance]") {
  const auto subject = GENERATE(from_range(variant_schemes(can_intersect)));
  CAPTURE(subject);
  const Keys keys;
  const FilterSpec spec = subject.small_spec(600, 0.01);
  const AnyFilter a = filter_of(subject, spec, keys.a);
  const AnyFilter b = filter_of(subject, spec, keys.b);
  AnyFilter both = a;
  both.intersect(b);
  CHECK(both.count_positives(keys.common) == keys.common.size());
  for (const Digest& key : test::nonmember_digests(5000)) {
    const bool in_both = contains_one(a, key) && contains_one(b, key);
    if (contains_one(both, key) != in_both) FAIL("not the AND");
  }
  // Every cell that a common key sets is set in the result. Every cell that is set in the result is
  // set in both filters.
  AnyFilter with_common = both;
  with_common.merge(filter_of(subject, spec, keys.common));
  CHECK(with_common == both);
  AnyFilter in_a = a;
  in_a.merge(both);
  CHECK(in_a == a);
  AnyFilter itself = a;
  itself.intersect(itself);
  CHECK(itself == a);
  AnyFilter with_empty = a;
  with_empty.intersect(subject.make(spec));
  CHECK(with_empty == subject.make(spec));
  CHECK_THROWS_AS(both.intersect(subject.make(subject.spec_of_parts(840, 7))), ConfigError);
  CHECK(with_common == both);
}

TEST_CASE("conformance: the estimated number of keys grows with the inserts", "[conformance]") {
  const auto subject = GENERATE(from_range(variant_schemes(
      [](const VariantScheme& candidate) { return candidate.can("estimate_count"); })));
  CAPTURE(subject);
  const FilterSpec spec = subject.small_spec(500, 0.05);
  AnyFilter filter = subject.make(spec);
  CHECK(filter.estimate_count() == 0);
  test::insert_one(filter, test::digest_of_item(0, 0));
  const double one = filter.estimate_count();
  CHECK(one > 0);
  filter.insert(test::member_digests(500));
  CHECK(filter.estimate_count() > one);
  filter.clear();
  CHECK(filter.estimate_count() == 0);
}

TEST_CASE("conformance: a full filter estimates infinitely many keys", "[conformance]") {
  const auto subject = GENERATE(from_range(variant_schemes(is_fixed_and_estimates)));
  CAPTURE(subject);
  AnyFilter filter = subject.make(subject.spec_near(65, 3));
  const auto keys = test::member_digests(5000);
  filter.insert(keys);
  CHECK(filter.estimate_count() == kInfinity);
  if (filter.can_estimate_sets()) {
    const AnyFilter empty = subject.make(subject.spec_near(65, 3));
    CHECK(estimate_union(filter, empty) == kInfinity);
    CHECK_FALSE(estimate_intersection(filter, empty).has_value());
    CHECK_FALSE(estimate_jaccard(filter, empty).has_value());
  }
}

TEST_CASE(
    "conformance: set estimates of two filters equal the estimate of a filter with all their keys",
    "[conformance]") {
  const auto subject = GENERATE(from_range(variant_schemes(estimates_sets)));
  CAPTURE(subject);
  const Keys keys;
  const FilterSpec spec = subject.small_spec(600, 0.05);
  const AnyFilter a = filter_of(subject, spec, keys.a);
  const AnyFilter b = filter_of(subject, spec, keys.b);
  AnyFilter either = a;
  either.insert(keys.b);
  CHECK(estimate_union(a, b) == either.estimate_count());
  CHECK(*estimate_intersection(a, b) ==
        a.estimate_count() + b.estimate_count() - either.estimate_count());
  CHECK(*estimate_jaccard(a, b) == *estimate_intersection(a, b) / estimate_union(a, b));
  CHECK(estimate_union(a, a) == a.estimate_count());
  CHECK(*estimate_jaccard(a, a) == 1);
  CHECK(*estimate_jaccard(subject.make(spec), subject.make(spec)) == 1);
  CHECK(*estimate_intersection(a, subject.make(spec)) == 0);
}

}  // namespace bloometry
