#pragma once

#include <cstdint>

#include "core/filter/filter_spec.hpp"
#include "core/probe/probe_policy.hpp"
#include "core/statistics/rate_mixture.hpp"

namespace bloometry::theory {

/// Returns a law that bounds the law of F over filters. F is the mean over b blocks of r, the rate
/// of a block given its state. The returned law is that of the mean of b independent blocks with
/// Bin(n, 1/b) keys each. Its mean is E[F], and it is larger than the law of F in the convex order:
/// for every convex g, the mean of g under the returned law is at least E[g(F)].
///
/// Proof. The keys of the blocks are multinomial, hence negatively associated (Joag-Dev, Proschan
/// 1983, section 3.1). Given them, the blocks' states are independent. The law of r rises with the
/// keys of its block, because a key only sets bits. So r is an increasing function of the number of
/// keys and of an independent variable, and the values r are negatively associated too (property P6
/// of the same paper). Sums of such variables are smaller in the convex order than those of
/// independent ones with the same laws (Shao 2000, "A comparison theorem on moment inequalities
/// between negatively associated and independent random variables", theorem 1).
///
/// Use: given F, (1 + F (e^theta - 1))^q is convex in F for both signs of theta, so
/// RateMixture::log_mgf of this law is at least that of the positives. Limit: the returned law is
/// not the law of F, so it must not be used in a likelihood ratio. Its variance is Var(r)/b, which
/// is 1.3 to 7 times the true variance at 5 to 40 bits per key. block_mean_variance returns the
/// true variance, which is smaller because excess keys in one block are missing in others.
///
/// Method: rate_law gives the law of r for each number of keys in a block. The mixture of these
/// laws is convolved b times by doubling, on grids equidistant in the logarithm. Splitting
/// (splitting_grid.hpp) makes the law larger in the convex order, by less than 1 % of the variance
/// (tested). In model P, the lanes of a block are k equal slices, whose laws are multiplied in the
/// same way. Parts of a weight below 1e-30 are omitted. The omitted weight is b 1e-25 in all, which
/// bounds the error of a probability for one filter. Cost: 0.1 s for 2000 blocks.
/// @throws std::domain_error as rate_law does.
statistics::RateMixture block_rate_law(ProbeModel model, std::uint64_t n, const Geometry& geometry);

}  // namespace bloometry::theory
