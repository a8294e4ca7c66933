#pragma once

#include <cstdint>

/// The special functions used here, by plain names, so that Boost.Math stays in one source file.
/// A result that is not a number, or does not exist, is thrown (std::domain_error,
/// std::overflow_error or boost's evaluation_error), never returned.
namespace bloometry::statistics {

/// x with I_x(a, b) = probability, I the regularised incomplete beta function.
double beta_quantile(double a, double b, double probability);
/// x with 1 - I_x(a, b) = probability.
double beta_quantile_complement(double a, double b, double probability);

/// P(Z > z), Z standard normal.
double normal_upper_tail(double z);
/// z with P(Z > z) = probability.
double normal_upper_quantile(double probability);

/// P(Bin(num_trials, p) >= x) and P(Bin(num_trials, p) <= x) for 0 <= p <= 1; real-valued counts
/// because num_trials = n k may pass 2^64.
double binomial_upper_tail(double num_trials, double p, double x);
double binomial_lower_tail(double num_trials, double p, double x);

/// P(Poisson(mean) >= x) and P(Poisson(mean) <= x).
double poisson_upper_tail(double mean, double x);
double poisson_lower_tail(double mean, double x);

/// P(chi-square with that many degrees of freedom >= statistic): Q(df/2, x/2). A too-even result
/// has a p-value near 1; hash tests reject there too.
/// @throws std::domain_error if degrees_of_freedom is 0, or statistic is negative or not finite.
double chi_square_p_value(double statistic, std::uint64_t degrees_of_freedom);

}  // namespace bloometry::statistics
