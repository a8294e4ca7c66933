// AnyFilter and Keyed over every variant: the same answers as the class itself.

#include <array>
#include <memory>
#include <string>
#include <vector>

#include "core/filter/any_filter.hpp"
#include "core/filter/keyed.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/digests.hpp"
#include "tests/support/variant_types.hpp"
#include "variants/registry.hpp"

namespace bloometry {

TEMPLATE_LIST_TEST_CASE("conformance: AnyFilter equals the class that it holds", "[conformance]",
                        test::Variants) {
  const FilterSpec spec = test::small_spec<TestType>(300, 0.05);
  TestType direct(spec);
  AnyFilter any = make_filter(TestType::kName, "remix", spec);
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

  AnyFilter copy = any;
  copy.clear();
  CHECK(copy.state().num_ones == 0);
  CHECK(any.count_positives(members) == members.size());
  if (any.can_erase()) {
    CHECK(any.erase(members) == members.size());
    CHECK(any.state().num_ones == 0);
  }
}

TEMPLATE_LIST_TEST_CASE("conformance: the empty key and keys with NUL are members like others",
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

}  // namespace bloometry
