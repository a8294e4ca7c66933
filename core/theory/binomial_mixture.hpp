#pragma once

#include <cstddef>
#include <optional>
#include <span>

namespace bloometry::theory {

/// E[kernel(s)] for s ~ Bin(N, p), 0 <= kernel <= 1, N up to 1e19 and real-valued, odds = p/(1-p).
///
/// Weights are taken relative to the mode by the ratio (N-s)/(s+1) * odds and divided by their sum:
/// no exponential of a large number, so the relative error is a few 1e-16. Ends where the rest of
/// the binomial, times 1, is below 2^-60 of the sum. Absent if the kernel is too short for that.
std::optional<double> mix_over_binomial(double num_trials, double odds,
                                        std::span<const double> kernel);

/// A length of kernel that nearly always suffices: mean + 12 sd + 30.
std::size_t mixture_length(double mean);

}  // namespace bloometry::theory
