#pragma once

#include <cstdint>

/// Expected false positive rates of a split-block filter (Parquet, Impala; theory 6.2): each key
/// falls in one of z blocks and sets one bit in each of its lanes (8 lanes of 32 bits), so that
/// inside a block model P holds exactly: (1-(1-1/lane_bits)^j)^lanes with j keys. Sums of positive
/// terms: full relative precision. All throw std::domain_error for a count of 0, and for more than
/// 2^20 keys per block unless the blocks are certainly full.
namespace bloometry::theory {

struct SplitBlock {
  unsigned num_lanes = 8;
  unsigned lane_bits = 32;

  double num_bits() const { return static_cast<double>(num_lanes) * lane_bits; }
};

/// sum_j Bin(n, 1/z)(j) (1-(1-1/lane_bits)^j)^lanes: exact for lanes hashed ideally; the real
/// salted multiply agrees within 1e-3 relative.
double split_block_rate(std::uint64_t n, std::uint64_t num_blocks, SplitBlock block = {});

/// E[f^2] in a block of j keys, f its product of lane fills: square of the rate at two absent keys.
double split_block_square(std::uint64_t j, SplitBlock block = {});

/// The same with Poisson(block bits/bits per key) keys in a block: many blocks.
double split_block_poisson_rate(double bits_per_key, SplitBlock block = {});

/// Bits per key at which split_block_poisson_rate is p, to the last digit.
/// @throws std::domain_error also unless 0 < p < 1, or if more than 2^20 bits per key are needed.
double split_block_bits_per_key(double p, SplitBlock block = {});

}  // namespace bloometry::theory
