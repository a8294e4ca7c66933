#include "variants/lanes/lanes_filter.hpp"

#include <array>
#include <cmath>
#include <set>
#include <vector>

#include "core/error.hpp"
#include "core/hash/range_reduction.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/digests.hpp"
#include "variants/split_block/split_block_rates.hpp"

namespace bloometry {
namespace {

FilterSpec lanes_blocks(std::uint64_t num_blocks) {
  return {.num_blocks = num_blocks};
}

std::vector<std::uint64_t> set_bits(const LanesFilter& filter) {
  std::vector<std::uint64_t> set;
  for (std::uint64_t i = 0; i < filter.num_bits(); ++i) {
    if (filter.bits().test(i)) set.push_back(i);
  }
  return set;
}

constexpr std::uint64_t kHalf = std::uint64_t{1} << 63U;

}  // namespace

// The expected bits were computed by hand from the layout in lanes_filter.hpp. Files contain these
// bits.
TEST_CASE("lanes: block and bits of a key do not change between versions", "[variants][lanes]") {
  LanesFilter filter(lanes_blocks(3));
  // The fields of 6 bits of 0x0123456789abcdef, the lowest first: 47, 55, 60, 42, 9, 30, 22, 17.
  filter.insert({0x0123456789abcdef, kHalf});  // block floor(0.5 * 3) = 1
  const std::vector<std::uint64_t> expected = {512 + 47,       512 + 64 + 55, 512 + 128 + 60,
                                               512 + 192 + 42, 512 + 256 + 9, 512 + 320 + 30,
                                               512 + 384 + 22, 512 + 448 + 17};
  CHECK(set_bits(filter) == expected);
}

TEST_CASE("lanes: keys set the bits of the scheme in the block of digest.hi", "[variants][lanes]") {
  constexpr std::uint64_t kNumBlocks = 7;
  LanesFilter filter(lanes_blocks(kNumBlocks));
  std::set<std::uint64_t> expected;
  for (const Digest& key : test::member_digests(60)) {
    filter.insert(key);
    LaneFieldProbes probes(key, 512);
    for (int lane = 0; lane < 8; ++lane) {
      expected.insert(512 * fastrange(key.hi, kNumBlocks) + probes.next(512));
    }
  }
  CHECK(set_bits(filter) == std::vector<std::uint64_t>(expected.begin(), expected.end()));
}

TEST_CASE("lanes: the high 16 bits of digest.lo are unused", "[variants][lanes]") {
  LanesFilter filter(lanes_blocks(1000));
  filter.insert({0x0123456789abcdef, 1});
  CHECK(filter.contains({0xfedc456789abcdef, 1}));
  CHECK_FALSE(filter.contains({0x0123c56789abcdef, 1}));
}

TEST_CASE("lanes: accepts whole lines and eight hashes only", "[variants][lanes]") {
  const auto num_blocks = [](const FilterSpec& spec) {
    return LanesFilter::geometry(spec).num_blocks();
  };
  CHECK(num_blocks(lanes_blocks(1)) == 1);
  CHECK(num_blocks(lanes_blocks(std::uint64_t{1} << 33U)) == std::uint64_t{1} << 33U);
  CHECK_THROWS_AS(num_blocks(lanes_blocks(0)), ConfigError);
  CHECK(num_blocks({.num_bits = 513}) == 2);
  CHECK(num_blocks({.capacity = 100, .bits_per_key = 10.0}) == 2);
  CHECK(num_blocks({.num_bits = 512, .num_hashes = 8}) == 1);
  CHECK_THROWS_WITH(num_blocks({.num_bits = 512, .num_hashes = 7}), "num_hashes must be 8, got 7");
  CHECK_THROWS_AS(LanesFilter(Geometry{512, 1, 7, 512}), ConfigError);
  CHECK_THROWS_AS(LanesFilter(Geometry{768, 1, 8, 512}), ConfigError);
}

TEST_CASE("lanes: the rate given the state is the mean over blocks of lane products",
          "[variants][lanes]") {
  LanesFilter filter(lanes_blocks(2));
  filter.insert({0, 0});
  CHECK(filter.state().conditional_false_positive_rate == 0x1p-48 / 2);
  filter.insert({0b000001'000000'000001, 0});  // a second bit in lanes 0 and 2
  CHECK(filter.state().num_ones == 10);
  CHECK(filter.state().conditional_false_positive_rate == 4 * 0x1p-48 / 2);
  filter.insert({0, kHalf});  // block 1
  CHECK(filter.state().conditional_false_positive_rate == 5 * 0x1p-48 / 2);
}

TEST_CASE("lanes: the rate of a full filter is 1", "[variants][lanes]") {
  LanesFilter filter(lanes_blocks(2));
  constexpr std::uint64_t kOneInEachField = 0x41041041041;  // 1 + 2^6 + ... + 2^42
  for (std::uint64_t bit = 0; bit < 64; ++bit) {
    filter.insert({bit * kOneInEachField, 0});
    filter.insert({bit * kOneInEachField, kHalf});
  }
  CHECK(filter.state().num_ones == 1024);
  CHECK(filter.state().conditional_false_positive_rate == 1);
}

TEST_CASE("lanes: fold merges neighbouring blocks", "[variants][lanes]") {
  const auto keys = test::member_digests(300);
  LanesFilter large(lanes_blocks(12));
  for (const Digest& key : keys) large.insert(key);
  for (const std::uint64_t d : {1, 2, 3, 4, 6, 12}) {
    LanesFilter small(lanes_blocks(12 / d));
    for (const Digest& key : keys) small.insert(key);
    CAPTURE(d);
    CHECK(large.fold(d) == small);
  }
  CHECK_THROWS_WITH(large.fold(5), "fold divisor must divide num_blocks 12, got 5");
}

TEST_CASE("lanes: a filter for a rate has the fewest blocks that keep it", "[variants][lanes]") {
  for (const std::uint64_t n : {1, 2, 50, 3000, 1'000'000}) {
    for (const double p : {0.5, 0.01, 1e-5}) {
      const Geometry geometry =
          LanesFilter::geometry({.capacity = n, .target_false_positive_rate = p});
      const std::uint64_t z = geometry.num_blocks();
      CAPTURE(n, p, z);
      CHECK(geometry.num_hashes == 8);
      CHECK(theory::split_block_rate(n, z, {8, 64}) <= p);
      if (z > 1) CHECK(theory::split_block_rate(n, z - 1, {8, 64}) > p);
    }
  }
}

}  // namespace bloometry
