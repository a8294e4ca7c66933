#pragma once

#include <cstdint>

#include "core/filter/filter_spec.hpp"
#include "core/probe/probe_policy.hpp"
#include "core/theory/prediction.hpp"

/// Expected false positive rates of a blocked Bloom filter (Putze, Sanders, Singler 2007; theory
/// 6.1): each key falls in one of b blocks of B bits and sets k bits inside it, so that the rate is
/// the mean of an in-block rate over the number of keys in a block. Sums of positive terms: full
/// relative precision. All throw std::domain_error for a count of 0, for k > B in model D, and for
/// more than 2^20 keys per block unless the blocks are certainly full.
namespace bloometry::theory {

/// The rate inside a block of B bits with j keys.
enum class InBlock {
  kWithReplacement,  ///< exact, k independent probes (model W)
  kDistinct,         ///< exact, a k-subset (model D)
  kSemi,             ///< (1-(1-1/B)^(jk))^k: 0.9 % low at 512 bits, 10 bits per key, k = 6
  kClassic,          ///< (1-e^(-jk/B))^k: 1.3 % low there
};

/// sum_j Bin(n, 1/b)(j) F_B(j): exact for the two exact in-block rates.
double blocked_rate(std::uint64_t n, std::uint64_t num_blocks, std::uint64_t block_bits, unsigned k,
                    InBlock in_block = InBlock::kWithReplacement);

/// sum_j Pois(B/c)(j) F_B(j), c = bits per key: many blocks.
double blocked_poisson_rate(double bits_per_key, std::uint64_t block_bits, unsigned k,
                            InBlock in_block = InBlock::kWithReplacement);

/// Bits per key at which blocked_poisson_rate is p, to the last digit.
/// @throws std::domain_error also unless 0 < p < 1, or if more than 2^20 bits per key are needed.
double blocked_bits_per_key(double p, std::uint64_t block_bits, unsigned k,
                            InBlock in_block = InBlock::kWithReplacement);

/// The exact rate of n keys in a filter of this geometry, in model W or D: the same as above by
/// another method (InBlockRates), which makes all j of a block at once: 0.1 ms instead of up to 10.
double blocked_rate(ProbeModel model, std::uint64_t n, const Geometry& geometry);

/// Everything known of a filter of blocks whose probe passes iff its cell was hit: blocked,
/// blocked_counting. Approximations: classic, of a filter without blocks; semi_in_block and
/// classic_in_block; poisson, the limit of many blocks.
Prediction blocked_prediction(ProbeModel model, std::uint64_t n, const Geometry& geometry);

}  // namespace bloometry::theory
