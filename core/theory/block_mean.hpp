#pragma once

#include <cstdint>
#include <functional>
#include <optional>

#include "core/filter/filter_spec.hpp"
#include "core/probe/probe_policy.hpp"
#include "core/theory/fill_law.hpp"
#include "core/theory/fill_moments.hpp"

/// Common theory of filters of blocks: each of n keys falls on one of b blocks, and the state of a
/// block depends only on its own keys. The number of keys in a block is Bin(n, 1/b). The numbers in
/// different blocks are negatively correlated, because their sum is n.
namespace bloometry::theory {

/// Returns the variance over filters of F, the mean over blocks of f, a block's rate given its
/// state. The value is E[f^2]/b + (1 - 1/b) E[f f'] - E[f]^2, where f and f' are the rates of two
/// different blocks. mean_at(j) = E[f | j keys in it] and square_at(j) = E[f^2 | j] must both rise
/// to at most 1. The result is exact except for rounding. The difference has a relative error of
/// about 1e-15/v with v = Var(F)/E[F]^2, which is 1e-7 at 1e8 keys. Cost: O(S^2) for S = n/b + 12
/// sqrt(n/b) keys in a block.
double block_mean_variance(std::uint64_t n, std::uint64_t num_blocks,
                           const std::function<double(std::uint64_t)>& mean_at,
                           const std::function<double(std::uint64_t)>& square_at);

/// Returns P(a key hits a given cell | it falls in the cell's block): 1-(1-1/B)^k in model W, k/B
/// in D and P.
double in_block_hit_probability(ProbeModel model, unsigned block_cells, unsigned num_hashes);

/// Returns mean and variance of X, the number of non-zero cells after n keys, exact for models W
/// and D. A cell stays 0 with probability (1-q/b)^n, two of one block with (1-q2/b)^n, and two of
/// different blocks with (1-2q/b)^n. The mean has full relative precision; the variance keeps 1e-16
/// m/Var(X). In model P, cells of one lane, of two lanes and of two blocks differ; lanes are k
/// slices of a block.
FillMoments block_fill_moments(ProbeModel model, std::uint64_t n, const Geometry& geometry);

/// Returns the normal law of X. Absent unless 10^4 zeros and 10^4 probes on cells already hit are
/// expected (fill_law.hpp). X is then a sum over many blocks, so its law is close to normal.
std::optional<FillLaw> block_fill_law(ProbeModel model, std::uint64_t n, const Geometry& geometry);

/// A lower and an upper bound of a rate.
struct RateRange {
  double least;
  double most;
};

/// Returns bounds of the rate given the state, which is the mean over blocks of rate_given_ones.
/// `ones` is the number of non-zero cells in all blocks together. The rate is convex in a block's
/// number of non-zero cells. It is therefore least if all blocks have the same number, and largest
/// if as many blocks as possible are full. Both bounds are equal for k = 1. The bounds allow for
/// the rounding of the filter's own sum. In model P the rate of a block is largest if its lanes
/// have equal fills. It is least if all lanes but one are full and the remaining non-zero cells are
/// in that lane.
RateRange block_rate_range(ProbeModel model, std::uint64_t ones, const Geometry& geometry);

/// Returns P(a counter >= at_least) if every key adds one to each of its distinct positions. The
/// counter's law is Bin(n, q/b), which is the mixture of Bin(j, q) over the number j of keys in a
/// block.
double block_counter_tail(ProbeModel model, std::uint64_t n, const Geometry& geometry,
                          std::uint64_t at_least);

}  // namespace bloometry::theory
