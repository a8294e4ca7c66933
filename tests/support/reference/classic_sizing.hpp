#pragma once

#include <cstdint>

#include "core/probe/probe_policy.hpp"
#include "variants/blocked/blocked_rates.hpp"

/// Reference implementations of the sizing in core/rates and variants/registry, by different
/// methods. The functions relate n keys, m bits, k hashes and rate p (theory 1.6). The classic rate
/// is (1 - e^(-kn/m))^k. Only the functions guaranteed_* use the exact rate. All functions throw
/// std::domain_error for a rate outside (0, 1), zero counts, or a result above 2^63 bits.
namespace bloometry::theory {

/// Returns the number of bits n ln(1/p)/(ln 2)^2 for a real-valued k. If k is rounded to an
/// integer, the rate exceeds p.
double continuous_num_bits(std::uint64_t n, double p);

/// Returns (m/n) ln 2, the best real-valued k.
double continuous_num_hashes(std::uint64_t n, std::uint64_t m);

/// Returns p^(1/k), the fill at which k hashes have the classic rate p.
double classic_fill_for_rate(double p, unsigned k);

/// Returns the least m with classic rate <= p: ceil(-nk/ln(1-p^(1/k))).
std::uint64_t classic_num_bits(std::uint64_t n, double p, unsigned k);

/// Returns the k in 1..64 that needs the fewest bits for the classic rate p. This k is near
/// log2(1/p).
unsigned best_num_hashes_for_rate(double p);

/// Returns the integer k in 1..64 next to (m/n) ln 2 that has the lower classic rate.
unsigned best_num_hashes(std::uint64_t n, std::uint64_t m);

/// Returns the real number of keys at which the classic rate reaches p: -(m/k) ln(1-p^(1/k)).
double classic_capacity(std::uint64_t m, double p, unsigned k);

/// The k in 1..64 with the largest capacity for m bits and rate p is best_num_hashes_for_rate(p).

/// Returns the least m with *exact* rate <= p for the given k, by a monotone search around the
/// classic value.
std::uint64_t guaranteed_num_bits(ProbeModel model, std::uint64_t n, double p, unsigned k);

struct GuaranteedSize {
  std::uint64_t num_bits = 0;
  unsigned num_hashes = 0;
};

/// Returns the least m whose exact rate is <= p for some k in 1..64, and the smallest such k. With
/// m - 1 bits, the rate is above p for every k. The function searches for the least m of a k only
/// if this k reaches p with one bit less than the best m so far. The cost is therefore about that
/// of 64 rates and one search.
GuaranteedSize guaranteed_size(ProbeModel model, std::uint64_t n, double p);

/// Returns the k in 1..64 with the least blocked_poisson_rate. The best k is smaller than c ln 2,
/// where c is bits_per_key.
unsigned blocked_best_num_hashes(double bits_per_key, std::uint64_t block_bits,
                                 InBlock in_block = InBlock::kWithReplacement);

/// Returns log2(1/p), the lower bound of bits per key for any filter without false negatives
/// (Carter et al. 1978).
double information_bound_bits_per_key(double p);

}  // namespace bloometry::theory
