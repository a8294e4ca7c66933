// Tests properties of every variant that can erase, with every probe scheme.

#include <span>
#include <vector>

#include "core/any_filter/any_filter.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/digests.hpp"
#include "tests/support/variant_schemes.hpp"

namespace bloometry {

using test::variant_schemes;
using test::VariantScheme;

namespace {

/// Returns whether the filters have the same answers for many keys, and as many set cells. If the
/// cells do not depend on the order of inserts and erases, the filters must be equal.
bool have_equal_contents(const VariantScheme& subject, const AnyFilter& a, const AnyFilter& b) {
  if (!subject.variant->depends_on_order) return a == b;
  bool are_equal = a.state().num_ones == b.state().num_ones;
  for (const auto& queries : {test::member_digests(2000), test::nonmember_digests(5000)}) {
    for (const Digest& query : queries) {
      are_equal = are_equal && test::contains_one(a, query) == test::contains_one(b, query);
    }
  }
  return are_equal;
}

/// Returns keys among whose inserts some cells saturate. A filter with a fixed size receives twelve
/// times as many keys as its capacity of 100. A limited filter receives 100 keys, each three times.
std::vector<Digest> saturating_keys(const VariantScheme& subject) {
  if (!subject.is_limited()) return test::member_digests(1200);
  std::vector<Digest> keys;
  for (int i = 0; i < 3; ++i) {
    for (const Digest& key : test::member_digests(100)) keys.push_back(key);
  }
  return keys;
}

}  // namespace

TEST_CASE("conformance: erase undoes insert", "[conformance]") {
  const auto subject = GENERATE(from_range(variant_schemes(test::can_erase)));
  CAPTURE(subject);
  AnyFilter filter = subject.make(subject.small_spec(300, 0.01, 400));
  filter.insert(test::member_digests(300));
  const AnyFilter before = filter;
  const auto others = test::nonmember_digests(100);
  filter.insert(others);
  CHECK(filter.erase(others) == others.size());
  REQUIRE(filter.state().num_saturated.value_or(0) == 0);
  CHECK(have_equal_contents(subject, filter, before));
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
  REQUIRE(churned.state().num_saturated.value_or(0) == 0);
  CHECK(have_equal_contents(subject, churned, fresh));
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
  AnyFilter filter = subject.make(subject.small_spec(100, 0.1, 600));
  const std::vector<Digest> keys = saturating_keys(subject);
  filter.insert(keys);
  CHECK(filter.state().num_saturated.value_or(1) > 0);
  const std::size_t half = keys.size() / 2;
  CHECK(filter.erase(std::span(keys).first(half)) == half);
  CHECK(filter.count_positives(std::span(keys).subspan(half)) == keys.size() - half);
}

}  // namespace bloometry
