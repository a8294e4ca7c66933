#pragma once

#include <cstdint>

#include "core/probe/probe_policy.hpp"

namespace bloometry::theory {

/// Returns the variance over filters of the rate given the fill: F = (X/m)^k in model W,
/// C(X,k)/C(m,k) in model D, product of slice fills in model P. Its square root is the typical
/// difference between filters of one configuration: 0.554 k/sqrt(m) of the rate at half fill.
///
/// In models W and D, the chains give E[F^2] - E[F]^2; in model D, two queries that share o cells
/// probe 2k - o cells. The difference has a relative error of 4e-15/v, v = Var(F)/E[F]^2 ~ 0.3
/// k^2/m at half fill, which is at most 1e-8 up to m = 7e5 k^2. If the error is larger, the
/// function sums over the exact law of the fill, provided that this law is affordable
/// (fill_law.hpp; rare collisions, nearly full filters). Otherwise it uses the first-order form
/// (F'/F)^2 Var(X) if its error, about k/E[X], is smaller. In model P, the product of second
/// moments gives full precision. Relative errors compared with 400-digit values are 1e-8 up to m =
/// 7e5 k^2 and where the law is affordable. They are 2e-5 for nearly empty or nearly full filters
/// at m >= 1e6. The largest error found is 2e-3, of a variance of 8e-24 at (23965, 9586, 20).
/// @throws std::domain_error as exact_rate.
double rate_variance(ProbeModel model, std::uint64_t n, std::uint64_t m, unsigned k);

}  // namespace bloometry::theory
