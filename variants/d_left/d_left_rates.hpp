#pragma once

#include <cstdint>
#include <vector>

/// Theory of a d-left counting filter (Bonomi, Mitzenmacher, Panigrahy, Singh, Varghese 2006;
/// theory 7). The filter has d subtables of B buckets of w cells; a cell holds R bits of remainder
/// and a small counter. d permutations of the fingerprints [0, B 2^R) determine the buckets of a
/// key. All functions throw std::domain_error for arguments outside the stated ranges.
namespace bloometry::theory {

/// Returns the exact rate 1-(1-1/(B 2^R))^n. A nonmember key is positive if and only if it has the
/// fingerprint of one of the n keys. Requires B >= 1 and R in 1..64.
double d_left_rate(std::uint64_t n, std::uint64_t buckets_per_subtable, unsigned remainder_bits);

/// Returns d * load * 2^-R, where load is the average number of keys per bucket. This first-order
/// value is above the exact rate.
double d_left_linear_rate(unsigned num_subtables, double average_load, unsigned remainder_bits);

/// Returns w (R + counter_bits) / load, the memory per key in bits at that average load.
double d_left_bits_per_key(unsigned cells_per_bucket, double average_load, unsigned remainder_bits,
                           unsigned counter_bits);

/// Returns the share of buckets with at least i keys, for i = 0..max_load, in the fluid limit (B ->
/// infinity, without overflows). An insert goes to the least loaded of its d buckets, leftmost on
/// ties:
///
///     dx_{i,j}/dt = (x_{i-1,j} - x_{i,j}) prod_{l<j} x_{i,l} prod_{l>j} x_{i-1,l},
///
/// where t = keys inserted / B runs from 0 to d * load; the result is the mean over subtables j.
/// The method is Runge-Kutta of fourth order with steps 1/1000 and 1/2000, extrapolated. Its
/// relative error is 1e-10, or 1e-7 at 1e-138; values below 1e-308 are 0. Requires d in 1..16 and
/// load in (0, 64].
std::vector<double> d_left_insert_only_tails(unsigned num_subtables, double average_load,
                                             unsigned max_load);

/// Returns the share of buckets with at least i keys, for i = 0..max_load, after many rounds in
/// which a random key is erased and a new key is inserted. Keys leave a bucket of i keys at rate i
/// per d * load inserts, which subtracts i(x_{i,j} - x_{i+1,j})/(d load) from the equation above.
/// The relative error is 1e-12.
std::vector<double> d_left_steady_state_tails(unsigned num_subtables, double average_load,
                                              unsigned max_load);

}  // namespace bloometry::theory
