#pragma once

#include <cstdint>

#include "core/theory/pass_table.hpp"

namespace bloometry::theory {

/// Returns the exact expected false positive rate of any filter with k independent uniform probes
/// (model W).
///
/// n keys make N = n k throws on m cells. The k probes of an absent key fall on r distinct cells
/// with probability occ(r), and s ~ Bin(N, r/m) of the throws land in those cells. Given s, the
/// query passes with a probability K(r, s) that depends on neither n nor m:
///
///     rate = sum_r occ(r) sum_s Bin(N, r/m)(s) K(r, s)
///
/// Source: the occupancy chain of theory 1.3, with the throws counted over all r cells at once.
/// Every term is >= 0 if pass(b, t) rises with t, so the sum avoids cancellation at any rate. The
/// sum over s ends where the rest is below 2^-60 of the sum so far (K <= 1 bounds it). The sum over
/// r, from k downwards, ends in the same way (K <= g^r, g for one probe). Compared with 400-digit
/// values over k = 1..64, m = 1..1e12 and loads 1e-9 to 50, the relative error is at most 5e-15,
/// with median 1e-16. Rates below 1e-300 may underflow to 0.
/// Cost: O(k d^2 T S), S ~ k N/m + 12 sqrt(k N/m), where d <= k is the number of probes that share
/// a cell, small if m is large against k^2. k = 64 and m > 1e6 at the best load need 1 ms.
/// @throws std::domain_error if num_cells is 0.
double occupancy_chain_rate(std::uint64_t num_keys, std::uint64_t num_cells,
                            const PassTable& table);

/// Returns P(all probes of the table pass) after num_throws throws, a whole number. With a table of
/// 2k probes after n k throws this is E[F^2], where F is the rate of a filter given its state,
/// because two queries are 2k independent probes.
double occupancy_chain_moment(double num_throws, std::uint64_t num_cells, const PassTable& table);

/// Returns the chain for "every probed cell was hit": the standard filter (E[(X/m)^k], Bose et al.
/// 2008) and the counting filter, whether a key adds once per probe or once per distinct position.
/// The function is stateless and costs O(k S), 1 to 20 microseconds for k <= 16.
/// @throws std::domain_error if num_cells or num_hashes is 0.
double occupancy_any_hit_rate(std::uint64_t num_keys, std::uint64_t num_cells, unsigned num_hashes);

/// Returns E[(X/m)^power] after `num_throws` independent throws. The rate above is power k after n
/// k of them; power 2k gives the second moment of the rate given the fill. num_throws is a whole
/// number.
double any_hit_moment(double num_throws, std::uint64_t num_cells, unsigned power);

}  // namespace bloometry::theory
