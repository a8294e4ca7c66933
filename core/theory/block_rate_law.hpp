#pragma once

#include <cstdint>

#include "core/filter/filter_spec.hpp"
#include "core/probe/probe_policy.hpp"
#include "core/statistics/rate_mixture.hpp"

namespace bloometry::theory {

/// A law that bounds the law over filters of F, the mean over b blocks of the rates r of blocks
/// given their state: that of a mean of b independent blocks with Bin(n, 1/b) keys each. It has the
/// mean of F and is larger in the convex order, so that E[g(F)] is at most the mean of g under it
/// for every convex g.
///
/// Proof. The keys of the blocks are multinomial, hence negatively associated (Joag-Dev, Proschan
/// 1983, section 3.1). Given them, the blocks' states are independent, and the law of r rises with
/// the keys of its block, since a key only sets bits: r is a rising function of the keys and of
/// a variable of its own, so the r are negatively associated too (there, property P6). Sums of
/// such variables are smaller in the convex order than those of independent ones with the same laws
/// (Shao 2000, "A comparison theorem on moment inequalities between negatively associated and
/// independent random variables", theorem 1).
///
/// What it serves: given F, (1 + F (e^theta - 1))^q is convex in F for both signs of theta, so
/// that RateMixture::log_mgf of this law is at least that of the hits. What it does not: it is not
/// the law of F, so that no likelihood ratio may be made of it. Its variance is Var(r)/b, 1.3 to 7
/// times the true one at 5 to 40 bits per key (block_mean_variance is that): what one block has
/// more of the keys, others have less.
///
/// Method: rate_law given each number of keys in a block, b of the mixture convolved by doubling on
/// grids equidistant in the logarithm, where splitting (splitting_grid.hpp) enlarges the law once
/// more in the same order, by less than 1 % of the variance (tested). Model P: lanes of k equal
/// slices of a block, multiplied in the same way. Parts of a weight below 1e-30 are left out,
/// b 1e-25 in all: so much a probability may err for one filter. 0.1 s for 2000 blocks.
/// @throws std::domain_error as rate_law does.
statistics::RateMixture block_rate_law(ProbeModel model, std::uint64_t n, const Geometry& geometry);

}  // namespace bloometry::theory
