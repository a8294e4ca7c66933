#pragma once

#include <cstdint>
#include <optional>

#include "core/theory/pass_table.hpp"

namespace bloometry::theory {

/// Returns the variance over filters of the rate given the state, F = (passing (cell, probe) pairs
/// / all)^k. The table has rows for 2k probes; the filter has n keys, m cells and k hashes.
///
/// E[F^2] is the occupancy chain with 2k probes, because two queries are 2k independent probes.
/// The difference E[F^2] - E[F]^2 has a relative error of 4e-15/v, v = Var(F)/E[F]^2. The
/// first-order form k^2 Var(pairs)/E[pairs]^2 is used instead if its error is smaller, or if the
/// chain costs more than about 0.1 s (k > 30 at the best load). The relative error of the
/// first-order form is the larger of k^2/m and k over the expected number of passing cells:
///
///     Var(pairs share) = [E pass(2) - g^2 - x g'^2]/m,  g = E pass(1), x = nk/m (Poisson loads)
///
/// Absent if neither form is accurate to 1 %. Examples are overfull filters, a few keys in 1e15
/// cells, and m < 100 k^2 if the chain costs too much.
/// @throws std::domain_error for m or k = 0, or a table of other than 2k rows.
std::optional<double> pass_rate_variance(const PassTable& table, std::uint64_t n, std::uint64_t m,
                                         unsigned k);

}  // namespace bloometry::theory
