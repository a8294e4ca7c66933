// Tests that AnyFilter and Keyed return the same answers as the wrapped filter class, for every
// variant.

#include <array>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "core/any_filter/any_filter.hpp"
#include "core/any_filter/keyed.hpp"
#include "core/contract/set_estimates.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/digests.hpp"
#include "tests/support/message_of.hpp"
#include "tests/support/variant_types.hpp"
#include "variants/registry/registry.hpp"

namespace bloometry {

TEMPLATE_LIST_TEST_CASE("conformance: AnyFilter equals the class that it holds", "[conformance]",
                        test::Variants) {
  const FilterSpec spec = test::small_spec<TestType>(300, 0.05);
  TestType direct(spec);
  AnyFilter any = make_filter(TestType::kName, SchemeOf<TestType>::kName, spec);
  const auto members = test::member_digests(300);
  const auto queries = test::nonmember_digests(3000);

  CHECK(any.insert(members) == insert_all(direct, std::span(members)));
  CHECK(any.count_positives(queries) == count_positives(direct, std::span(queries)));
  const auto answers = std::make_unique<bool[]>(queries.size());
  any.contains(queries, {answers.get(), queries.size()});
  for (std::size_t i = 0; i < queries.size(); ++i) {
    if (answers[i] != direct.contains(queries[i])) FAIL("answer " << i);
  }
  CHECK(any.num_bits() == direct.num_bits());
  CHECK(any.state().num_ones == direct.state().num_ones);
  CHECK(any.state().conditional_false_positive_rate ==
        direct.state().conditional_false_positive_rate);
  CHECK(any.can_erase() == ErasableFilter<TestType>);
  CHECK(any.can_count_probes() == ProbeCountingFilter<TestType>);
  if constexpr (ProbeCountingFilter<TestType>) {
    std::vector<std::uint64_t> histogram(direct.num_hashes() + 1, 0);
    std::vector<std::uint64_t> expected = histogram;
    any.count_set_probes(queries, histogram);
    for (const Digest& query : queries) ++expected[direct.num_set_probes(query)];
    CHECK(histogram == expected);
  } else {
    CHECK_THROWS_AS(any.count_set_probes(queries, {}), std::logic_error);
  }

  AnyFilter copy = any;
  copy.clear();
  CHECK(copy.state().num_ones == 0);
  TestType cleared = direct;
  cleared.clear();
  CHECK(copy.insert_singly(members) == insert_all(cleared, std::span(members)));
  CHECK(copy.state().num_ones == any.state().num_ones);
  CHECK(copy.count_positives_singly(queries) == any.count_positives(queries));
  CHECK(any.count_positives(members) == members.size());
  if (any.can_erase()) {
    CHECK(any.erase(members) == members.size());
    CHECK(any.state().num_ones == 0);
  }
}

TEMPLATE_LIST_TEST_CASE(
    "conformance: the empty key and keys with NUL are stored and erased like other keys",
    "[conformance]", test::Variants) {
  Keyed<TestType> filter(test::small_spec<TestType>(1000, 1e-6));
  const std::array<std::string, 5> keys = {"", std::string(1, '\0'), std::string(2, '\0'),
                                           std::string("a\0b", 3), "a"};
  for (const std::string& key : keys) {
    CHECK_FALSE(filter.contains(key));
    CHECK(filter.insert(key));
    CHECK(filter.contains(key));
  }
  CHECK_FALSE(filter.contains(std::string("a\0c", 3)));
  if constexpr (ErasableFilter<TestType>) {
    for (const std::string& key : keys) CHECK(filter.erase(key));
    for (const std::string& key : keys) CHECK_FALSE(filter.contains(key));
  }
}

TEMPLATE_LIST_TEST_CASE("conformance: operations on two AnyFilters equal those of their class",
                        "[conformance]", test::Variants) {
  const FilterSpec spec = test::small_spec<TestType>(300, 0.05);
  const auto keys_a = test::member_digests(300);
  const auto keys_b = test::digests(400, 2, 300, 0);  // 100 of these keys are also in A
  TestType a(spec);
  TestType b(spec);
  insert_all(a, std::span(keys_a));
  insert_all(b, std::span(keys_b));
  AnyFilter any_a(a);
  const AnyFilter any_b(b);
  CHECK(any_a.probes() == SchemeOf<TestType>::kName);
  CHECK(any_a.can_merge() == MergeableFilter<TestType>);
  CHECK(any_a.can_intersect() == IntersectableFilter<TestType>);
  CHECK(any_a.can_fold() == FoldableFilter<TestType>);
  CHECK(any_a.can_estimate_count() == CountEstimatingFilter<TestType>);
  CHECK(any_a.can_estimate_sets() == SetEstimatingFilter<TestType>);

  if constexpr (CountEstimatingFilter<TestType>) {
    CHECK(any_a.estimate_count() == a.estimate_count());
  } else {
    CHECK_THROWS_AS(any_a.estimate_count(), std::logic_error);
  }
  if constexpr (SetEstimatingFilter<TestType>) {
    CHECK(estimate_union(any_a, any_b) == estimate_union(a, b));
    CHECK(estimate_intersection(any_a, any_b) == estimate_intersection(a, b));
    CHECK(estimate_jaccard(any_a, any_b) == estimate_jaccard(a, b));
  } else {
    CHECK_THROWS_AS(any_a.estimate_sets(any_b), std::logic_error);
  }
  if constexpr (FoldableFilter<TestType>) {
    const AnyFilter copy = any_a.fold(1);
    CHECK(copy.count_positives(keys_a) == keys_a.size());
    CHECK(copy.num_bits() == any_a.num_bits());
  } else {
    CHECK_THROWS_AS(any_a.fold(1), std::logic_error);
  }
  if constexpr (IntersectableFilter<TestType>) {
    AnyFilter any_both = any_a;
    any_both.intersect(any_b);
    TestType both = a;
    both.intersect(b);
    CHECK(any_both.state().num_ones == both.state().num_ones);
  } else {
    CHECK_THROWS_AS(any_a.intersect(any_b), std::logic_error);
  }
  if constexpr (MergeableFilter<TestType>) {
    any_a.merge(any_b);
    a.merge(b);
    CHECK(any_a.state().num_ones == a.state().num_ones);
    CHECK(any_a.count_positives(keys_b) == keys_b.size());
  } else {
    CHECK_THROWS_AS(any_a.merge(any_b), std::logic_error);
  }
}

TEST_CASE("conformance: AnyFilters of another variant, scheme or configuration are refused by name",
          "[conformance]") {
  const FilterSpec spec{.num_bits = 1024, .num_hashes = 4};
  AnyFilter filter = make_filter("standard", "remix", spec);
  const auto keys = test::member_digests(50);
  filter.insert(keys);
  const std::uint64_t ones = filter.state().num_ones;
  const auto refusal = [&](const AnyFilter& other) {
    const std::string message = test::message_of<ConfigError>([&] { filter.merge(other); });
    CHECK(test::message_of<ConfigError>([&] { filter.intersect(other); }) == message);
    CHECK(test::message_of<ConfigError>([&] { (void)filter.estimate_sets(other); }) == message);
    CHECK(filter.state().num_ones == ones);
    return message;
  };
  CHECK(refusal(make_filter("partitioned", "remix", spec)) ==
        "variant must be equal in both filters, got standard and partitioned");
  CHECK(refusal(make_filter("standard", "distinct", spec)) ==
        "probes must be equal in both filters, got remix and distinct");
  CHECK(refusal(make_filter("standard", "remix", {.num_bits = 2048, .num_hashes = 4})) ==
        "num_bits must be equal in both filters, got 1024 and 2048");
  CHECK(refusal(make_filter("standard", "remix", {.num_bits = 1024, .num_hashes = 5})) ==
        "num_hashes must be equal in both filters, got 4 and 5");
}

TEST_CASE("conformance: AnyFilters over owned and borrowed memory merge", "[conformance]") {
  using Borrowing = StandardFilter::WithMemory<BorrowedMemory>;
  const FilterSpec spec{.num_bits = 1024, .num_hashes = 4};
  AlignedWords lent(StandardFilter::num_words_for(StandardFilter::geometry(spec)));
  AnyFilter borrowing{Borrowing(spec, BorrowedMemory{{lent.data(), lent.size()}})};
  const auto keys = test::member_digests(50);
  borrowing.insert(keys);
  AnyFilter owning = make_filter("standard", "remix", spec);
  owning.merge(borrowing);
  CHECK(owning.count_positives(keys) == keys.size());
  borrowing.clear();
  CHECK(borrowing.count_positives(keys) == 0);
  borrowing.merge(owning);
  CHECK(borrowing.count_positives(keys) == keys.size());
}

}  // namespace bloometry
