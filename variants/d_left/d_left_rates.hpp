#pragma once

#include <cstdint>
#include <vector>

/// What theory says of a d-left counting filter (Bonomi, Mitzenmacher, Panigrahy, Singh, Varghese
/// 2006; theory 7): d subtables of B buckets of w cells; a cell holds R bits of remainder and a
/// small counter; d permutations of the fingerprints [0, B 2^R) name a key's buckets. All throw
/// std::domain_error for what is outside the ranges stated.
namespace bloometry::theory {

/// 1-(1-1/(B 2^R))^n: exact, an absent key is positive iff it has the fingerprint of one of n keys.
/// B >= 1, R in 1..64.
double d_left_rate(std::uint64_t n, std::uint64_t buckets_per_subtable, unsigned remainder_bits);

/// d load 2^-R, load = average keys per bucket: to first order, and above the exact rate.
double d_left_linear_rate(unsigned num_subtables, double average_load, unsigned remainder_bits);

/// w (R + counter_bits)/load: memory per key at that average load.
double d_left_bits_per_key(unsigned cells_per_bucket, double average_load, unsigned remainder_bits,
                           unsigned counter_bits);

/// Share of buckets with at least i keys, i = 0..max_load, in the fluid limit (B -> infinity, no
/// bucket overflows): an insert goes to the least loaded of its d buckets, leftmost on ties,
///
///     dx_{i,j}/dt = (x_{i-1,j} - x_{i,j}) prod_{l<j} x_{i,l} prod_{l>j} x_{i-1,l},
///
/// t = keys inserted / B, from 0 to d load; the mean over subtables j. Runge-Kutta of fourth order
/// with steps 1/1000 and 1/2000, extrapolated: 1e-10 relative, 1e-7 at 1e-138; below 1e-308 it is
/// 0. d in 1..16, load in (0, 64].
std::vector<double> d_left_insert_only_tails(unsigned num_subtables, double average_load,
                                             unsigned max_load);

/// The same after many rounds of erasing a random key and inserting a new one: keys leave a bucket
/// of i at i per d load inserts, which takes i(x_{i,j} - x_{i+1,j})/(d load) off the above. 1e-12
/// relative.
std::vector<double> d_left_steady_state_tails(unsigned num_subtables, double average_load,
                                              unsigned max_load);

}  // namespace bloometry::theory
