#pragma once

#include <cstdint>

#include "core/filter/filter_spec.hpp"
#include "core/filter/set_estimates.hpp"
#include "core/probe/probe_policy.hpp"

/// How many keys a filter holds, read off its cells: X of m are non-zero, k probes per key. Real
/// numbers of distinct keys; 0 for an empty filter, +infinity for a full one (X = m), which says
/// nothing of their number.
namespace bloometry {

/// n_hat: the number of keys at which the expected count of zero cells is m - X exactly. A key
/// misses a given cell with probability (1-1/m)^k in model W and 1 - k/m in models D and P, so
/// n_hat = ln(1 - X/m) / ln of that.
///
/// Source: Papapetrou, Siberski, Nejdl (2010), "Cardinality estimation and dynamic length
/// adaptation for Bloom filters", for model W; theory 2 for the others. Exact in model P too when
/// its slices have one length w; where they differ by a bit, k/m is the mean of 1/w over cells, and
/// the second order left out makes n_hat too small by at most L^2/(4w) keys at load L (L^2/(8w)
/// for long slices). Relative rounding error below 1e-15.
[[nodiscard]] double count_given_ones(ProbeModel model, std::uint64_t ones, std::uint64_t num_cells,
                                      unsigned num_hashes) noexcept;

/// n_hat of a filter of b blocks of B cells: a key misses a given cell with probability 1 - q/b,
/// q that of hitting it from inside its block, so n_hat = ln(1 - X/m) / ln(1 - q/b). X of all
/// blocks together: the sum of n_hat of single blocks would be too large by count_bias of a block
/// for each, and infinite as soon as one is full. For that the unequal loads of blocks enter, but
/// only in second order: at half fill and k = 6 the standard deviation is 2.9 % above count_stddev
/// with B = 512, 11 % with B = 128; the bias is count_bias with as much on top, 0.03 keys there.
[[nodiscard]] double count_given_ones_in_blocks(ProbeModel model, std::uint64_t ones,
                                                const Geometry& geometry) noexcept;

/// -(m/k) ln(1 - X/m), the limit of the above for large m, larger by the factor 1 + 1/(2m).
/// Source: Swamidass, Baldi (2007), "Mathematical correction for fingerprint similarity measures".
[[nodiscard]] double swamidass_baldi_count(std::uint64_t ones, std::uint64_t num_cells,
                                           unsigned num_hashes) noexcept;

/// sqrt(m (e^L - 1 - L)) / k, L = -ln(1 - X/m): standard deviation of n_hat over filters that hold
/// the same number of keys. First order in 1/m, the same in all three models (theory 2).
[[nodiscard]] double count_stddev(std::uint64_t ones, std::uint64_t num_cells,
                                  unsigned num_hashes) noexcept;

/// (e^L - 1 - L) / (2k): by how many keys n_hat is too large on average. First order in 1/m.
[[nodiscard]] double count_bias(std::uint64_t ones, std::uint64_t num_cells,
                                unsigned num_hashes) noexcept;

/// From counts of non-zero cells: those of A, of B, and those that are non-zero in A or B.
[[nodiscard]] SetEstimates set_estimates_given_ones(ProbeModel model, std::uint64_t ones_a,
                                                    std::uint64_t ones_b, std::uint64_t ones_or,
                                                    std::uint64_t num_cells,
                                                    unsigned num_hashes) noexcept;

}  // namespace bloometry
