// What is true of every variant that is sized by m and k: k > m, and the end of the road.

#include <optional>

#include "core/filter/batch.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/digests.hpp"
#include "tests/support/variant_types.hpp"

namespace bloometry {
namespace {

/// In blocks, sizes are rounded up to more cells than there are hashes.
using FixedSizeVariantsWithoutBlocks = test::Those<test::FixedSizeVariants, test::HasNoBlocks>;

}  // namespace

TEMPLATE_LIST_TEST_CASE("conformance: k > m is legal in model W, refused in D and P",
                        "[conformance]", FixedSizeVariantsWithoutBlocks) {
  const unsigned cell_bits = TestType::geometry({.num_bits = 64, .num_hashes = 1}).cell_bits;
  const FilterSpec spec{.num_bits = 3 * cell_bits, .num_hashes = 4};
  if (TestType::kModel == ProbeModel::kWithReplacement) {
    TestType filter(spec);
    filter.insert({1, 2});
    CHECK(filter.contains({1, 2}));
  } else {
    CHECK_THROWS_AS(TestType(spec), ConfigError);
  }
}

TEMPLATE_LIST_TEST_CASE("conformance: k = m and a single cell work", "[conformance]",
                        test::FixedSizeVariants) {
  for (const unsigned m : {1U, 4U, 64U}) {
    TestType filter(test::spec_near<TestType>(m, m));
    filter.insert({1, 2});
    CHECK(filter.contains({1, 2}));
  }
}

TEMPLATE_LIST_TEST_CASE("conformance: with every cell full, everything is contained at rate 1",
                        "[conformance]", test::FixedSizeVariants) {
  const FilterSpec spec = test::spec_near<TestType>(65, 3);
  TestType filter(spec);
  for (const Digest& key : test::member_digests(5000)) filter.insert(key);
  CHECK(filter.state().num_ones == TestType::geometry(spec).num_cells);
  CHECK(filter.state().conditional_false_positive_rate == 1);
  const auto queries = test::nonmember_digests(1000);
  CHECK(count_positives(filter, queries) == queries.size());
  CHECK_FALSE(filter.insert(queries.front()));
}

TEMPLATE_LIST_TEST_CASE("conformance: unknown parameters are refused by name", "[conformance]",
                        test::Variants) {
  FilterSpec spec = test::small_spec<TestType>(100, 0.01);
  spec.params = {{"colour", 1.0}};
  CHECK_THROWS_AS(TestType(spec), ConfigError);
  CHECK_THROWS_AS(TestType::geometry(spec), ConfigError);
}

TEMPLATE_LIST_TEST_CASE("conformance: a filter has the geometry that its spec names",
                        "[conformance]", test::Variants) {
  const FilterSpec spec = test::small_spec<TestType>(1000, 0.01);
  CHECK(TestType(spec).num_bits() == TestType::geometry(spec).num_bits());
}

}  // namespace bloometry
