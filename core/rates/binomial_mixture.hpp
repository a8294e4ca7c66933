#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>

namespace bloometry {

/// Returns E[kernel(s)] for s ~ Bin(N, p), 0 <= kernel <= 1, N up to 1e19 and real-valued, odds =
/// p/(1-p).
///
/// Weights are computed relative to the mode by the ratio (N-s)/(s+1) * odds and divided by their
/// sum. This avoids exponentials of large numbers, so the relative error is a few 1e-16. The sum
/// ends where the rest of the binomial, times 1, is below 2^-60 of it. Absent if the kernel is too
/// short for that.
std::optional<double> mix_over_binomial(double num_trials, double odds,
                                        std::span<const double> kernel);

/// Returns E[kernel(s)] for s ~ Poisson(mean), mean >= 0: the limit of the binomial, by the same
/// method.
std::optional<double> mix_over_poisson(double mean, std::span<const double> kernel);

/// Returns a length of kernel that nearly always suffices: mean + 12 sd + 30.
std::size_t mixture_length(double mean);

/// Returns the same for kernel(s) = at(s), which must rise with s to at most 1. The caller does not
/// choose a length.
/// @throws std::domain_error if more than 2^20 entries would be needed.
double poisson_mean_of(double mean, const std::function<double(std::uint64_t)>& at);

/// Returns the same for s ~ Bin(num_trials, 1/num_cells), both whole numbers: s is the number of
/// trials that fall in one of num_cells cells.
double cell_mean_of(double num_trials, double num_cells,
                    const std::function<double(std::uint64_t)>& at);

}  // namespace bloometry
