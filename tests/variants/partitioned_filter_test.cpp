#include "variants/partitioned/partitioned_filter.hpp"

#include <vector>

#include "tests/support/catch.hpp"
#include "tests/support/digests.hpp"

namespace bloometry {

TEST_CASE(
    "partitioned: every key sets one bit per slice, and the first m mod k slices have one bit more",
    "[variants][partitioned]") {
  // The 5 slices of 23 bits have 5, 5, 5, 4 and 4 bits.
  const std::vector<std::uint64_t> ends = {5, 10, 15, 19, 23};
  std::vector<bool> was_hit(23, false);
  for (const Digest& key : test::member_digests(400)) {
    PartitionedFilter filter({.num_bits = 23, .num_hashes = 5});
    filter.insert(key);
    std::uint64_t first = 0;
    for (const std::uint64_t end : ends) {
      if (filter.bits().count(first, end) != 1) FAIL("slice ending at " << end);
      first = end;
    }
    for (std::uint64_t i = 0; i < 23; ++i) was_hit[i] = was_hit[i] || filter.bits().test(i);
  }
  CHECK(was_hit == std::vector<bool>(23, true));
}

TEST_CASE("partitioned: position i is word i of the scheme mapped to slice i",
          "[variants][partitioned]") {
  const Digest key = test::digest_of_item(77, 0);
  PartitionedFilter filter({.num_bits = 1003, .num_hashes = 4});
  filter.insert(key);
  RemixProbes words(key, 1);
  CHECK(filter.bits().test(fastrange(words.next_word(), 251)));
  CHECK(filter.bits().test(251 + fastrange(words.next_word(), 251)));
  CHECK(filter.bits().test(502 + fastrange(words.next_word(), 251)));
  CHECK(filter.bits().test(753 + fastrange(words.next_word(), 250)));
}

TEST_CASE("partitioned: k = m is accepted, k > m is refused", "[variants][partitioned]") {
  PartitionedFilter filter({.num_bits = 7, .num_hashes = 7});
  filter.insert({1, 2});
  CHECK(filter.state().num_ones == 7);
  CHECK_THROWS_WITH(PartitionedFilter({.num_bits = 7, .num_hashes = 8}),
                    "num_hashes must be in [1, 7], because each slice needs a bit, got 8");
  CHECK_THROWS_AS(PartitionedFilter(Geometry{7, 1, 8}), ConfigError);
  CHECK_THROWS_AS(PartitionedFilter(Geometry{7, 1, 0}), ConfigError);
}

TEST_CASE("partitioned: the rate given the state is the product of slice fills",
          "[variants][partitioned]") {
  PartitionedFilter filter({.num_bits = 23, .num_hashes = 5});
  for (const Digest& key : test::member_digests(3)) filter.insert(key);
  const auto& bits = filter.bits();
  const double expected =
      static_cast<double>(bits.count(0, 5)) / 5 * (static_cast<double>(bits.count(5, 10)) / 5) *
      (static_cast<double>(bits.count(10, 15)) / 5) *
      (static_cast<double>(bits.count(15, 19)) / 4) * (static_cast<double>(bits.count(19, 23)) / 4);
  CHECK(filter.state().conditional_false_positive_rate == Approx(expected).epsilon(1e-15));
  CHECK(filter.state().num_ones == bits.count());
}

TEST_CASE("partitioned: set_bits returns the number of changed bits", "[variants][partitioned]") {
  PartitionedFilter filter({.num_bits = 50, .num_hashes = 5});
  std::uint64_t num_changed = 0;
  for (const Digest& key : test::member_digests(30)) num_changed += filter.set_bits(key);
  CHECK(num_changed == filter.bits().count());
  CHECK(filter.set_bits(test::member_digests(1).front()) == 0);
}

TEST_CASE("partitioned: slices of two lengths fold only by 1", "[variants][partitioned]") {
  PartitionedFilter uneven({.num_bits = 100, .num_hashes = 7});
  uneven.insert({1, 2});
  CHECK(uneven.fold(1) == uneven);
  CHECK_THROWS_WITH(uneven.fold(2),
                    "fold divisor must be 1 where slices differ in length (num_bits 100, "
                    "num_hashes 7), got 2");
  CHECK_THROWS_AS(uneven.fold(0), ConfigError);
  // The filter has 100 bits in 5 slices of 20 bits. The divisor 4 divides the slice size, but 25
  // divides only the total size.
  const PartitionedFilter even({.num_bits = 100, .num_hashes = 5});
  CHECK_NOTHROW(even.fold(4));
  CHECK_THROWS_WITH(even.fold(25), "fold divisor must divide slice bits 20, got 25");
}

}  // namespace bloometry
