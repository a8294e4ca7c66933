#pragma once

#include <cstdint>

#include "core/theory/pass_table.hpp"

namespace bloometry::theory {

/// Returns the exact expected false positive rate of any filter with k independent uniform probes
/// (model W).
///
/// The inserts of n keys are N = n k throws on m cells. The k probes of an absent key fall on r
/// distinct cells with probability occ(r). The number s of throws on the r cells is Bin(N, r/m).
/// Given s, the query passes with a probability K(r, s) that depends on neither n nor m:
///
///     rate = sum_r occ(r) sum_s Bin(N, r/m)(s) K(r, s)
///
/// Source: the occupancy chain of theory 1.3, with the throws on all r cells counted together.
/// Every term is >= 0 if pass(b, t) increases with t, so the sum avoids cancellation at any rate.
/// The sum over s, and the sum over r from k downwards, end when the omitted terms are below 2^-60
/// of the sum. The bounds of the omitted terms follow from K <= 1 and K <= g^r, where g is the pass
/// probability of one probe. In a comparison with 400-digit values, the relative error is at most
/// 5e-15, with median 1e-16. The comparison covers k = 1..64, m = 1..1e12 and loads from 1e-9
/// to 50. Rates below 1e-300 may underflow to 0. The cost is O(k d^2 T S) with S ~ k N/m + 12
/// sqrt(k N/m). The number d <= k of probes that share a cell is small if m is large compared with
/// k^2.
/// @throws std::domain_error if num_cells is 0.
double occupancy_chain_rate(std::uint64_t num_keys, std::uint64_t num_cells,
                            const PassTable& table);

/// Returns P(all probes of the table pass) after num_throws throws. num_throws is a whole number.
/// Let F be the rate of a filter given its state. With a table of 2k probes and n k throws, the
/// result is E[F^2], because two queries are 2k independent probes.
double occupancy_chain_moment(double num_throws, std::uint64_t num_cells, const PassTable& table);

/// Returns the exact expected rate E[(X/m)^k] of filters in which a probe passes if its cell was
/// hit. Examples are the standard filter (Bose et al. 2008), and the counting filter with one
/// increment per probe or per distinct position. The cost is O(k S).
/// @throws std::domain_error if num_cells or num_hashes is 0.
double occupancy_any_hit_rate(std::uint64_t num_keys, std::uint64_t num_cells, unsigned num_hashes);

/// Returns E[(X/m)^power] after `num_throws` independent throws. num_throws is a whole number. With
/// n k throws, power k gives the rate of occupancy_any_hit_rate. With n k throws, power 2k gives
/// the second moment of the rate given the fill.
double any_hit_moment(double num_throws, std::uint64_t num_cells, unsigned power);

}  // namespace bloometry::theory
