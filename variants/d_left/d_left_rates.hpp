#pragma once

#include <cstdint>
#include <vector>

/// Theory of a d-left counting filter (Bonomi, Mitzenmacher, Panigrahy, Singh, Varghese 2006;
/// theory 7). The filter has d subtables of B buckets of w cells. A cell holds R bits of remainder
/// and a small counter. The buckets of a key are determined by d permutations of the fingerprints
/// [0, B 2^R). All functions throw std::domain_error for arguments outside the ranges in their
/// comments.
namespace bloometry::theory {

/// Returns the exact rate 1-(1-1/(B 2^R))^n of a d-left filter with n keys. A nonmember key tests
/// positive if and only if it has the fingerprint of one of the n keys. The function requires B >=
/// 1 and R in 1..64.
double d_left_rate(std::uint64_t n, std::uint64_t buckets_per_subtable, unsigned remainder_bits);

/// Returns d * load * 2^-R, where load is the average number of keys per bucket. The result is a
/// first-order approximation and is above the exact rate.
double d_left_linear_rate(unsigned num_subtables, double average_load, unsigned remainder_bits);

/// Returns w (R + counter_bits) / load, the number of bits per key at the given average load.
double d_left_bits_per_key(unsigned cells_per_bucket, double average_load, unsigned remainder_bits,
                           unsigned counter_bits);

/// Returns the share of buckets with at least i keys, for i = 0..max_load, in the fluid limit (B ->
/// infinity, without overflows). An insert adds the key to the least loaded of its d buckets, and
/// to the leftmost of equal ones:
///
///     dx_{i,j}/dt = (x_{i-1,j} - x_{i,j}) prod_{l<j} x_{i,l} prod_{l>j} x_{i-1,l},
///
/// where t = keys inserted / B runs from 0 to d * load. The result is the mean over subtables j.
/// The method is Runge-Kutta of fourth order with steps 1/1000 and 1/2000, followed by
/// extrapolation. The relative error of the result is 1e-10, or 1e-7 at 1e-138; values below 1e-308
/// are 0. The function requires d in 1..16 and load in (0, 64].
std::vector<double> d_left_insert_only_tails(unsigned num_subtables, double average_load,
                                             unsigned max_load);

/// Returns the share of buckets with at least i keys, for i = 0..max_load, in the steady state. The
/// filter is in the steady state after many rounds that each erase a random key and insert a new
/// key. Keys leave a bucket of i keys at rate i per d * load inserts. The equation is that of
/// d_left_insert_only_tails, less i(x_{i,j} - x_{i+1,j})/(d load). The relative error of the result
/// is 1e-12.
std::vector<double> d_left_steady_state_tails(unsigned num_subtables, double average_load,
                                              unsigned max_load);

}  // namespace bloometry::theory
