#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "core/rates/block_words.hpp"

/// Expected false positive rates of a split-block filter (Parquet, Impala; theory 6.2). Each key
/// falls in one of z blocks and sets one bit in each lane of this block (8 lanes of 32 bits).
/// Inside a block, model P therefore holds exactly. The rate of a block with j keys is
/// (1-(1-1/lane_bits)^j)^lanes. All terms of the sums in this file are positive, so the results
/// have full relative precision. All functions but split_block_square throw std::domain_error if
/// the number of blocks, of lanes or of bits is 0. These functions also throw std::domain_error for
/// more than 2^20 keys per block if the blocks are not certainly full.
namespace bloometry::theory {

struct SplitBlock {
  unsigned num_lanes = 8;
  unsigned lane_bits = 32;

  double num_bits() const { return static_cast<double>(num_lanes) * lane_bits; }
};

/// Returns the rate of n keys in z blocks: the sum over j of Bin(n, 1/z)(j)
/// (1-(1-1/lane_bits)^j)^lanes. The rate is exact for independent lanes and blocks of equal
/// probability.
double split_block_rate(std::uint64_t n, std::uint64_t num_blocks, SplitBlock block = {});

/// Returns split_block_rate for blocks of the given probabilities.
double split_block_rate(std::uint64_t n, std::span<const BlockGroup> groups, SplitBlock block = {});

/// Returns the probabilities of z blocks that a word of 32 bits selects as Parquet does.
std::vector<BlockGroup> parquet_blocks(std::uint64_t num_blocks);

/// Returns the rate of n keys in z blocks that Parquet's scheme selects, as if the eight lanes of a
/// block were independent. This is a model of the scheme. For z below 2^20, the result is
/// split_block_rate up to 1e-6 relative.
double parquet_rate_of_independent_lanes(std::uint64_t n, std::uint64_t num_blocks);

/// Returns E[f^2] in a block of j keys, where f is the product of the fill ratios of the lanes. The
/// result is the probability that two nonmember keys in the block are both positive.
double split_block_square(std::uint64_t j, SplitBlock block = {});

/// Returns the limit of the rate for many blocks. In the limit, the number of keys in a block has a
/// Poisson distribution with mean (bits per block) / bits_per_key.
double split_block_poisson_rate(double bits_per_key, SplitBlock block = {});

/// Returns the bits per key at which split_block_poisson_rate equals p, in full precision.
/// @throws std::domain_error also if p is not in (0, 1), or if a rate of p needs more than 2^20
/// bits per key.
double split_block_bits_per_key(double p, SplitBlock block = {});

}  // namespace bloometry::theory
