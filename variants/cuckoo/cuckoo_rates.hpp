#pragma once

#include <cstdint>

/// Rates of a cuckoo filter (Fan, Andersen, Kaminsky, Mitzenmacher 2014). The table has B buckets
/// of b cells. A cell holds a fingerprint of f bits, whose value 0 means that the cell is empty.
/// The two buckets of a fingerprint t are i and h(t) - i mod B, where B is even and h(t) is odd.
/// One of them is even and the other is odd, so no bucket is its own partner. The functions throw
/// std::domain_error for arguments that are outside the ranges in the comments.
namespace bloometry::theory {

/// Returns B (2^f - 1) / 2, the number of pairs of a fingerprint and its two buckets. Two keys with
/// the same pair cannot be told apart. Rounds to double. Requires even B >= 2 and f in 1..64.
double cuckoo_num_classes(std::uint64_t num_buckets, unsigned fingerprint_bits);

/// Returns the exact rate 1-(1-2/(B(2^f-1)))^n of a cuckoo filter with n keys, for ideal digests. A
/// nonmember key tests positive if and only if one of the n keys has its fingerprint and its
/// buckets. The rate does not depend on b, or on the cell to which a key was moved. The relative
/// error is below 1e-14. Requires even B >= 2 and f in 1..64.
double cuckoo_rate(std::uint64_t num_keys, std::uint64_t num_buckets, unsigned fingerprint_bits);

/// Returns 1-(1-2^-f)^(2 b load), the usual approximation of the rate, where the load is the share
/// of the cells that are occupied. The approximation counts 2^f fingerprints, but only 2^f - 1
/// exist. It is below the exact rate by a share of about 2^-(f+1): 0.029308
/// instead of 0.029364 for f = 8, b = 4 and load 0.95. Requires b >= 1, load in [0, 1] and f
/// in 1..64.
double cuckoo_approximate_rate(unsigned cells_per_bucket, double load, unsigned fingerprint_bits);

/// Returns the rate given the state, 2 D/(B(2^f-1)), where D counts the different pairs of a
/// fingerprint and its two buckets among the occupied cells. Requires even B >= 2, f in 1..64, and
/// D of at most B(2^f-1)/2.
double cuckoo_rate_given_state(std::uint64_t num_stored_classes, std::uint64_t num_buckets,
                               unsigned fingerprint_bits);

/// Returns the number of bits per key at a load: f/load. Requires f in 1..64 and load in (0, 1].
double cuckoo_bits_per_key(unsigned fingerprint_bits, double load);

}  // namespace bloometry::theory
