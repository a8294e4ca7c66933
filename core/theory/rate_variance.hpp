#pragma once

#include <cstdint>

#include "core/probe/probe_policy.hpp"

namespace bloometry::theory {

/// Returns the variance over filters of the rate F given the fill. F is (X/m)^k in model W,
/// C(X,k)/C(m,k) in model D, and the product of the slice fills in model P. The square root of the
/// variance is the typical difference between filters of one configuration. At half fill, the
/// typical difference is 0.554 k/sqrt(m) of the rate.
///
/// In models W and D, the function computes E[F^2] - E[F]^2 by the chains. In model D, two queries
/// that share o cells probe 2k - o cells. The relative error of the difference is 4e-15/v with
/// v = Var(F)/E[F]^2, which is about 0.3 k^2/m at half fill. It is therefore at most 1e-8 up to
/// m = 7e5 k^2. If it exceeds 1e-8, the function sums over the exact law of the fill (rare
/// collisions, nearly full filters). If the law in fill_law.hpp is not exact, the function may use
/// the first-order form (F'/F)^2 Var(X), provided that its error, about k/E[X], is smaller. In
/// model P, the product of second moments has full precision. In a comparison with 400-digit
/// values, the relative error is at most 1e-8 up to m = 7e5 k^2. With the exact law of the fill, it
/// is at most 1e-8 too. It is 2e-5 for nearly empty or nearly full filters at m >= 1e6. The largest
/// error found is 2e-3, for a variance of 8e-24 at (n, m, k) = (23965, 9586, 20).
/// @throws std::domain_error if m or k is 0, or k > m in models D and P.
double rate_variance(ProbeModel model, std::uint64_t n, std::uint64_t m, unsigned k);

}  // namespace bloometry::theory
