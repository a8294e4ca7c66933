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
/// Source: the occupancy chain of theory 1.3, with the throws on all r cells counted together.
/// Every term is >= 0 if pass(b, t) rises with t, so the sum avoids cancellation at any rate. The
/// sum over s ends where the rest is below 2^-60 of the sum so far; K <= 1 bounds the rest. The sum
/// over r runs from k downwards and ends in the same way; K <= g^r bounds its rest, where g is the
/// pass probability of one probe. Compared with 400-digit values over k = 1..64, m = 1..1e12 and
/// loads 1e-9 to 50, the relative error is at most 5e-15, with median 1e-16. Rates below 1e-300 may
/// underflow to 0.
/// Cost: O(k d^2 T S), S ~ k N/m + 12 sqrt(k N/m), where d <= k is the number of probes that share
/// a cell, small if m is large against k^2. k = 64 and m > 1e6 at the best load need 1 ms.
/// @throws std::domain_error if num_cells is 0.
double occupancy_chain_rate(std::uint64_t num_keys, std::uint64_t num_cells,
                            const PassTable& table);

/// Returns P(all probes of the table pass) after num_throws throws, a whole number. With a table of
/// 2k probes and n k throws, the result is E[F^2], where F is the rate of a filter given its state,
/// because two queries are 2k independent probes.
double occupancy_chain_moment(double num_throws, std::uint64_t num_cells, const PassTable& table);

/// Returns the exact expected rate E[(X/m)^k] of filters in which a probe passes if its cell was
/// hit. These are the standard filter (Bose et al. 2008) and the counting filter, whether a key
/// adds one per probe or one per distinct position. Cost: O(k S), 1 to 20 microseconds for k <= 16.
/// @throws std::domain_error if num_cells or num_hashes is 0.
double occupancy_any_hit_rate(std::uint64_t num_keys, std::uint64_t num_cells, unsigned num_hashes);

/// Returns E[(X/m)^power] after `num_throws` independent throws, a whole number. With n k throws,
/// power k gives the rate of occupancy_any_hit_rate, and power 2k the second moment of the rate
/// given the fill.
double any_hit_moment(double num_throws, std::uint64_t num_cells, unsigned power);

}  // namespace bloometry::theory
