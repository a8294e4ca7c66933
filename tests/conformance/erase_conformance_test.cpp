// What is true of every variant that forgets keys on request, with every probe scheme.

#include <vector>

#include "core/filter/batch.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/digests.hpp"
#include "tests/support/variant_types.hpp"

namespace bloometry {

TEMPLATE_LIST_TEST_CASE("conformance: erase undoes insert", "[conformance]",
                        test::ErasableVariants) {
  TestType filter(test::small_spec<TestType>(300, 0.01));
  const auto members = test::member_digests(300);
  insert_all(filter, std::span(members));
  const TestType before = filter;
  const auto others = test::nonmember_digests(100);
  insert_all(filter, std::span(others));
  CHECK(erase_all(filter, std::span(others)) == others.size());
  REQUIRE(filter.state().num_saturated == 0);
  CHECK(filter == before);
}

TEMPLATE_LIST_TEST_CASE(
    "conformance: after churn without saturation the filter is that of the survivors",
    "[conformance]", test::ErasableVariants) {
  const FilterSpec spec = test::small_spec<TestType>(400, 0.01);
  TestType churned(spec);
  const auto keys = test::member_digests(600);
  insert_all(churned, std::span(keys).first(400));
  CHECK(erase_all(churned, std::span(keys).first(300)) == 300);
  insert_all(churned, std::span(keys).subspan(400, 200));
  insert_all(churned, std::span(keys).first(50));
  TestType fresh(spec);
  insert_all(fresh, std::span(keys).subspan(300, 300));
  insert_all(fresh, std::span(keys).first(50));
  REQUIRE(churned.state().num_saturated == 0);
  CHECK(churned == fresh);
  CHECK(count_positives(churned, std::span(keys).subspan(300)) == 300);
}

TEMPLATE_LIST_TEST_CASE("conformance: erase of a key that tests negative changes nothing",
                        "[conformance]", test::ErasableVariants) {
  TestType filter(test::small_spec<TestType>(300, 0.1));
  const auto members = test::member_digests(300);
  insert_all(filter, std::span(members));
  const TestType before = filter;
  std::uint64_t num_refused = 0;
  for (const Digest& key : test::nonmember_digests(1000)) {
    if (filter.contains(key)) continue;
    if (filter.erase(key)) FAIL("erased what it did not contain");
    ++num_refused;
  }
  CHECK(filter == before);
  CHECK(filter.state().num_refused_erases == num_refused);
}

TEMPLATE_LIST_TEST_CASE("conformance: members survive any erases of members, saturated or not",
                        "[conformance]", test::ErasableVariants) {
  TestType filter(test::small_spec<TestType>(100, 0.1));  // filled to twelve times its capacity
  const auto keys = test::member_digests(1200);
  insert_all(filter, std::span(keys));
  CHECK(filter.state().num_saturated.value() > 0);
  CHECK(erase_all(filter, std::span(keys).first(600)) == 600);
  CHECK(count_positives(filter, std::span(keys).subspan(600)) == 600);
}

}  // namespace bloometry
