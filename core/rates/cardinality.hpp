#pragma once

#include <cstdint>

#include "core/contract/filter_spec.hpp"
#include "core/contract/set_estimates.hpp"
#include "core/probe/probe_policy.hpp"

/// Estimates of the number of distinct keys in a filter with k probes per key and X non-zero cells
/// of m. The estimates are real numbers. The estimate is 0 for an empty filter, and +infinity for a
/// full filter (X = m).
namespace bloometry {

/// Returns n_hat: the number of keys at which the expected count of zero cells is exactly m - X. A
/// key misses a given cell with probability q = (1-1/m)^k in model W and q = 1 - k/m in models D
/// and P. The estimate is n_hat = ln(1 - X/m) / ln q.
///
/// Source: Papapetrou, Siberski, Nejdl (2010), "Cardinality estimation and dynamic length
/// adaptation for Bloom filters", for model W. Theory 2 gives the formula for models D and P. In
/// model P, the formula is exact if all slices have the same length w. If the slice lengths differ,
/// k/m is the mean of 1/w over cells. If the lengths differ by one bit, n_hat is too small by at
/// most L^2/(4w) keys at load L, or L^2/(8w) keys for long slices. The error is the second-order
/// term that the formula omits. The relative rounding error is below 1e-15.
[[nodiscard]] double count_given_ones(ProbeModel model, std::uint64_t ones, std::uint64_t num_cells,
                                      unsigned num_hashes) noexcept;

/// Returns n_hat of a filter of b blocks of B cells. Let q be the probability that a key of a block
/// hits a given cell of the block. A key of the filter misses a given cell with probability 1 -
/// q/b, so n_hat = ln(1 - X/m) / ln(1 - q/b). X is the number of non-zero cells in all blocks. A
/// sum of the estimates of single blocks would be less accurate than n_hat, because each estimate
/// adds the count_bias of one block. One full block would make the sum infinite. The unequal loads
/// of blocks have only a second-order effect. At half fill and k = 6, the standard deviation
/// exceeds count_stddev by 2.9 % (B = 512) or 11 % (B = 128). The bias of n_hat exceeds count_bias
/// by 5.4 % (B = 512) or 22 % (B = 128). At half fill, the bias is 0.03 keys.
[[nodiscard]] double count_given_ones_in_blocks(ProbeModel model, std::uint64_t ones,
                                                const Geometry& geometry) noexcept;

/// Returns n_hat rounded to a whole number and clipped to [least, most]. Returns `most` for
/// +infinity.
[[nodiscard]] std::uint64_t clipped_count(double count, std::uint64_t least,
                                          std::uint64_t most) noexcept;

/// Returns -(m/k) ln(1 - X/m), the limit of n_hat for large m. In model W, the limit is larger than
/// n_hat by a factor of about 1 + 1/(2m). Source: Swamidass, Baldi (2007), "Mathematical correction
/// for fingerprint similarity measures".
[[nodiscard]] double swamidass_baldi_count(std::uint64_t ones, std::uint64_t num_cells,
                                           unsigned num_hashes) noexcept;

/// Returns the standard deviation of n_hat over filters with the same number of keys. The value is
/// sqrt(m (e^L - 1 - L)) / k with L = -ln(1 - X/m). The formula is of first order in 1/m and valid
/// in all three models (theory 2).
[[nodiscard]] double count_stddev(std::uint64_t ones, std::uint64_t num_cells,
                                  unsigned num_hashes) noexcept;

/// Returns the mean of n_hat minus the true number of keys, to first order in 1/m: (e^L - 1 - L) /
/// (2k) with L = -ln(1 - X/m).
[[nodiscard]] double count_bias(std::uint64_t ones, std::uint64_t num_cells,
                                unsigned num_hashes) noexcept;

/// Returns the estimate of the number of common keys (SetEstimates::raw_intersection) of two
/// filters in model W, rounded and clipped to [0, most]. The number of cells that are set in the
/// AND determines that of the OR. Returns 0 if no cell is set in the AND, and otherwise `most` if
/// all cells of the OR are set, because the estimate is then unknown. The fill of the AND is not an
/// estimate: two keys of different sets that hit the same cell set it, too.
[[nodiscard]] std::uint64_t common_count_given_ones(std::uint64_t ones_a, std::uint64_t ones_b,
                                                    std::uint64_t ones_and, std::uint64_t num_cells,
                                                    unsigned num_hashes,
                                                    std::uint64_t most) noexcept;

/// Returns the estimates from three counts of non-zero cells: in A, in B, and in A or B.
[[nodiscard]] SetEstimates set_estimates_given_ones(ProbeModel model, std::uint64_t ones_a,
                                                    std::uint64_t ones_b, std::uint64_t ones_or,
                                                    std::uint64_t num_cells,
                                                    unsigned num_hashes) noexcept;

}  // namespace bloometry
