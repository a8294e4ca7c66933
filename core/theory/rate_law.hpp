#pragma once

#include <cstdint>

#include "core/probe/probe_policy.hpp"
#include "core/statistics/rate_mixture.hpp"

namespace bloometry::theory {

/// The law over filters of the rate given the fill, F = (X/m)^k in model W, C(X,k)/C(m,k) in model
/// D, product of slice fills in model P: what a test has to know of filters whose fill it cannot
/// see (theory reference, section 9.3).
///
/// W and D: the law of X (fill_law.hpp) over its band, mean +- (12 sd + 40), mapped to F. P: the
/// slices' laws multiplied one after the other on a logarithmic grid. Where X takes more than
/// a thousand values, or slices are multiplied, weight between two grid rates is split so that the
/// mean stays: the result is larger than the exact law in the convex order (same mean, variance
/// larger by less than 1 %, tested), which keeps Chernoff bounds bounds.
/// Exact but for that where the law of X is. Elsewhere its limits. Poisson, of collisions or zeros:
/// sums of independent indicators are smaller in the convex order, so that the upper Chernoff bound
/// stays one, and the lower one has a variance up to 2.6 times the true one (half fill) on its
/// side: safe, less sharp. Normal, only if 10^4 of both are expected: skewness below 0.01, so the
/// tail z standard deviations out is off by a factor within e^(z^3/600), 1.3 at z = 5.5, beside a
/// Chernoff bound 13 times above the tail there. A likelihood ratio (SequentialTest) has no such
/// slack: it is as good as the law, exact where that is.
/// @throws std::domain_error if m or k is 0, or k > m in models D and P.
statistics::RateMixture rate_law(ProbeModel model, std::uint64_t n, std::uint64_t m, unsigned k);

}  // namespace bloometry::theory
