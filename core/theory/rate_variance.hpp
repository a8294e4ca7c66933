#pragma once

#include <cstdint>

#include "core/probe/probe_policy.hpp"

namespace bloometry::theory {

/// Returns the variance over filters of the rate given the fill: F = (X/m)^k in model W,
/// C(X,k)/C(m,k) in model D, product of slice fills in model P. Its square root is the typical
/// difference between filters of one configuration: 0.554 k/sqrt(m) of the rate at half fill.
///
/// W and D: E[F^2] - E[F]^2 from the chains (in D two queries that share o cells probe 2k - o). The
/// difference keeps 4e-15/v of its relative precision, v = Var(F)/E[F]^2 ~ 0.3 k^2/m at half fill:
/// 1e-8 up to m = 7e5 k^2. If it keeps less, the exact law of the fill is summed if it is
/// affordable (fill_law.hpp; rare collisions, nearly full filters). Otherwise the first-order form
/// (F'/F)^2 Var(X) is used if its error, about k/E[X], is smaller. P: product of second moments,
/// with full precision. Errors against 400-digit values: 1e-8 up to m = 7e5 k^2 and where the law
/// is affordable; 2e-5 nearly empty or nearly full at m >= 1e6. The largest error found is 2e-3, of
/// a variance of 8e-24 at (23965, 9586, 20).
/// @throws std::domain_error as exact_rate.
double rate_variance(ProbeModel model, std::uint64_t n, std::uint64_t m, unsigned k);

}  // namespace bloometry::theory
