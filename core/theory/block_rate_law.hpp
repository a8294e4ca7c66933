#pragma once

#include <cstdint>

#include "core/contract/filter_spec.hpp"
#include "core/probe/probe_policy.hpp"
#include "core/statistics/rate_mixture.hpp"

namespace bloometry::theory {

/// Returns a law that bounds the law of F over filters. F is the mean over b blocks of r, where r
/// is the rate of a block given its state. The returned law is that of the mean of r over b
/// independent blocks with Bin(n, 1/b) keys each. Its mean is E[F]. In the convex order, it is
/// larger than the law of F: for every convex g, the mean of g under it is at least E[g(F)].
///
/// Proof: the numbers of keys in the blocks are multinomial, hence negatively associated (Joag-Dev,
/// Proschan 1983, section 3.1). Given the numbers of keys, the states of the blocks are
/// independent. The law of r increases with the number of keys in the block, because a key only
/// sets bits. Each r is therefore an increasing function of the number of keys and of an
/// independent variable. By property P6 of Joag-Dev and Proschan, the values of r are therefore
/// negatively associated too. Sums of negatively associated variables are smaller in the convex
/// order than sums of independent variables with the same laws. Source: Shao (2000), "A comparison
/// theorem on moment inequalities between negatively associated and independent random variables",
/// theorem 1.
///
/// Use: (1 + F (e^theta - 1))^q is convex in F for both signs of theta. RateMixture::log_mgf of the
/// returned law is therefore at least log E[e^(theta H)], where H is the number of positives of one
/// filter. Limit: the returned law is not the law of F, so likelihood ratios must not use it. Its
/// variance is Var(r)/b, which is 1.3 to 7 times the true variance at 5 to 40 bits per key. The
/// function block_mean_variance returns the true one, which is smaller because excess keys in one
/// block are missing in others.
///
/// Method: rate_law gives the law of r for each number of keys in a block. The mixture of the laws
/// of r is convolved b times by doubling, on grids equidistant in the logarithm. Splitting
/// (splitting_grid.hpp) makes the law larger in the convex order, and increases the variance by
/// less than 1 % (tested). In model P, the lanes of a block are k equal slices, and the laws of the
/// lanes are multiplied by doubling too. Parts with a weight below 1e-30 are omitted. The total
/// omitted weight, b 1e-25, is a bound of the error of a probability for one filter.
/// @throws std::domain_error under the conditions of rate_law.
statistics::RateMixture block_rate_law(ProbeModel model, std::uint64_t n, const Geometry& geometry);

}  // namespace bloometry::theory
