#pragma once

#include <cstdint>

#include "core/probe/probe_policy.hpp"
#include "core/statistics/rate_mixture.hpp"

namespace bloometry::theory {

/// Returns the law over filters of the rate F given the fill. F is (X/m)^k in model W,
/// C(X,k)/C(m,k) in model D, and the product of the slice fills in model P. The law is necessary
/// for tests of filters whose fill cannot be observed (theory 9.3).
///
/// In models W and D, the function maps the law of X (fill_law.hpp) over its band, mean +- (12
/// sd + 40), to F. In model P, the function multiplies the laws of the slices one after the other.
/// A law or product with more than 1024 values is mapped to a grid, which is logarithmic for
/// products. The function splits the weight of a value between two grid rates so that the mean does
/// not change. The split law is larger than the exact law in the convex order. It has the same
/// mean, and its variance is larger by less than 1 % (tested). Chernoff bounds remain valid. Apart
/// from splitting, the law of F is exact if the law of X is exact. Otherwise, the law of X is a
/// Poisson or normal limit law. The Poisson limit of collisions or zeros is larger in the convex
/// order than the true law, so the upper Chernoff bound remains valid. The lower one uses a
/// variance of up to 3.8 times the true variance (2.5 times at half fill). It is therefore valid
/// but less sharp. The function uses the normal limit only if 10^4 collisions and 10^4 zeros are
/// expected. The skewness of X is then below 0.01. The normal tail at z standard deviations
/// therefore differs from the true tail by a factor of at most e^(z^3/600), which is 1.3 at
/// z = 5.5. There, the Chernoff bound is 14 times the tail. A likelihood ratio (SequentialTest) is
/// exact only if the law is exact.
/// @throws std::domain_error if m or k is 0, or k > m in models D and P.
statistics::RateMixture rate_law(ProbeModel model, std::uint64_t n, std::uint64_t m, unsigned k);

}  // namespace bloometry::theory
