#pragma once

#include <cstdint>

#include "core/filter/filter_spec.hpp"
#include "core/probe/probe_policy.hpp"
#include "core/theory/prediction.hpp"

/// Expected false positive rates of a blocked Bloom filter (Putze, Sanders, Singler 2007; theory
/// 6.1). Each key falls in one of b blocks of B bits and sets k bits in this block. The rate is the
/// mean of an in-block rate over the number of keys in a block. All terms of the sums in this file
/// are positive, so the results have full relative precision. All functions throw std::domain_error
/// for a count of 0 and for k > B in model D. The functions also throw std::domain_error for more
/// than 2^20 keys per block, unless the blocks are certainly full.
namespace bloometry::theory {

/// Formulas for the rate F_B(j) inside a block of B bits with j keys.
enum class InBlock {
  kWithReplacement,  ///< exact rate for k independent probes (model W)
  kDistinct,         ///< exact rate for k distinct probes (model D)
  /// The approximation (1-(1-1/B)^(jk))^k. The approximation kSemi is 0.9 % too low at 512 bits, 10
  /// bits per key and k = 6.
  kSemi,
  /// The approximation (1-e^(-jk/B))^k. The approximation kClassic is 1.3 % too low at 512 bits, 10
  /// bits per key and k = 6.
  kClassic,
};

/// Returns the sum over j of Bin(n, 1/b)(j) F_B(j). The result is exact if `in_block` is
/// kWithReplacement or kDistinct.
double blocked_rate(std::uint64_t n, std::uint64_t num_blocks, std::uint64_t block_bits, unsigned k,
                    InBlock in_block = InBlock::kWithReplacement);

/// Returns the sum over j of Pois(B/c)(j) F_B(j), the limit of many blocks, where c is
/// bits_per_key.
double blocked_poisson_rate(double bits_per_key, std::uint64_t block_bits, unsigned k,
                            InBlock in_block = InBlock::kWithReplacement);

/// Returns the bits per key at which blocked_poisson_rate equals p, in full precision.
/// @throws std::domain_error also if p is not in (0, 1), or if p needs more than 2^20 bits per key.
double blocked_bits_per_key(double p, std::uint64_t block_bits, unsigned k,
                            InBlock in_block = InBlock::kWithReplacement);

/// Returns the exact rate of n keys in a filter of the given geometry, in model W or D. The result
/// equals that of blocked_rate above. InBlockRates computes the rates for all j at once, in 0.1 ms
/// instead of up to 10 ms.
double blocked_rate(ProbeModel model, std::uint64_t n, const Geometry& geometry);

/// Returns all theoretical values for blocked and blocked_counting, in which a probe passes if and
/// only if some key hit its cell. The approximations are `classic` (a filter without blocks),
/// `semi_in_block`, `classic_in_block`, and `poisson` (the limit of many blocks).
Prediction blocked_prediction(ProbeModel model, std::uint64_t n, const Geometry& geometry);

}  // namespace bloometry::theory
