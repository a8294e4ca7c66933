#pragma once

#include <cstdint>

#include "core/filter/filter_spec.hpp"
#include "core/probe/probe_policy.hpp"
#include "core/statistics/rate_mixture.hpp"

namespace bloometry::theory {

/// Returns a law that bounds the law over filters of F, the mean over b blocks of the rates r of
/// blocks given their state. It is the law of a mean of b independent blocks with Bin(n, 1/b) keys
/// each. It has the mean of F and is larger in the convex order: E[g(F)] is at most the mean of g
/// under it for every convex g.
///
/// Proof. The keys of the blocks are multinomial, hence negatively associated (Joag-Dev, Proschan
/// 1983, section 3.1). Given them, the blocks' states are independent. The law of r rises with the
/// keys of its block, because a key only sets bits. So r is an increasing function of the keys and
/// of an independent variable, and the r are negatively associated too (there, property P6). Sums
/// of such variables are smaller in the convex order than those of independent ones with the same
/// laws (Shao 2000, "A comparison theorem on moment inequalities between negatively associated and
/// independent random variables", theorem 1).
///
/// Use: given F, (1 + F (e^theta - 1))^q is convex in F for both signs of theta, so
/// RateMixture::log_mgf of this law is at least that of the positives. Limit: it is not the law of
/// F, so it must not be used in a likelihood ratio. Its variance is Var(r)/b, which is 1.3 to 7
/// times the true one at 5 to 40 bits per key; block_mean_variance gives the true one. Excess keys
/// of one block are missing in others.
///
/// Method: rate_law given each number of keys in a block, then b of the mixture convolved by
/// doubling on grids equidistant in the logarithm. Splitting (splitting_grid.hpp) enlarges the law
/// once more in the same order, by less than 1 % of the variance (tested). Model P: lanes of k
/// equal slices of a block, multiplied in the same way. Parts of a weight below 1e-30 are left out,
/// b 1e-25 in all; this bounds the error of a probability for one filter. Cost: 0.1 s for 2000
/// blocks.
/// @throws std::domain_error as rate_law does.
statistics::RateMixture block_rate_law(ProbeModel model, std::uint64_t n, const Geometry& geometry);

}  // namespace bloometry::theory
