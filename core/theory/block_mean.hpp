#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>

#include "core/contract/filter_spec.hpp"
#include "core/probe/probe_policy.hpp"
#include "core/rates/block_words.hpp"
#include "core/theory/fill_law.hpp"
#include "core/theory/fill_moments.hpp"

/// Common theory of filters of blocks. Each of n keys falls into one of b blocks, and the state of
/// a block depends only on its keys. The number of keys in a block is Bin(n, 1/b), unless the
/// blocks have different probabilities. The numbers in different blocks are negatively correlated,
/// because their sum is n.
namespace bloometry::theory {

/// Returns the variance over filters of F, where F is the mean over blocks of f, and f is a block's
/// rate given its state. For b equal blocks, the value is E[f^2]/b + (1 - 1/b) E[f f'] - E[f]^2,
/// where f and f' are the rates of two different blocks. In general, F is the sum of p f over the
/// blocks, where p is the probability of the block, and Var(F) is the sum of p^2 E[f^2] over the
/// blocks, plus the sum of p p' E[f f'] over the pairs of different blocks, minus E[F]^2. The
/// function mean_at(j) returns E[f | j keys in the block], and
/// square_at(j) returns E[f^2 | j keys in the block]. The functions mean_at and square_at must
/// increase in j and be at most 1. The result is exact except for rounding. The relative error of
/// the difference is about 1e-15/v with v = Var(F)/E[F]^2, for example 1e-7 at 1e8 keys. The cost
/// is O(S^2) for S = n/b + 12 sqrt(n/b) keys in a block, for each pair of groups.
double block_mean_variance(std::uint64_t n, std::span<const BlockGroup> groups,
                           const std::function<double(std::uint64_t)>& mean_at,
                           const std::function<double(std::uint64_t)>& square_at);

/// Returns block_mean_variance for equal blocks.
double block_mean_variance(std::uint64_t n, std::uint64_t num_blocks,
                           const std::function<double(std::uint64_t)>& mean_at,
                           const std::function<double(std::uint64_t)>& square_at);

/// Returns P(a key hits a given cell | the key falls into the cell's block). The value is
/// 1-(1-1/B)^k in model W, and k/B in models D and P.
double in_block_hit_probability(ProbeModel model, unsigned block_cells, unsigned num_hashes);

/// Returns the mean and the variance of X, the number of non-zero cells after n keys. The result is
/// exact. Let q be the probability that a key of a block hits a given cell of the block. Let q2 be
/// the probability that the key hits at least one of two given cells. One cell stays 0 with
/// probability (1-q/b)^n. Two cells of one block stay 0 with probability (1-q2/b)^n. Two cells of
/// different blocks stay 0 with probability (1-2q/b)^n. The mean has full relative precision. The
/// variance has a relative error of 1e-16 m/Var(X). In model P, the lanes of a block are k slices.
/// In model P, the value of q2 depends on whether the two cells are in the same lane.
FillMoments block_fill_moments(ProbeModel model, std::uint64_t n, const Geometry& geometry);

/// Returns the normal law of X, the number of non-zero cells after n keys. Returns std::nullopt
/// unless 10^4 zeros and 10^4 probes on cells already hit are expected (fill_law.hpp). If 10^4
/// zeros are expected, X is a sum over many blocks, so the law of X is close to normal.
std::optional<FillLaw> block_fill_law(ProbeModel model, std::uint64_t n, const Geometry& geometry);

/// A lower bound and an upper bound of a rate.
struct RateRange {
  double least;
  double most;
};

/// Returns bounds of the rate given the state, which is the mean over blocks of rate_given_ones.
/// The argument `ones` is the number of non-zero cells in all blocks together. The rate of a block
/// is convex in its number of non-zero cells. The rate of the filter is therefore least if all
/// blocks have the same number of them, and largest if as many blocks as possible are full. The two
/// bounds are equal for k = 1. They include a margin for the rounding of the filter's own sum. In
/// model P, the rate of a block is largest if its lanes have equal fills, and least if all lanes
/// but one are full.
RateRange block_rate_range(ProbeModel model, std::uint64_t ones, const Geometry& geometry);

/// Returns P(a counter >= at_least), for filters in which every key adds one to each of its
/// distinct positions. The counter's law is Bin(n, q/b), which is the mixture of Bin(j, q) over the
/// number j of keys in a block.
double block_counter_tail(ProbeModel model, std::uint64_t n, const Geometry& geometry,
                          std::uint64_t at_least);

}  // namespace bloometry::theory
