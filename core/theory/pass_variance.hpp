#pragma once

#include <cstdint>
#include <optional>

#include "core/theory/pass_table.hpp"

namespace bloometry::theory {

/// Returns the variance over filters of the rate given the state, F = (passing (cell, probe) pairs
/// / all)^k. A pass table describes the filter (rows for 2k probes); it has n keys, m cells, k
/// hashes.
///
/// E[F^2] is the occupancy chain with 2k probes, because two queries are 2k independent probes.
/// Minus E[F]^2 it keeps 4e-15/v of its relative precision, v = Var(F)/E[F]^2. If that is worse, or
/// if the chain is too costly (above about 0.1 s: k > 30 at the best load), the first-order form
/// k^2 Var(pairs)/E[pairs]^2 replaces it. Its relative error is k^2/m or, if that is more, k over
/// the expected passing cells:
///
///     Var(pairs share) = [E pass(2) - g^2 - x g'^2]/m,  g = E pass(1), x = nk/m (Poisson loads)
///
/// Absent if neither is accurate to 1 %: overfull filters, a few keys in 1e15 cells, m < 100 k^2 if
/// the chain costs too much.
/// @throws std::domain_error for m or k = 0, or a table of other than 2k rows.
std::optional<double> pass_rate_variance(const PassTable& table, std::uint64_t n, std::uint64_t m,
                                         unsigned k);

}  // namespace bloometry::theory
