// Tests properties of try_insert for every variant, and of full filters.

#include <span>
#include <vector>

#include "core/any_filter/any_filter.hpp"
#include "core/any_filter/keyed.hpp"
#include "core/error.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/digests.hpp"
#include "tests/support/variant_schemes.hpp"
#include "tests/support/variant_types.hpp"

namespace bloometry {
namespace {

using test::variant_schemes;
using test::VariantScheme;

template <class F>
struct IsLimited : std::bool_constant<LimitedFilter<F>> {};

using LimitedVariants = test::Those<test::Variants, IsLimited>;

constexpr std::uint64_t kCapacity = 300;

bool is_limited(const VariantScheme& subject) {
  return subject.is_limited();
}

}  // namespace

TEST_CASE("conformance: try_insert equals insert as long as there is room", "[conformance]") {
  const auto subject = GENERATE(from_range(variant_schemes()));
  CAPTURE(subject);
  const FilterSpec spec = subject.small_spec(kCapacity, 0.2);
  AnyFilter inserted = subject.make(spec);
  AnyFilter tried = inserted;
  CHECK(tried.is_limited() == subject.is_limited());
  auto keys = test::member_digests(kCapacity - 50);
  for (std::size_t i = 0; i < 50; ++i) keys.push_back(keys[3 * i]);
  const std::uint64_t num_new = inserted.insert(keys);
  CHECK(tried.try_insert(keys) == InsertCount{keys.size(), num_new, false});
  CHECK(tried == inserted);
  CHECK(tried.try_insert({}) == InsertCount{});
}

TEST_CASE("conformance: a full filter refuses keys, stays as it was, and has room after erases",
          "[conformance]") {
  const auto subject = GENERATE(from_range(variant_schemes(is_limited)));
  CAPTURE(subject);
  const FilterSpec spec = subject.small_spec(kCapacity, 0.01);
  const auto keys = test::member_digests(4 * kCapacity);
  AnyFilter filter = subject.make(spec);
  const InsertCount count = filter.try_insert(keys);
  REQUIRE(count.is_full);
  CHECK(count.num_inserted >= kCapacity);
  const auto members = std::span(keys).first(count.num_inserted);
  CHECK(filter.count_positives(members) == members.size());
  CHECK(filter.state().num_ones <= filter.state().num_counters.value());

  const AnyFilter full = filter;
  const Digest& refused = keys[count.num_inserted];
  for (int i = 0; i < 10; ++i) CHECK(filter.try_insert(test::just(refused)).is_full);
  CHECK_THROWS_AS(filter.insert_singly(test::just(refused)), FullError);
  try {
    filter.insert(std::span(keys).subspan(count.num_inserted - 1));
    FAIL("inserted a key without room");
  } catch (const FullError& error) {
    CHECK(error.num_inserted() <= 1);
    if (error.num_inserted() == 1) filter.erase(test::just(members.back()));
  }
  CHECK(filter.count_positives(members) == members.size());
  CHECK(filter.state().num_ones == full.state().num_ones);

  AnyFilter one_by_one = subject.make(spec);
  std::uint64_t num_inserted = 0;
  while (test::finds_room(one_by_one, keys[num_inserted])) ++num_inserted;
  CHECK(num_inserted == count.num_inserted);
  CHECK(one_by_one == full);

  if (!filter.can_erase()) return;
  CHECK(filter.erase(members.first(kCapacity)) == kCapacity);
  CHECK(filter.try_insert(std::span(keys).last(kCapacity / 2)).num_inserted == kCapacity / 2);
  CHECK(filter.count_positives(members.subspan(kCapacity)) == members.size() - kCapacity);
}

TEMPLATE_LIST_TEST_CASE("conformance: Keyed refuses keys without room as its filter does",
                        "[conformance]", LimitedVariants) {
  Keyed<TestType> batch(test::small_spec<TestType>(kCapacity, 0.01));
  Keyed<TestType> single = batch;
  std::vector<std::uint64_t> keys(4 * kCapacity);
  for (std::size_t i = 0; i < keys.size(); ++i) keys[i] = i;
  const InsertCount count = batch.try_insert(keys);
  CHECK(count.is_full);
  std::uint64_t num_new = 0;
  for (std::size_t i = 0; i < count.num_inserted; ++i) {
    num_new += single.try_insert(keys[i]) == Insertion::kNew ? 1 : 0;
  }
  CHECK(count.num_new == num_new);
  CHECK(single.filter() == batch.filter());
  CHECK(single.try_insert(keys[count.num_inserted]) == Insertion::kFull);
  CHECK_THROWS_AS(single.insert(keys[count.num_inserted]), FullError);
  CHECK(single.filter() == batch.filter());
}

}  // namespace bloometry
