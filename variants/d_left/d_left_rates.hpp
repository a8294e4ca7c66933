#pragma once

#include <cstdint>
#include <vector>

/// Theory of a d-left counting filter (Bonomi, Mitzenmacher, Panigrahy, Singh, Varghese 2006;
/// theory 7). The filter has d subtables of B buckets of w cells. A cell holds R bits of remainder
/// and a small counter. The buckets and remainders of a key are determined by d permutations of its
/// fingerprint in [0, B 2^R). The functions throw std::domain_error for arguments that are outside
/// the ranges in the comments.
namespace bloometry::theory {

/// Returns the exact rate 1-(1-1/(B 2^R))^n of a d-left filter with n keys. A nonmember key tests
/// positive if and only if it has the fingerprint of one of the n keys. The function requires B >=
/// 1 and R in 1..64.
double d_left_rate(std::uint64_t n, std::uint64_t buckets_per_subtable, unsigned remainder_bits);

/// Returns d * load * 2^-R, where load is the average number of keys per bucket. The result is a
/// first-order approximation of the rate and an upper bound.
double d_left_linear_rate(unsigned num_subtables, double average_load, unsigned remainder_bits);

/// Returns the number of bits per key at the given average load: w (R + counter_bits) / load.
double d_left_bits_per_key(unsigned cells_per_bucket, double average_load, unsigned remainder_bits,
                           unsigned counter_bits);

/// Returns the share of buckets with at least i keys, for i = 0..max_load, in the fluid limit (B ->
/// infinity, without overflows). An insert adds the key to the bucket with the fewest keys, and to
/// the leftmost of several such buckets:
///
///     dx_{i,j}/dt = (x_{i-1,j} - x_{i,j}) prod_{l<j} x_{i,l} prod_{l>j} x_{i-1,l},
///
/// where t, the number of inserted keys / B, runs from 0 to d * load. The result is the mean over
/// the subtables j. The function uses Runge-Kutta of fourth order with steps 1/1000 and 1/2000 and
/// extrapolates the two results. The relative error is 1e-10 for large shares and 1e-7 for shares
/// near 1e-138. Shares below 1e-308 are 0. The function requires d in 1..16 and load in (0, 64].
std::vector<double> d_left_insert_only_tails(unsigned num_subtables, double average_load,
                                             unsigned max_load);

/// Returns the share of buckets with at least i keys, for i = 0..max_load, in the steady state. The
/// filter is in the steady state after many rounds that each erase a random key and insert a new
/// key. During d * load * B inserts, a bucket of i keys loses i keys on average. The differential
/// equation is the equation of d_left_insert_only_tails plus the term -i(x_{i,j} - x_{i+1,j})/(d
/// load). The relative error of the result is 1e-12.
std::vector<double> d_left_steady_state_tails(unsigned num_subtables, double average_load,
                                              unsigned max_load);

}  // namespace bloometry::theory
