#pragma once

#include <cstdint>

#include "core/probe/probe_policy.hpp"
#include "variants/blocked/blocked_rates.hpp"

/// The yardstick of the program's own sizing (core/rates, variants/registry), by other methods.
/// Relations between n keys, m bits, k hashes and rate p (theory reference, section 1.6). Classic
/// means the rate (1 - e^(-kn/m))^k; only `guaranteed_num_bits` uses the exact rate.
/// All throw std::domain_error for a rate outside (0, 1), zero counts, or a result beyond 2^63
/// bits.
namespace bloometry::theory {

/// n ln(1/p)/(ln 2)^2 bits with a real-valued k. Rounding k to an integer then misses p.
double continuous_num_bits(std::uint64_t n, double p);

/// (m/n) ln 2: the best k, if it need not be an integer.
double continuous_num_hashes(std::uint64_t n, std::uint64_t m);

/// p^(1/k): the fill at which k hashes have the classic rate p.
double classic_fill_for_rate(double p, unsigned k);

/// Least m with classic rate <= p: ceil(-nk/ln(1-p^(1/k))).
std::uint64_t classic_num_bits(std::uint64_t n, double p, unsigned k);

/// The k in 1..64 with the fewest bits for rate p, near log2(1/p).
unsigned best_num_hashes_for_rate(double p);

/// The better of floor and ceil of (m/n) ln 2 under the classic rate, in 1..64.
unsigned best_num_hashes(std::uint64_t n, std::uint64_t m);

/// Keys until the classic rate reaches p: -(m/k) ln(1-p^(1/k)), a real number.
double classic_capacity(std::uint64_t m, double p, unsigned k);

/// The k in 1..64 with the largest capacity for m bits and rate p is best_num_hashes_for_rate(p).

/// Least m with *exact* rate <= p for that k. Monotone search around the classic value.
std::uint64_t guaranteed_num_bits(ProbeModel model, std::uint64_t n, double p, unsigned k);

struct GuaranteedSize {
  std::uint64_t num_bits = 0;
  unsigned num_hashes = 0;
};

/// The least m of all k in 1..64 whose exact rate is <= p, and the smallest k that gets along with
/// it: one bit less fails with every k. Each k is searched only if it beats the best before it at
/// one bit less, so that the cost is some 64 rates and one search.
GuaranteedSize guaranteed_size(ProbeModel model, std::uint64_t n, double p);

/// The k in 1..64 with the least blocked_poisson_rate; smaller than c ln 2.
unsigned blocked_best_num_hashes(double bits_per_key, std::uint64_t block_bits,
                                 InBlock in_block = InBlock::kWithReplacement);

/// log2(1/p): bits per key that no filter without false negatives can beat (Carter et al. 1978).
double information_bound_bits_per_key(double p);

}  // namespace bloometry::theory
