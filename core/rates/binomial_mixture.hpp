#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>

namespace bloometry {

/// E[kernel(s)] for s ~ Bin(N, p), 0 <= kernel <= 1, N up to 1e19 and real-valued, odds = p/(1-p).
///
/// Weights are taken relative to the mode by the ratio (N-s)/(s+1) * odds and divided by their sum:
/// no exponential of a large number, so the relative error is a few 1e-16. Ends where the rest of
/// the binomial, times 1, is below 2^-60 of the sum. Absent if the kernel is too short for that.
std::optional<double> mix_over_binomial(double num_trials, double odds,
                                        std::span<const double> kernel);

/// E[kernel(s)] for s ~ Poisson(mean), mean >= 0: the limit of the above, in the same way.
std::optional<double> mix_over_poisson(double mean, std::span<const double> kernel);

/// A length of kernel that nearly always suffices: mean + 12 sd + 30.
std::size_t mixture_length(double mean);

/// As above for kernel(s) = at(s), which must rise with s to at most 1: no length to be chosen.
/// @throws std::domain_error if more than 2^20 entries would be needed.
double poisson_mean_of(double mean, const std::function<double(std::uint64_t)>& at);

/// The same for s ~ Bin(num_trials, 1/num_cells), whole numbers both: how many trials fall in one
/// of num_cells cells.
double cell_mean_of(double num_trials, double num_cells,
                    const std::function<double(std::uint64_t)>& at);

}  // namespace bloometry
