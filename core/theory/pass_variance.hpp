#pragma once

#include <cstdint>
#include <optional>

#include "core/theory/pass_table.hpp"

namespace bloometry::theory {

/// Returns the variance over filters of the rate given the state, F = (passing (cell, probe) pairs
/// / all pairs)^k. The table has rows for 2k probes. The filter has n keys, m cells and k hashes.
///
/// The occupancy chain with 2k probes gives E[F^2], because two queries are 2k independent probes.
/// The difference E[F^2] - E[F]^2 has a relative error of 4e-15/v with v = Var(F)/E[F]^2. If the
/// first-order form k^2 Var(pairs)/E[pairs]^2 has a smaller error, the function uses this form. It
/// also does so if the chain needs more than 2e8 operations (k > 30 at the best load). The relative
/// error of the first-order form is the larger of k^2/m and k over the expected number of passing
/// cells:
///
///     Var(pairs share) = [E pass(2) - g^2 - x g'^2]/m,  g = E pass(1), x = nk/m (Poisson loads)
///
/// Returns std::nullopt if neither form is accurate to 1 %. Examples are overfull filters, a few
/// keys in 1e15 cells, and m < 100 k^2 if the chain needs too many operations.
/// @throws std::domain_error if m or k is 0, or if the table does not have 2k rows.
std::optional<double> pass_rate_variance(const PassTable& table, std::uint64_t n, std::uint64_t m,
                                         unsigned k);

}  // namespace bloometry::theory
