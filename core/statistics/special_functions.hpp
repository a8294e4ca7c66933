#pragma once

/// The special functions used here, by plain names, so that Boost.Math stays in one source file.
/// A result that is not a number, or does not exist, is thrown (std::domain_error,
/// std::overflow_error or boost's evaluation_error), never returned.
namespace bloometry::statistics {

/// I_x(a, b), the regularised incomplete beta function, and 1 - I_x(a, b) without cancellation.
double beta_cdf(double a, double b, double x);
double beta_cdf_complement(double a, double b, double x);
/// x with I_x(a, b) = probability.
double beta_quantile(double a, double b, double probability);
/// x with 1 - I_x(a, b) = probability.
double beta_quantile_complement(double a, double b, double probability);

/// P(a, x) and Q(a, x), the regularised incomplete gamma functions.
double gamma_p(double a, double x);
double gamma_q(double a, double x);

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

}  // namespace bloometry::statistics
