#pragma once

#include <cstdint>

#include "core/theory/pass_table.hpp"

/// Rates of any filter that a pass table describes. The formulas treat cells as independent, as in
/// many papers. The filter has n keys, m cells and k hashes. The functions use only the first row
/// of the table. For PassTable::any_hit, the results are the rates that theory 1.4 calls semi and
/// classic. For the increment sets D_L and B_h, the results are the theorems of Rottenstreich et
/// al. (theory 5.2, 5.3). All terms of the sums are positive, so the results have full relative
/// precision at any load.
namespace bloometry::theory {

/// Returns P(a probe passes) if its cell received Poisson(load) throws.
/// @throws std::domain_error if load is negative or not finite.
double probe_pass_probability(const PassTable& table, double load);

/// Returns the derivative of probe_pass_probability with respect to the load: E[pass(1, t + 1) -
/// pass(1, t)] for t ~ Poisson(load).
double probe_pass_slope(const PassTable& table, double load);

/// Returns (P(a probe passes))^k at Poisson load k/cells_per_key.
/// @throws std::domain_error if k is 0 or cells_per_key is not positive.
double poisson_rate(const PassTable& table, double cells_per_key, unsigned k);

/// Returns (P(a probe passes))^k with Bin(nk, 1/m) throws in its cell.
/// @throws std::domain_error if m or k is 0.
double independent_rate(const PassTable& table, std::uint64_t n, std::uint64_t m, unsigned k);

}  // namespace bloometry::theory
