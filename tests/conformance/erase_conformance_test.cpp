// Tests properties of every variant that can erase, with every probe scheme.

#include <span>
#include <vector>

#include "core/any_filter/any_filter.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/digests.hpp"
#include "tests/support/variant_schemes.hpp"

namespace bloometry {

using test::variant_schemes;

TEST_CASE("conformance: erase undoes insert", "[conformance]") {
  const auto subject = GENERATE(from_range(variant_schemes(test::can_erase)));
  CAPTURE(subject);
  AnyFilter filter = subject.make(subject.small_spec(300, 0.01));
  filter.insert(test::member_digests(300));
  const AnyFilter before = filter;
  const auto others = test::nonmember_digests(100);
  filter.insert(others);
  CHECK(filter.erase(others) == others.size());
  REQUIRE(filter.state().num_saturated == 0);
  CHECK(filter == before);
}

TEST_CASE("conformance: churn without saturation gives the filter of the remaining keys",
          "[conformance]") {
  const auto subject = GENERATE(from_range(variant_schemes(test::can_erase)));
  CAPTURE(subject);
  const FilterSpec spec = subject.small_spec(400, 0.01);
  AnyFilter churned = subject.make(spec);
  const auto keys = test::member_digests(600);
  const auto some = [&](std::size_t first, std::size_t num_keys) {
    return std::span(keys).subspan(first, num_keys);
  };
  churned.insert(some(0, 400));
  CHECK(churned.erase(some(0, 300)) == 300);
  churned.insert(some(400, 200));
  churned.insert(some(0, 50));
  AnyFilter fresh = subject.make(spec);
  fresh.insert(some(300, 300));
  fresh.insert(some(0, 50));
  REQUIRE(churned.state().num_saturated == 0);
  CHECK(churned == fresh);
  CHECK(churned.count_positives(some(300, 300)) == 300);
}

TEST_CASE("conformance: erase of a key that tests negative changes nothing", "[conformance]") {
  const auto subject = GENERATE(from_range(variant_schemes(test::can_erase)));
  CAPTURE(subject);
  AnyFilter filter = subject.make(subject.small_spec(300, 0.1));
  filter.insert(test::member_digests(300));
  const AnyFilter before = filter;
  std::uint64_t num_refused = 0;
  for (const Digest& key : test::nonmember_digests(1000)) {
    if (test::contains_one(filter, key)) continue;
    if (test::erase_one(filter, key)) FAIL("erased what it did not contain");
    ++num_refused;
  }
  CHECK(filter == before);
  CHECK(filter.state().num_refused_erases == num_refused);
}

TEST_CASE("conformance: erasing members never removes another member, with or without saturation",
          "[conformance]") {
  const auto subject = GENERATE(from_range(variant_schemes(test::can_erase)));
  CAPTURE(subject);
  // The filter receives twelve times as many keys as its capacity.
  AnyFilter filter = subject.make(subject.small_spec(100, 0.1));
  const auto keys = test::member_digests(1200);
  filter.insert(keys);
  CHECK(filter.state().num_saturated.value() > 0);
  CHECK(filter.erase(std::span(keys).first(600)) == 600);
  CHECK(filter.count_positives(std::span(keys).subspan(600)) == 600);
}

}  // namespace bloometry
