#pragma once

#include <cstdint>

#include "core/theory/pass_table.hpp"

namespace bloometry::theory {

/// Exact expected false positive rate of any filter with k independent uniform probes (model W).
///
/// n keys make N = n k throws on m cells; the k probes of an absent key fall on r distinct cells
/// with probability occ(r); s of the throws land in those cells, s ~ Bin(N, r/m); and given s the
/// query passes with a probability K(r, s) that depends on neither n nor m:
///
///     rate = sum_r occ(r) sum_s Bin(N, r/m)(s) K(r, s)
///
/// Source: occupancy chain of the theory reference, section 1.3, with the throws counted over all r
/// cells at once. Every term is >= 0 if pass(b, t) rises with t, so nothing cancels however small
/// the rate. The sum over s ends where the rest is below 2^-60 of the sum so far (K <= 1 bounds
/// it), and so does that over r, from k downwards (K <= g^r, g for one probe). Accuracy, against
/// 400-digit values over k = 1..64, m = 1..1e12, loads 1e-9 to 50: 5e-15 relative at most, median
/// 1e-16. Rates below 1e-300 may underflow to 0.
/// Cost: O(k d^2 T S), S ~ k N/m + 12 sqrt(k N/m), d <= k the probes that share a cell, few if m is
/// large against k^2: 1 ms for k = 64 and m > 1e6 at the best load.
/// @throws std::domain_error if num_cells is 0.
double occupancy_chain_rate(std::uint64_t num_keys, std::uint64_t num_cells,
                            const PassTable& table);

/// P(all probes of the table pass) after num_throws throws, a whole number. With a table of 2k
/// probes after n k throws: E[F^2], F the rate of a filter given its state, because two queries
/// are 2k independent probes.
double occupancy_chain_moment(double num_throws, std::uint64_t num_cells, const PassTable& table);

/// The chain for "every probed cell was hit": standard filter (E[(X/m)^k], Bose et al. 2008) and
/// counting filter, whether a key adds once per probe or once per distinct position. Keeps no
/// state; O(k S), 1 to 20 microseconds for k <= 16.
/// @throws std::domain_error if num_cells or num_hashes is 0.
double occupancy_any_hit_rate(std::uint64_t num_keys, std::uint64_t num_cells, unsigned num_hashes);

/// E[(X/m)^power] after `num_throws` independent throws: the rate above is power k after n k of
/// them, power 2k gives the second moment of the rate given the fill. num_throws is a whole number.
double any_hit_moment(double num_throws, std::uint64_t num_cells, unsigned power);

}  // namespace bloometry::theory
