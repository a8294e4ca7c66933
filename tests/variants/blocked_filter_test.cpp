#include "variants/blocked/blocked_filter.hpp"

#include <bit>
#include <cmath>
#include <vector>

#include "core/engine/batch.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/contains_mask.hpp"
#include "tests/support/digests.hpp"
#include "tests/support/scripted_probes.hpp"
#include "variants/blocked/blocked_rates.hpp"
#include "variants/standard/standard_filter.hpp"

namespace bloometry {
namespace {

using test::key_at;

/// A filter for which the test chooses the probes of a key. The word digest.hi selects the block.
using ScriptedBlocked = BasicBlockedFilter<test::ScriptedProbes>;

/// Returns the word digest.hi of a key in block b of a filter of two blocks.
constexpr std::uint64_t block_of_two(std::uint64_t b) {
  return b << 63U;
}

FilterSpec blocks(std::uint64_t num_blocks, unsigned k, double block_bits = 512) {
  return {.num_blocks = num_blocks, .num_hashes = k, .params = {{"block_bits", block_bits}}};
}

}  // namespace

TEST_CASE("blocked: the bits of a key are in its block, and high index bits select the word",
          "[variants][blocked]") {
  ScriptedBlocked line(blocks(2, 2));
  line.insert(key_at({0b011'001011, 0}, block_of_two(1)));
  for (std::uint64_t i = 0; i < 16; ++i) {
    CAPTURE(i);
    CHECK(line.bits().words()[i] == (i == 8 + 3   ? std::uint64_t{1} << 0b1011
                                     : i == 8 + 0 ? 1U
                                                  : 0U));
  }
  ScriptedBlocked half(blocks(2, 1, 256));
  half.insert(key_at({0b11'001011}, block_of_two(1)));
  CHECK(half.bits().words()[4 + 3] == std::uint64_t{1} << 0b1011);
  CHECK(half.bits().count() == 1);
}

TEST_CASE("blocked: equal positions in another block do not make a key positive",
          "[variants][blocked]") {
  ScriptedBlocked filter(blocks(2, 3));
  CHECK(filter.insert(key_at({1, 2, 3}, block_of_two(0))));
  CHECK(filter.contains(key_at({3, 2, 1}, block_of_two(0))));
  CHECK_FALSE(filter.contains(key_at({1, 2, 3}, block_of_two(1))));
  CHECK_FALSE(filter.insert(key_at({3, 3, 1}, block_of_two(0))));
}

TEST_CASE("blocked: sizes are rounded up to whole blocks", "[variants][blocked]") {
  const auto num_bits = [](const FilterSpec& spec) {
    return BlockedFilter::geometry(spec).num_bits();
  };
  CHECK(num_bits({.num_bits = 1, .num_hashes = 4}) == 512);
  CHECK(num_bits({.num_bits = 512, .num_hashes = 4}) == 512);
  CHECK(num_bits({.num_bits = 513, .num_hashes = 4}) == 1024);
  CHECK(num_bits({.num_bits = 513, .num_hashes = 4, .params = {{"block_bits", 256.0}}}) == 768);
  CHECK(num_bits({.capacity = 100, .bits_per_key = 10.0, .num_hashes = 4}) == 1024);
  CHECK(num_bits(blocks(5, 4)) == 5 * 512);
  CHECK(num_bits(blocks(5, 4, 256)) == 5 * 256);
  CHECK(BlockedFilter::geometry(blocks(5, 4)).num_blocks() == 5);
}

TEST_CASE("blocked: invalid parameters and other geometries are refused by name",
          "[variants][blocked]") {
  CHECK_THROWS_WITH(BlockedFilter(blocks(1, 4, 384)), "block_bits must be 256 or 512, got 384");
  CHECK_THROWS_WITH(BlockedFilter(blocks(1, 17)), "num_hashes must be in [1, 16], got 17");
  CHECK_THROWS_WITH(BlockedFilter(blocks(1, 0)), "num_hashes must be in [1, 16], got 0");
  CHECK_NOTHROW(BlockedFilter(blocks(1, 16)));
  CHECK_THROWS_AS(BlockedFilter(blocks(0, 4)), ConfigError);
  CHECK_THROWS_WITH(BlockedFilter(Geometry{768, 1, 4, 512}),
                    "num_cells must be a multiple of 512, the cells of a block, got 768");
  CHECK_THROWS_WITH(StandardFilter({.num_blocks = 3, .num_hashes = 4}),
                    "num_blocks must be left out for a filter that does not have blocks");
}

TEST_CASE("blocked: the rate given the state is the mean over blocks", "[variants][blocked]") {
  ScriptedBlocked filter(blocks(2, 2));
  filter.insert(key_at({1, 2}, block_of_two(0)));
  filter.insert(key_at({3, 4}, block_of_two(0)));
  filter.insert(key_at({7, 7}, block_of_two(1)));
  const FilterState state = filter.state();
  CHECK(state.num_ones == 5);
  // The rate is not (5/1024)^2, the rate of the same bits without blocks.
  CHECK(state.conditional_false_positive_rate == (16.0 + 1.0) / (512.0 * 512.0) / 2);

  BasicBlockedFilter<DistinctProbes> distinct(blocks(1, 2));
  distinct.insert({1, 2});
  CHECK(distinct.state().conditional_false_positive_rate ==
        Approx(2.0 / (512.0 * 511.0)).epsilon(1e-15));
}

TEST_CASE("blocked: fold merges neighbouring blocks", "[variants][blocked]") {
  ScriptedBlocked filter(blocks(6, 1));
  const std::uint64_t sixth = ~std::uint64_t{0} / 6 + 1;
  for (std::uint64_t b = 0; b < 6; ++b) filter.insert(key_at({b}, b * sixth));
  const auto halves = filter.fold(3);
  REQUIRE(halves.num_blocks() == 2);
  for (std::uint64_t i = 0; i < 16; ++i) {
    CHECK(halves.bits().words()[i] == (i == 0 ? 0b000111U : i == 8 ? 0b111000U : 0U));
  }
  CHECK_THROWS_WITH(filter.fold(4), "fold divisor must divide num_blocks 6, got 4");
  CHECK_THROWS_AS(filter.fold(0), ConfigError);
}

TEST_CASE("blocked: filters with another block size do not merge", "[variants][blocked]") {
  BlockedFilter filter(blocks(2, 4));
  CHECK_THROWS_WITH(filter.merge(BlockedFilter(blocks(4, 4, 256))),
                    "block_bits must be equal in both filters, got 512 and 256");
  CHECK_THROWS_WITH(filter.intersect(BlockedFilter(blocks(4, 4, 256))),
                    "block_bits must be equal in both filters, got 512 and 256");
}

TEST_CASE("blocked: n_hat inverts the expected number of ones", "[variants][blocked]") {
  // The expected number of ones with n keys is m (1 - (1 - q/b)^n), where b = 1 gives the standard
  // filter.
  const Geometry geometry{8 * 512, 1, 5, 512};
  for (const double n : {1.0, 100.0, 700.0}) {
    for (const auto model : {ProbeModel::kWithReplacement, ProbeModel::kDistinct}) {
      const double q = model == ProbeModel::kDistinct ? 5.0 / 512 : 1 - std::pow(511.0 / 512, 5);
      const double ones = 4096 * (1 - std::pow(1 - q / 8, n));
      const double below =
          count_given_ones_in_blocks(model, static_cast<std::uint64_t>(std::floor(ones)), geometry);
      const double above =
          count_given_ones_in_blocks(model, static_cast<std::uint64_t>(std::ceil(ones)), geometry);
      CAPTURE(n, q, ones);
      CHECK(below <= n * (1 + 1e-12));
      CHECK(above >= n * (1 - 1e-12));
      CHECK(count_given_ones_in_blocks(model, 200, {512, 1, 5, 512}) ==
            Approx(count_given_ones(model, 200, 512, 5)).epsilon(1e-14));
    }
  }
}

TEST_CASE("blocked: a filter for a rate has the fewest blocks that keep it",
          "[variants][blocked][exhaustive]") {
  using theory::InBlock;
  for (const unsigned block_bits : {256U, 512U}) {
    for (const std::uint64_t n : {1, 50, 3000}) {
      for (const double p : {0.5, 0.01, 1e-5}) {
        const FilterSpec spec{.capacity = n,
                              .target_false_positive_rate = p,
                              .params = {{"block_bits", static_cast<double>(block_bits)}}};
        const Geometry geometry = BlockedFilter::geometry(spec);
        const std::uint64_t b = geometry.num_blocks();
        const unsigned k = geometry.num_hashes;
        CAPTURE(block_bits, n, p, b, k);
        CHECK(theory::blocked_rate(n, b, block_bits, k) <= p);
        CHECK(theory::blocked_rate(n, b, block_bits, k, InBlock::kDistinct) <= p);
        for (unsigned other = 1; other <= 16 && b > 1; ++other) {
          const double rate =
              std::max(theory::blocked_rate(n, b - 1, block_bits, other),
                       theory::blocked_rate(n, b - 1, block_bits, other, InBlock::kDistinct));
          CHECK(rate > p);
        }
      }
    }
  }
}

TEST_CASE("blocked: without num_hashes k is the best of 1 to 16", "[variants][blocked]") {
  for (const double bits_per_key : {3.0, 10.0, 16.0, 60.0}) {
    const Geometry geometry =
        BlockedFilter::geometry({.capacity = 10'000, .bits_per_key = bits_per_key});
    const auto rate = [&](unsigned k) {
      return theory::blocked_rate(10'000, geometry.num_blocks(), 512, k);
    };
    for (unsigned k = 1; k <= 16; ++k) CHECK(rate(k) >= rate(geometry.num_hashes));
  }
}

TEST_CASE("blocked: masks equal the answers of single calls for any chunk", "[variants][blocked]") {
  // The two sizes are below and above the size at which prefetching starts.
  for (const std::uint64_t num_bits : {4096U, 16U << 20U}) {
    BlockedFilter by_key({.num_bits = num_bits, .num_hashes = 4});
    BlockedFilter by_mask = by_key;
    const auto keys = test::member_digests(500);
    for (const std::size_t length : {0U, 1U, 7U, 64U}) {
      const auto chunk = std::span(keys).subspan(length, length);
      for (const Digest& key : chunk) BatchAccess::prefetch(by_mask, key, Access::kUpdate);
      std::uint64_t expected = 0;
      for (std::size_t i = 0; i < length; ++i) {
        expected |= std::uint64_t{by_key.insert(chunk[i])} << i;
      }
      CHECK(BatchAccess::insert_mask(by_mask, chunk) == expected);
      const auto queries = std::span(keys).subspan(length / 2, length);
      for (const Digest& key : queries) BatchAccess::prefetch(by_mask, key, Access::kQuery);
      expected = 0;
      for (std::size_t i = 0; i < length; ++i) {
        expected |= std::uint64_t{by_key.contains(queries[i])} << i;
      }
      CHECK(test::contains_mask(by_mask, queries) == expected);
    }
    CHECK(by_mask == by_key);
  }
}

}  // namespace bloometry
