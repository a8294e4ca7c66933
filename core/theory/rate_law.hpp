#pragma once

#include <cstdint>

#include "core/probe/probe_policy.hpp"
#include "core/statistics/rate_mixture.hpp"

namespace bloometry::theory {

/// Returns the law over filters of the rate given the fill, F = (X/m)^k in model W, C(X,k)/C(m,k)
/// in model D, product of slice fills in model P. A test needs it for filters whose fill it cannot
/// observe (theory 9.3).
///
/// W and D: the law of X (fill_law.hpp) over its band, mean +- (12 sd + 40), mapped to F. P: the
/// slices' laws multiplied one after the other on a logarithmic grid. If X has more than a thousand
/// values, or slices are multiplied, weight between two grid rates is split so that the mean stays.
/// The result is larger than the exact law in the convex order (same mean, variance larger by less
/// than 1 %, tested), so Chernoff bounds remain valid.
/// Apart from that, the law is exact where the law of X is. Otherwise it is one of its limits.
/// Poisson, of collisions or zeros: sums of independent indicators are smaller in the convex order,
/// so the upper Chernoff bound remains valid. The lower bound has a variance up to 2.6 times the
/// true one (half fill) on its side: it is safe but less sharp. Normal, only if 10^4 of both are
/// expected: the skewness is below 0.01, so the tail at z standard deviations is wrong by a factor
/// within e^(z^3/600), 1.3 at z = 5.5. The Chernoff bound is 13 times above the tail there. A
/// likelihood ratio (SequentialTest) does not have such slack: it is exact only if the law is
/// exact.
/// @throws std::domain_error if m or k is 0, or k > m in models D and P.
statistics::RateMixture rate_law(ProbeModel model, std::uint64_t n, std::uint64_t m, unsigned k);

}  // namespace bloometry::theory
