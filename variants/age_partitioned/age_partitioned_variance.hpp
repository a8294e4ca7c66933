#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/theory/phase_rates.hpp"
#include "variants/age_partitioned/age_partitioned_rates.hpp"

namespace bloometry::theory {

/// Mean and variance of the fill ratio of a slice over filters.
struct SliceFill {
  double mean = 0;
  double variance = 0;
};

/// Returns the mean fill and its variance, for a slice of w bits after each number of insert calls
/// of distinct keys.
[[nodiscard]] std::vector<SliceFill> slice_fills(const AgeShape& shape,
                                                 std::span<const std::uint64_t> loads);

/// Returns the exact variance, over filters, of rate_given_fills for slices with independent fills.
///
/// Let x_t be the distribution of the number of last matches after t slices, given the fills of
/// these slices, and h_t(r) the probability of a positive answer if the last r of t slices match.
/// The expected rate given the fills of t slices changes with slice t by (f_t - E[f_t]) (u_t .
/// x_{t-1}), where u_t(r) = h_t(r+1) - h_t(0). These changes are uncorrelated, so the variance of
/// the rate is sum_t Var(f_t) E[(u_t . x_{t-1})^2]. The second moments of x_t follow from the first
/// two moments of the fills. All terms are positive, so that the precision does not suffer from
/// cancellation. The cost is O((k + l) k^2).
[[nodiscard]] double run_rate_variance(std::span<const SliceFill> fills, unsigned num_hashes);

/// Returns the rates over a generation. The start and the worst rate are exact. The mean is an
/// exact sum up to 128 insert calls per generation. Above, its relative error is below 1e-9.
[[nodiscard]] PhaseRates phase_rates(const AgeShape& shape);

}  // namespace bloometry::theory
