// Tests properties of every variant with every probe scheme.

#include <cmath>
#include <utility>
#include <vector>

#include "core/any_filter/any_filter.hpp"
#include "core/engine/batch.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/digests.hpp"
#include "tests/support/variant_schemes.hpp"
#include "tests/support/variant_types.hpp"

namespace bloometry {
namespace {

using test::contains_one;
using test::insert_one;
using test::variant_schemes;

constexpr std::uint64_t kNumConformanceKeys = 500;

/// Returns how many of the k probes of a key fall on non-zero cells.
unsigned num_set_probes(const AnyFilter& filter, unsigned num_hashes, const Digest& key) {
  std::vector<std::uint64_t> histogram(num_hashes + 1, 0);
  filter.count_set_probes(test::just(key), histogram);
  unsigned num_set = 0;
  while (histogram[num_set] == 0) ++num_set;
  return num_set;
}

bool can_count_probes(const test::VariantScheme& subject) {
  return subject.make(subject.small_spec(kNumConformanceKeys, 0.05)).can_count_probes();
}

}  // namespace

TEST_CASE("conformance: there are no false negatives up to four times the capacity, or until full",
          "[conformance]") {
  const auto subject = GENERATE(from_range(variant_schemes()));
  CAPTURE(subject);
  // A filter that forgets is tested within its window.
  const std::uint64_t capacity = (subject.forgets() ? 4 : 1) * kNumConformanceKeys;
  AnyFilter filter = subject.make(subject.small_spec(capacity, 0.05));
  const auto keys = test::member_digests(4 * kNumConformanceKeys);
  std::size_t num_inserted = 0;
  for (; num_inserted < keys.size() && test::finds_room(filter, keys[num_inserted]);
       ++num_inserted) {
    if (!contains_one(filter, keys[num_inserted])) {
      FAIL("key " << num_inserted << " not found after its insert");
    }
  }
  CHECK(num_inserted >= kNumConformanceKeys);
  CHECK((num_inserted < keys.size()) == subject.is_limited());
  CHECK(filter.count_positives(std::span(keys).first(num_inserted)) == num_inserted);
}

TEST_CASE("conformance: an empty filter contains nothing and has rate 0", "[conformance]") {
  const auto subject = GENERATE(from_range(variant_schemes()));
  CAPTURE(subject);
  const AnyFilter filter = subject.make(subject.small_spec(kNumConformanceKeys, 0.05));
  CHECK(filter.count_positives(test::nonmember_digests(1000)) == 0);
  CHECK(filter.state().conditional_false_positive_rate == 0);
  CHECK(filter.state().num_ones == 0);
  CHECK(filter.num_bits() > 0);
  CHECK(filter.state().num_bits == filter.num_bits());
}

TEST_CASE("conformance: equal digests give equal filters", "[conformance]") {
  const auto subject = GENERATE(from_range(variant_schemes()));
  CAPTURE(subject);
  const FilterSpec spec = subject.small_spec(kNumConformanceKeys, 0.05);
  AnyFilter one = subject.make(spec);
  AnyFilter two = subject.make(spec);
  const auto keys = test::member_digests(kNumConformanceKeys);
  one.insert_singly(keys);
  two.insert_singly(keys);
  CHECK(one == two);
  CHECK_FALSE(one == subject.make(spec));
  const Digest another = test::nonmember_digests(kNumConformanceKeys).back();
  insert_one(two, another);
  insert_one(one, another);
  CHECK(one == two);
}

TEST_CASE("conformance: insert is true only if the key tested negative", "[conformance]") {
  const auto subject = GENERATE(from_range(variant_schemes()));
  CAPTURE(subject);
  AnyFilter filter =
      subject.make(subject.small_spec(kNumConformanceKeys, 0.3, 8 * kNumConformanceKeys));
  std::uint64_t num_true = 0;
  for (const Digest& key : test::member_digests(2 * kNumConformanceKeys)) {
    const bool was_absent = !contains_one(filter, key);
    const bool is_new = insert_one(filter, key);
    if (is_new != was_absent) FAIL("insert said " << is_new);
    num_true += is_new ? 1 : 0;
    if (insert_one(filter, key)) FAIL("the second insert claimed to be the first");
  }
  CHECK(num_true > 0);
}

TEST_CASE("conformance: a copy is independent of the original", "[conformance]") {
  const auto subject = GENERATE(from_range(variant_schemes()));
  CAPTURE(subject);
  AnyFilter filter = subject.make(subject.small_spec(kNumConformanceKeys, 0.01));
  const auto keys = test::member_digests(10);
  insert_one(filter, keys[0]);
  AnyFilter copy = filter;
  CHECK(copy == filter);
  copy.insert_singly(keys);
  CHECK_FALSE(copy == filter);
  CHECK(contains_one(filter, keys[0]));
  CHECK(filter.count_positives(keys) < keys.size());
}

TEMPLATE_LIST_TEST_CASE("conformance: a moved filter contains the keys", "[conformance]",
                        test::Variants) {
  TestType filter(test::small_spec<TestType>(kNumConformanceKeys, 0.01));
  const auto keys = test::member_digests(10);
  insert_all(filter, std::span(keys));
  const TestType copy = filter;
  const TestType moved = std::move(filter);
  CHECK(moved == copy);
  CHECK(count_positives(moved, std::span(keys)) == keys.size());
}

TEST_CASE("conformance: a cleared filter equals a new filter, of its size if its table has doubled",
          "[conformance]") {
  const auto subject = GENERATE(from_range(variant_schemes()));
  CAPTURE(subject);
  const FilterSpec spec = subject.small_spec(kNumConformanceKeys, 0.05, 2 * kNumConformanceKeys);
  AnyFilter filter = subject.make(spec);
  const auto keys = test::member_digests(2 * kNumConformanceKeys);
  filter.insert(keys);
  FilterSpec present = spec;
  if (subject.doubles()) {
    present = {.num_counters = filter.state().num_counters,
               .num_hashes = subject.geometry(spec).num_hashes,
               .params = filter.image().header.params};
    CHECK(*present.num_counters > subject.geometry(spec).num_cells);
  }
  filter.clear();
  CHECK(filter == subject.make(present));
  CHECK(filter.state().conditional_false_positive_rate == 0);
  CHECK(filter.count_positives(keys) == 0);
}

TEST_CASE("conformance: every probe of a positive key is a set cell", "[conformance]") {
  const auto subject = GENERATE(from_range(variant_schemes(can_count_probes)));
  CAPTURE(subject);
  const FilterSpec spec = subject.small_spec(kNumConformanceKeys, 0.05);
  AnyFilter filter = subject.make(spec);
  const unsigned k = subject.geometry(spec).num_hashes;
  const auto queries = test::nonmember_digests(1000);
  for (const Digest& key : queries) REQUIRE(num_set_probes(filter, k, key) == 0);
  for (const Digest& key : test::member_digests(kNumConformanceKeys)) {
    insert_one(filter, key);
    REQUIRE(num_set_probes(filter, k, key) == k);
  }
  const bool all_set_is_positive = subject.variant->passes_nonzero_cells();
  unsigned num_part_set = 0;
  unsigned num_stopped = 0;
  for (const Digest& key : queries) {
    const unsigned num_set = num_set_probes(filter, k, key);
    const bool is_positive = contains_one(filter, key);
    if (is_positive || all_set_is_positive) REQUIRE(is_positive == (num_set == k));
    num_stopped += num_set == k && !is_positive ? 1U : 0U;
    num_part_set += num_set > 0 && num_set < k ? 1U : 0U;
  }
  // num_set_probes() counts all set probes. If it stopped at the first unset cell, a key would be
  // counted only if its first cell is set. The limit is halfway between the two expected numbers,
  // from the share of set cells.
  const double fill = static_cast<double>(filter.state().num_ones) /
                      static_cast<double>(subject.geometry(spec).num_cells);
  const double all_set = std::pow(fill, k);
  const double with_all = 1 - all_set - std::pow(1 - fill, k);
  const double with_stop = fill - all_set;
  const auto num_queries = static_cast<double>(queries.size());
  if (k > 1) CHECK(num_part_set > num_queries * (with_all + with_stop) / 2);
  // A variant with a rule of its own, such as variable increments, finds some keys absent although
  // all their cells are set.
  CHECK((num_stopped == 0) == all_set_is_positive);
}

}  // namespace bloometry
