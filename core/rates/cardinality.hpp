#pragma once

#include <cstdint>

#include "core/filter/filter_spec.hpp"
#include "core/filter/set_estimates.hpp"
#include "core/probe/probe_policy.hpp"

/// Estimates of the number of distinct keys in a filter from its cells: X of m are non-zero, with k
/// probes per key. The results are real numbers: 0 for an empty filter, and +infinity for a full
/// filter (X = m), for which no finite estimate exists.
namespace bloometry {

/// Returns n_hat: the number of keys at which the expected count of zero cells is exactly m - X. A
/// key misses a given cell with probability (1-1/m)^k in model W and 1 - k/m in models D and P, so
/// n_hat = ln(1 - X/m) / ln of that probability.
///
/// Source: Papapetrou, Siberski, Nejdl (2010), "Cardinality estimation and dynamic length
/// adaptation for Bloom filters", for model W; theory 2 for the others. In model P the formula is
/// exact if all slices have the same length w. If the lengths differ by a bit, k/m is the mean of
/// 1/w over cells. The omitted second-order term then makes n_hat too small by at most L^2/(4w)
/// keys at load L (L^2/(8w) for long slices). The relative rounding error is below 1e-15.
[[nodiscard]] double count_given_ones(ProbeModel model, std::uint64_t ones, std::uint64_t num_cells,
                                      unsigned num_hashes) noexcept;

/// Returns n_hat of a filter of b blocks of B cells. A key misses a given cell with probability 1 -
/// q/b, where q is the probability of hitting it from inside its block; so n_hat = ln(1 - X/m) /
/// ln(1 - q/b). X counts all blocks together. Adding the estimates of single blocks would be worse:
/// each adds the count_bias of one block, and one full block makes the sum infinite. The unequal
/// loads of blocks have only a second-order effect. At half fill and k = 6 the standard deviation
/// is 2.9 % above count_stddev with B = 512, and 11 % above it with B = 128. The bias exceeds
/// count_bias by the same percentages; it is 0.03 keys at this fill.
[[nodiscard]] double count_given_ones_in_blocks(ProbeModel model, std::uint64_t ones,
                                                const Geometry& geometry) noexcept;

/// Returns -(m/k) ln(1 - X/m), the limit of n_hat for large m. The limit is larger than n_hat by
/// the factor 1 + 1/(2m).
/// Source: Swamidass, Baldi (2007), "Mathematical correction for fingerprint similarity measures".
[[nodiscard]] double swamidass_baldi_count(std::uint64_t ones, std::uint64_t num_cells,
                                           unsigned num_hashes) noexcept;

/// Returns sqrt(m (e^L - 1 - L)) / k with L = -ln(1 - X/m): the standard deviation of n_hat over
/// filters with the same number of keys. It is of first order in 1/m and the same in all three
/// models (theory 2).
[[nodiscard]] double count_stddev(std::uint64_t ones, std::uint64_t num_cells,
                                  unsigned num_hashes) noexcept;

/// Returns (e^L - 1 - L) / (2k) with L = -ln(1 - X/m): the mean excess of n_hat over the true
/// number of keys, in first order in 1/m.
[[nodiscard]] double count_bias(std::uint64_t ones, std::uint64_t num_cells,
                                unsigned num_hashes) noexcept;

/// Returns the estimates from three counts of non-zero cells: in A, in B, and in A or B.
[[nodiscard]] SetEstimates set_estimates_given_ones(ProbeModel model, std::uint64_t ones_a,
                                                    std::uint64_t ones_b, std::uint64_t ones_or,
                                                    std::uint64_t num_cells,
                                                    unsigned num_hashes) noexcept;

}  // namespace bloometry
