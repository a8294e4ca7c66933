// Tests that a folded filter equals, bit for bit, the small filter built from the same digests.
// Also tests that filters with other schemes cannot be folded.

#include <string>
#include <vector>

#include "core/any_filter/any_filter.hpp"
#include "core/engine/batch.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/digests.hpp"
#include "tests/support/message_of.hpp"
#include "tests/support/variant_schemes.hpp"
#include "tests/support/variant_types.hpp"
#include "variants/registry/registry.hpp"

namespace bloometry {
namespace {

using test::variant_schemes;
using test::VariantScheme;

template <class F>
struct Folds : std::bool_constant<FoldableFilter<F>> {};

using FoldableBorrowingVariants =
    test::Those<test::Those<test::VariantsWithTwoSchemes, Folds>, test::IsBorrowing>;

bool folds(const VariantScheme& subject) {
  return subject.scheme->can_fold;
}

AnyFilter filter_of(const VariantScheme& subject, std::uint64_t num_parts, unsigned num_hashes,
                    std::span<const Digest> keys) {
  AnyFilter filter = subject.make(subject.spec_of_parts(num_parts, num_hashes));
  filter.insert(keys);
  return filter;
}

/// Returns the geometry of num_parts cells, or of num_parts blocks for filters with blocks.
template <class F>
Geometry parts(std::uint64_t num_parts, unsigned num_hashes) {
  const auto part = static_cast<unsigned>(test::geometry_near<F>(1, 1).block_cells);
  return {num_parts * part, 1, test::hashes_near<F>(num_hashes), part};
}

template <class F>
F filter_of(const Geometry& geometry, std::span<const Digest> keys) {
  F filter(geometry);
  insert_all(filter, keys);
  return filter;
}

}  // namespace

TEST_CASE("conformance: fold(d) is the filter built with m/d, bit for bit", "[conformance]") {
  const auto subject = GENERATE(from_range(variant_schemes(folds)));
  CAPTURE(subject);
  const auto keys = test::member_digests(300);

  struct Size {
    std::uint64_t num_parts;
    unsigned num_hashes;
  };

  // The sizes, in cells or blocks, include a power of two, a product of several primes and an odd
  // square.
  for (const Size size : {Size{4096, 4}, Size{2310, 7}, Size{3025, 5}, Size{64, 1}}) {
    const AnyFilter large = filter_of(subject, size.num_parts, size.num_hashes, keys);
    const bool has_slices =
        subject.scheme->model == ProbeModel::kPartitioned && !subject.has_blocks();
    const std::uint64_t foldable = has_slices ? size.num_parts / size.num_hashes : size.num_parts;
    for (std::uint64_t d = 1; d <= foldable; ++d) {
      if (foldable % d != 0) continue;
      const AnyFilter small = filter_of(subject, size.num_parts / d, size.num_hashes, keys);
      CAPTURE(size.num_parts, size.num_hashes, d);
      CHECK(large.fold(d) == small);
    }
    CHECK(large.fold(1).count_positives(keys) == keys.size());
  }
}

TEST_CASE("conformance: fold refuses a number that is not a divisor", "[conformance]") {
  const auto subject = GENERATE(from_range(variant_schemes(folds)));
  CAPTURE(subject);
  const AnyFilter filter = subject.make(subject.spec_of_parts(2310, 7));
  for (const std::uint64_t d : {0U, 4U, 9U, 4620U}) CHECK_THROWS_AS(filter.fold(d), ConfigError);
  const std::string message = test::message_of<ConfigError>([&] { (void)filter.fold(4); });
  CHECK((message == "fold divisor must divide num_bits 2310, got 4" ||
         message == "fold divisor must divide num_blocks 2310, got 4" ||
         message == "fold divisor must divide slice bits 330, got 4"));
}

TEMPLATE_LIST_TEST_CASE("conformance: a fold of a filter in borrowed memory owns its memory",
                        "[conformance]", FoldableBorrowingVariants) {
  using Borrowing = typename TestType::template WithMemory<BorrowedMemory>;
  const auto keys = test::member_digests(100);
  const Geometry geometry = parts<TestType>(1200, 4);
  AlignedWords lent(TestType::num_words_for(geometry));
  Borrowing borrowing(geometry, BorrowedMemory{{lent.data(), lent.size()}});
  insert_all(borrowing, std::span(keys));
  const TestType folded = borrowing.fold(3);
  CHECK(folded == filter_of<TestType>(parts<TestType>(400, 4), std::span(keys)));
  borrowing.clear();
  CHECK(count_positives(folded, std::span(keys)) == keys.size());
}

TEST_CASE("conformance: distinct and double_mod cannot be folded, other schemes can",
          "[conformance]") {
  std::vector<std::string> refused;
  for (const SchemeInfo& scheme : find_variant("standard").schemes) {
    const AnyFilter filter = scheme.make({.num_bits = 1200, .num_hashes = 4});
    CHECK(filter.can_fold() == scheme.can_fold);
    if (filter.can_fold()) {
      CHECK(filter.fold(3).num_bits() == 400);
      continue;
    }
    refused.emplace_back(scheme.name);
    CHECK(test::message_of<std::logic_error>([&] { (void)filter.fold(3); }) ==
          "standard with probes " + std::string(scheme.name) + " cannot be folded");
  }
  CHECK(refused == std::vector<std::string>{"distinct", "double_mod"});
  static_assert(!FoldableFilter<BasicStandardFilter<DistinctProbes>>);
  static_assert(!FoldableFilter<BasicStandardFilter<DoubleModProbes>>);
}

}  // namespace bloometry
