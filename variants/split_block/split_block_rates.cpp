#include "variants/split_block/split_block_rates.hpp"

#include <algorithm>
#include <cmath>

#include "core/rates/binomial_mixture.hpp"
#include "core/rates/root_between.hpp"
#include "core/require_domain.hpp"

namespace bloometry::theory {
namespace {

/// Returns (1-(1-1/lane_bits)^j)^lanes as a function of the number of keys j.
auto lane_product(SplitBlock block) {
  require_domain(block.num_lanes > 0, "num_lanes", "at least 1", block.num_lanes);
  require_domain(block.lane_bits > 0, "lane_bits", "at least 1", block.lane_bits);
  const double log_miss = std::log1p(-1.0 / block.lane_bits);  // -inf for a lane of one bit
  return [=](std::uint64_t j) {
    if (j == 0) return 0.0;
    return std::pow(-std::expm1(static_cast<double>(j) * log_miss), block.num_lanes);
  };
}

}  // namespace

double split_block_rate(std::uint64_t n, std::uint64_t num_blocks, SplitBlock block) {
  require_domain(num_blocks > 0, "num_blocks", "at least 1", num_blocks);
  return cell_mean_of(static_cast<double>(n), static_cast<double>(num_blocks), lane_product(block));
}

double split_block_rate(std::uint64_t n, std::span<const BlockGroup> groups, SplitBlock block) {
  return mean_over_blocks(groups, n, lane_product(block));
}

std::vector<BlockGroup> parquet_blocks(std::uint64_t num_blocks) {
  require_domain(num_blocks > 0, "num_blocks", "at least 1", num_blocks);
  constexpr double kNumWordBits = 32;
  return BlockWords(kNumWordBits, num_blocks).groups();
}

double parquet_rate_of_independent_lanes(std::uint64_t n, std::uint64_t num_blocks) {
  return split_block_rate(n, parquet_blocks(num_blocks));
}

double split_block_square(std::uint64_t j, SplitBlock block) {
  // In a lane of w bits, two nonmember keys probe the same bit with probability 1/w, and otherwise
  // two different bits.
  const double keys = static_cast<double>(j);
  const double share = 1.0 / block.lane_bits;
  if (j == 0) return 0.0;
  const double one = -std::expm1(keys * std::log1p(-share));
  // The formula for `both` equals 1 - 2(1-s)^j + (1-2s)^j, and is accurate even if one^2 is small.
  const double miss = 1.0 - one;
  const double both =
      one * one +
      miss * miss * std::expm1(keys * std::log1p(-share * share / ((1 - share) * (1 - share))));
  return std::pow(share * one + (1.0 - share) * std::max(0.0, both), block.num_lanes);
}

double split_block_poisson_rate(double bits_per_key, SplitBlock block) {
  require_domain(bits_per_key > 0.0, "bits_per_key", "above 0", bits_per_key);
  return poisson_mean_of(block.num_bits() / bits_per_key, lane_product(block));
}

double split_block_bits_per_key(double p, SplitBlock block) {
  return bits_per_key_where(p, [&](double c) { return split_block_poisson_rate(c, block); });
}

}  // namespace bloometry::theory
