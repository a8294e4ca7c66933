// Tests that filters over borrowed memory behave like filters that own their memory. Two schemes
// per variant suffice, because probes do not depend on the ownership of the memory.

#include <vector>

#include "core/engine/batch.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/digests.hpp"
#include "tests/support/variant_types.hpp"

namespace bloometry {
namespace {

using BorrowingVariants = test::Those<test::VariantsWithTwoSchemes, test::IsBorrowing>;

AlignedWords lend_for(std::uint64_t num_words) {
  return AlignedWords(num_words);
}

}  // namespace

TEMPLATE_LIST_TEST_CASE("conformance: borrowed memory gives the same answers as owned memory",
                        "[conformance]", BorrowingVariants) {
  using Borrowing = typename TestType::template WithMemory<BorrowedMemory>;
  static_assert(Filter<TestType>);
  const FilterSpec spec = test::small_spec<TestType>(300, 0.05);
  AlignedWords lent = lend_for(TestType::num_words_for(TestType::geometry(spec)));
  Borrowing borrowing(spec, BorrowedMemory{{lent.data(), lent.size()}});
  TestType owning(spec);
  for (const Digest& key : test::member_digests(300)) {
    if (owning.insert(key) != borrowing.insert(key)) FAIL("insert differs");
  }
  for (const Digest& key : test::nonmember_digests(2000)) {
    if (owning.contains(key) != borrowing.contains(key)) FAIL("contains differs");
  }
  CHECK(borrowing.state().num_ones == owning.state().num_ones);
  CHECK(borrowing.state().conditional_false_positive_rate ==
        owning.state().conditional_false_positive_rate);
  if constexpr (ErasableFilter<TestType>) {
    for (const Digest& key : test::member_digests(300)) CHECK(borrowing.erase(key));
    CHECK(borrowing.state().num_ones == 0);
  }
}

TEMPLATE_LIST_TEST_CASE("conformance: borrowed words keep the keys when their filter is destroyed",
                        "[conformance]", BorrowingVariants) {
  using Borrowing = typename TestType::template WithMemory<BorrowedMemory>;
  const FilterSpec spec = test::small_spec<TestType>(100, 0.05);
  AlignedWords lent = lend_for(TestType::num_words_for(TestType::geometry(spec)));
  const BorrowedMemory memory{{lent.data(), lent.size()}};
  const auto keys = test::member_digests(100);
  {
    Borrowing first(spec, memory);
    for (const Digest& key : keys) first.insert(key);
  }
  const Borrowing second(spec, memory);
  for (const Digest& key : keys) CHECK(second.contains(key));
}

TEMPLATE_LIST_TEST_CASE("conformance: borrowed memory that is too small is refused",
                        "[conformance]", BorrowingVariants) {
  using Borrowing = typename TestType::template WithMemory<BorrowedMemory>;
  const FilterSpec spec = test::small_spec<TestType>(100, 0.05);
  const std::uint64_t needed = TestType::num_words_for(TestType::geometry(spec));
  AlignedWords lent = lend_for(needed);
  CHECK_THROWS_AS(Borrowing(spec, BorrowedMemory{{lent.data(), needed - 1}}), ConfigError);
  CHECK_NOTHROW(Borrowing(spec, BorrowedMemory{{lent.data(), needed}}));
}

}  // namespace bloometry
