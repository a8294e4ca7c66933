// Tests properties of every variant that is sized by m and k, with k > m and with the largest
// sizes.

#include "core/any_filter/any_filter.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/digests.hpp"
#include "tests/support/variant_schemes.hpp"
#include "tests/support/variant_types.hpp"

namespace bloometry {
namespace {

using test::variant_schemes;
using test::VariantScheme;

/// Returns whether the filter can have k > m. A filter with blocks cannot have k > m, because its
/// size is rounded up to more cells than hashes. The same applies to a filter that forgets and has
/// more slices than hashes.
bool can_have_more_hashes_than_cells(const VariantScheme& subject) {
  const bool has_aging_slices =
      subject.forgets() && subject.scheme->model == ProbeModel::kPartitioned;
  return test::has_fixed_size(subject) && !subject.has_blocks() && !has_aging_slices &&
         subject.variant->max_num_hashes >= 4;
}

/// Returns whether a key may fall on every cell of a filter of fixed size.
bool is_one_part(const VariantScheme& subject) {
  return test::has_fixed_size(subject) && !subject.forgets();
}

/// Returns whether 5000 keys set all cells of a filter of 65 cells. Blocks of generations are
/// larger.
bool can_be_filled(const VariantScheme& subject) {
  return test::has_room_for_all(subject) && !(subject.forgets() && subject.has_blocks());
}

}  // namespace

TEST_CASE("conformance: k > m is accepted in model W and refused in models D and P",
          "[conformance]") {
  const auto subject = GENERATE(from_range(variant_schemes(can_have_more_hashes_than_cells)));
  CAPTURE(subject);
  const FilterSpec spec = {.num_bits = subject.spec_near(3, 1).num_bits, .num_hashes = 4};
  if (subject.scheme->model == ProbeModel::kWithReplacement) {
    AnyFilter filter = subject.make(spec);
    test::insert_one(filter, {1, 2});
    CHECK(test::contains_one(filter, {1, 2}));
  } else {
    CHECK_THROWS_AS(subject.make(spec), ConfigError);
  }
}

TEST_CASE("conformance: k = m and a single cell work", "[conformance]") {
  const auto subject = GENERATE(from_range(variant_schemes(is_one_part)));
  CAPTURE(subject);
  for (const unsigned m : {1U, 4U, 64U}) {
    const FilterSpec spec = subject.spec_near(m, m);
    const bool can_repeat = subject.scheme->model == ProbeModel::kWithReplacement;
    if (!can_repeat && !subject.variant->sized_by_blocks && m < subject.variant->min_num_hashes) {
      CHECK_THROWS_AS(subject.make(spec), ConfigError);
      continue;
    }
    AnyFilter filter = subject.make(spec);
    test::insert_one(filter, {1, 2});
    CHECK(test::contains_one(filter, {1, 2}));
  }
}

TEST_CASE("conformance: with every cell full, everything is contained at rate 1", "[conformance]") {
  const auto subject = GENERATE(from_range(variant_schemes(can_be_filled)));
  CAPTURE(subject);
  const FilterSpec spec = subject.spec_near(65, 3);
  AnyFilter filter = subject.make(spec);
  filter.insert_singly(test::member_digests(5000));
  CHECK(filter.state().num_ones == subject.geometry(spec).num_cells);
  CHECK(filter.state().conditional_false_positive_rate == 1);
  const auto queries = test::nonmember_digests(1000);
  CHECK(filter.count_positives(queries) == queries.size());
  CHECK_FALSE(test::insert_one(filter, queries.front()));
}

TEMPLATE_LIST_TEST_CASE("conformance: unknown parameters are refused by name", "[conformance]",
                        test::Variants) {
  FilterSpec spec = test::small_spec<TestType>(100, 0.01);
  spec.params = {{"colour", 1.0}};
  CHECK_THROWS_AS(TestType(spec), ConfigError);
  CHECK_THROWS_AS(TestType::geometry(spec), ConfigError);
}

TEMPLATE_LIST_TEST_CASE("conformance: a filter has as many bits as the geometry of its spec",
                        "[conformance]", test::Variants) {
  const FilterSpec spec = test::small_spec<TestType>(1000, 0.01);
  CHECK(TestType(spec).num_bits() == TestType::geometry(spec).num_bits());
}

}  // namespace bloometry
