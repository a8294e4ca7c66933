#pragma once

#include <cstdint>

#include "core/probe/probe_policy.hpp"
#include "core/statistics/rate_mixture.hpp"

namespace bloometry::theory {

/// Returns the law over filters of the rate given the fill, F = (X/m)^k in model W, C(X,k)/C(m,k)
/// in model D, product of slice fills in model P. A test needs it for filters whose fill it cannot
/// observe (theory 9.3).
///
/// In models W and D, the law of X (fill_law.hpp) over its band, mean +- (12 sd + 40), is mapped to
/// F. In model P, the laws of the slices are multiplied one after the other on a logarithmic grid.
/// If X has more than a thousand values, or slices are multiplied, weight between two grid rates is
/// split so that the mean does not change. The result is then larger than the exact law in the
/// convex order: the mean is equal, and the variance is larger by less than 1 % (tested). Chernoff
/// bounds remain valid.
/// Apart from this splitting, the law is exact where the law of X is exact. Where it is not exact,
/// the law of X is a limit. The Poisson limit of collisions or zeros is larger in the convex order
/// than the true law, so the upper Chernoff bound remains valid. The lower bound uses a variance up
/// to 2.6 times the true one (at half fill), so it is valid but less sharp. The normal limit is
/// used only if 10^4 collisions and 10^4 zeros are expected. Its skewness is below 0.01, so the
/// tail at z standard deviations is wrong by a factor within e^(z^3/600), 1.3 at z = 5.5. The
/// Chernoff bound is 13 times above the tail there. A likelihood ratio (SequentialTest) is exact
/// only if the law is exact.
/// @throws std::domain_error if m or k is 0, or k > m in models D and P.
statistics::RateMixture rate_law(ProbeModel model, std::uint64_t n, std::uint64_t m, unsigned k);

}  // namespace bloometry::theory
