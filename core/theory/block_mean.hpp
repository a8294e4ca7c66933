#pragma once

#include <cstdint>
#include <functional>
#include <optional>

#include "core/filter/filter_spec.hpp"
#include "core/probe/probe_policy.hpp"
#include "core/theory/fill_law.hpp"
#include "core/theory/fill_moments.hpp"

/// What filters of blocks share: n keys fall on b blocks, each on one, and what happens in a block
/// depends on its own keys only. How many these are is Bin(n, 1/b) in each block, and what one has
/// the others have not.
namespace bloometry::theory {

/// Variance over filters of F, the mean over blocks of f, f a block's rate given its state:
/// E[f^2]/b + (1 - 1/b) E[f f'] - E[f]^2, with f and f' of two blocks. mean_at(j) = E[f | j keys in
/// it], square_at(j) = E[f^2 | j], both rising to at most 1. Exact but for rounding: the difference
/// keeps 1e-15/v of its relative precision, v = Var(F)/E[F]^2, so 1e-7 at 1e8 keys. O(S^2) for S =
/// n/b + 12 sqrt(n/b) keys in a block.
double block_mean_variance(std::uint64_t n, std::uint64_t num_blocks,
                           const std::function<double(std::uint64_t)>& mean_at,
                           const std::function<double(std::uint64_t)>& square_at);

/// P(a key hits a given cell | it falls in the cell's block): 1-(1-1/B)^k in model W, k/B in D and
/// P.
double in_block_hit_probability(ProbeModel model, unsigned block_cells, unsigned num_hashes);

/// Mean and variance of X, the number of non-zero cells after n keys, exact for models W and D: a
/// cell stays 0 with probability (1-q/b)^n, two of one block with (1-q2/b)^n, two of different
/// blocks with (1-2q/b)^n. Full relative precision of the mean; the variance keeps 1e-16 m/Var(X).
/// Model P: cells of one lane, of two lanes and of two blocks differ; lanes are k slices of a
/// block.
FillMoments block_fill_moments(ProbeModel model, std::uint64_t n, const Geometry& geometry);

/// The law of X where it is normal, which takes 10^4 zeros and 10^4 probes on cells already hit
/// (fill_law.hpp): X is a sum over many blocks then. Absent elsewhere.
std::optional<FillLaw> block_fill_law(ProbeModel model, std::uint64_t n, const Geometry& geometry);

/// Bounds of a rate.
struct RateRange {
  double least;
  double most;
};

/// Between what the rate given the state lies, the mean over blocks of rate_given_ones, if `ones`
/// cells of all blocks are not 0: convex in a block's ones, it is least where all blocks have
/// equally many and largest where as many as possible are full. Equal for k = 1. Widened by the
/// rounding of the filter's own sum. In model P a block passes as its lanes do, at most as often as
/// with equal lanes, and at least as often as with all ones but one lane's in the others.
RateRange block_rate_range(ProbeModel model, std::uint64_t ones, const Geometry& geometry);

/// P(a counter >= at_least) if every key adds one to each of its distinct positions: Bin(n, q/b),
/// which is the mixture of Bin(j, q) over the keys j of a block.
double block_counter_tail(ProbeModel model, std::uint64_t n, const Geometry& geometry,
                          std::uint64_t at_least);

}  // namespace bloometry::theory
