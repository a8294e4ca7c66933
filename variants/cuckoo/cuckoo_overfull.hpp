#pragma once

#include <cstdint>

/// Overfull buckets of cuckoo tables: keys that no moves of fingerprints can place.
///
/// The buckets of fingerprint t are i and h(t) - i mod B, so the sum h(t) mod B determines which
/// pairs of buckets it can have: B/2 pairs for each of the B/2 odd sums. A fixed hash h distributes
/// the 2^f-1 fingerprints unevenly over the sums. A key has a given pair with probability
/// 2 q/(B(2^f-1)), where q is the number of fingerprints with its sum. Keys do not fit if 2b + 1 of
/// them have one pair of buckets, or if 3b + 1 have two pairs with a common bucket. Larger sets of
/// buckets are much rarer (README.md).
namespace bloometry::theory {

/// Returns the expected number of sets of two or three buckets to which more of n random keys
/// belong than fit. It bounds the probability of such a set. The function computes the sums of all
/// 2^f-1 fingerprints, in time proportional to f 2^f.
[[nodiscard]] double cuckoo_overfull_sets(double num_keys, std::uint64_t num_buckets,
                                          unsigned bucket_cells, unsigned fingerprint_bits);

/// Returns a bound of cuckoo_overfull_sets() that needs no fingerprint. It holds if no sum has many
/// more fingerprints than the others, which is false for a random hash with probability 1e-9.
[[nodiscard]] double cuckoo_overfull_sets_bound(double num_keys, std::uint64_t num_buckets,
                                                unsigned bucket_cells, unsigned fingerprint_bits);

/// Returns whether cuckoo_overfull_sets() is at most `most`. The sums are computed only if the
/// bound does not decide it, which is at most at a few bits more than the least sufficient width.
[[nodiscard]] bool are_overfull_sets_rare(double num_keys, std::uint64_t num_buckets,
                                          unsigned bucket_cells, unsigned fingerprint_bits,
                                          double most);

}  // namespace bloometry::theory
