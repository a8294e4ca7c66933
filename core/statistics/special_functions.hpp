#pragma once

#include <cstdint>

/// Special functions for core/statistics and core/theory. Only the source of these functions
/// includes the special functions of Boost.Math. The functions throw std::domain_error,
/// std::overflow_error or Boost's evaluation_error if the result is not a number or does not exist.
namespace bloometry::statistics {

/// Returns x with I_x(a, b) = probability, where I is the regularised incomplete beta function.
double beta_quantile(double a, double b, double probability);
/// Returns x with 1 - I_x(a, b) = probability.
double beta_quantile_complement(double a, double b, double probability);

/// Returns P(Z > z), where Z is standard normal.
double normal_upper_tail(double z);
/// Returns z with P(Z > z) = probability, where Z is standard normal.
double normal_upper_quantile(double probability);

/// The next two functions return P(Bin(num_trials, p) >= x) and P(Bin(num_trials, p) <= x) for 0 <=
/// p <= 1. Counts are real-valued because num_trials = n k may exceed 2^64.
double binomial_upper_tail(double num_trials, double p, double x);
double binomial_lower_tail(double num_trials, double p, double x);

/// The next two functions return P(Poisson(mean) >= x) and P(Poisson(mean) <= x).
double poisson_upper_tail(double mean, double x);
double poisson_lower_tail(double mean, double x);

/// Returns P(X >= statistic), where X is chi-square with degrees_of_freedom degrees of freedom. The
/// value is Q(degrees_of_freedom/2, statistic/2). Tests of hashes also reject results near 1,
/// because the counts are then too even.
/// @throws std::domain_error if degrees_of_freedom is 0, or statistic is negative or not finite.
double chi_square_p_value(double statistic, std::uint64_t degrees_of_freedom);

}  // namespace bloometry::statistics
