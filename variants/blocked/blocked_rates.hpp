#pragma once

#include <cstdint>

#include "core/contract/filter_spec.hpp"
#include "core/probe/probe_policy.hpp"
#include "core/theory/prediction.hpp"

/// Expected false positive rates of a blocked Bloom filter (Putze, Sanders, Singler 2007; theory
/// 6.1). Each key falls in one of b blocks of B bits and sets k bits in this block. The rate is the
/// mean of the in-block rate over the distribution of the number of keys in a block. All terms of
/// the sums in this file are positive, so the results have full relative precision. The functions
/// without a Geometry throw std::domain_error for a count of 0 and for k > B in model D. All
/// functions throw std::domain_error for more than 2^20 keys per block if the blocks are not
/// certainly full.
namespace bloometry::theory {

/// Formulas for the rate F_B(j) inside a block of B bits with j keys.
enum class InBlock {
  kWithReplacement,  ///< exact rate for k independent probes (model W)
  kDistinct,         ///< exact rate for k distinct probes (model D)
  /// Approximation (1-(1-1/B)^(jk))^k. At B = 512, 10 bits per key and k = 6, the rate of the
  /// filter is 0.9 % too low with kSemi.
  kSemi,
  /// Approximation (1-e^(-jk/B))^k. At B = 512, 10 bits per key and k = 6, the rate of the filter
  /// is 1.3 % too low with kClassic.
  kClassic,
};

/// Returns the rate of n keys in b = num_blocks blocks: the sum over j of Bin(n, 1/b)(j) F_B(j).
/// The rate is exact if `in_block` is kWithReplacement or kDistinct.
double blocked_rate(std::uint64_t n, std::uint64_t num_blocks, std::uint64_t block_bits, unsigned k,
                    InBlock in_block = InBlock::kWithReplacement);

/// Returns the limit of the rate for many blocks: the sum over j of Pois(B/c)(j) F_B(j), where c is
/// bits_per_key.
double blocked_poisson_rate(double bits_per_key, std::uint64_t block_bits, unsigned k,
                            InBlock in_block = InBlock::kWithReplacement);

/// Returns the bits per key at which blocked_poisson_rate equals p, in full precision.
/// @throws std::domain_error also if p is not in (0, 1), or if a rate of p needs more than 2^20
/// bits per key.
double blocked_bits_per_key(double p, std::uint64_t block_bits, unsigned k,
                            InBlock in_block = InBlock::kWithReplacement);

/// Returns the exact rate of n keys in a filter of the given geometry, in model W or D. The result
/// equals that of the function with the argument in_block. The function is faster, because
/// InBlockRates computes the rates for all j at once.
double blocked_rate(ProbeModel model, std::uint64_t n, const Geometry& geometry);

/// Returns the predicted values for blocked and blocked_counting. The approximations are `classic`
/// (a filter without blocks), `semi_in_block`, `classic_in_block`, and `poisson` (the limit of many
/// blocks).
Prediction blocked_prediction(ProbeModel model, std::uint64_t n, const Geometry& geometry);

}  // namespace bloometry::theory
