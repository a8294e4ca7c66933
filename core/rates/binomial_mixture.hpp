#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>

namespace bloometry {

/// Returns E[kernel(s)] for s ~ Bin(N, p) with odds = p/(1-p). N is a real number of at most 1e19,
/// and the kernel is in [0, 1].
///
/// The function computes the weights relative to the mode by the ratio (N-s)/(s+1) * odds, and
/// divides the sum by the sum of the weights. The method avoids exponentials of large numbers, so
/// the relative error is a few 1e-16. The sum ends when the remaining weights are below 2^-60 times
/// the sum. The omitted terms are at most the remaining weights, because the kernel is at most 1.
/// Returns std::nullopt if the kernel has fewer elements than the sum has terms.
std::optional<double> mix_over_binomial(double num_trials, double odds,
                                        std::span<const double> kernel);

/// Returns E[kernel(s)] for s ~ Poisson(mean) with mean >= 0. The result is the limit of
/// mix_over_binomial. The function uses the method of mix_over_binomial.
std::optional<double> mix_over_poisson(double mean, std::span<const double> kernel);

/// Returns a number of kernel elements that is nearly always sufficient: mean + 12 standard
/// deviations + 30.
std::size_t mixture_length(double mean);

/// Returns E[at(s)] for s ~ Poisson(mean). The function at(s) must be increasing in s and at
/// most 1. The sum ends when the remaining terms are negligible.
/// @throws std::domain_error if more than 2^20 terms would be needed.
double poisson_mean_of(double mean, const std::function<double(std::uint64_t)>& at);

/// Returns E[at(s)] for s ~ Bin(num_trials, 1/num_cells): s is the number of trials that fall into
/// a given one of num_cells cells. If num_cells is 1, num_trials must be a whole number. The
/// requirements and exceptions are those of poisson_mean_of.
double cell_mean_of(double num_trials, double num_cells,
                    const std::function<double(std::uint64_t)>& at);

}  // namespace bloometry
