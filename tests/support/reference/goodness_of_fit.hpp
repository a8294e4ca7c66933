#pragma once

#include <cstdint>
#include <span>

namespace bloometry::test {

/// Returns the chi-square statistic sum (O - E)^2 / E for equally likely cells.
/// @throws std::domain_error for fewer than two cells or without observations.
double chi_square_statistic(std::span<const std::uint64_t> observed);

/// Returns the largest distance between the empirical distribution of the values and the uniform
/// distribution on [0, 1].
/// @throws std::domain_error if `values` is empty, or if a value is NaN or outside [0, 1].
double kolmogorov_statistic(std::span<const double> values);

/// Returns the largest excess of the empirical distribution of the values over the uniform
/// distribution. The excess is large if p-values are too small, but not if p-values are uniform or
/// larger.
/// @throws std::domain_error as kolmogorov_statistic.
double kolmogorov_excess(std::span<const double> values);

/// Returns 2 exp(-2 n D^2) >= P(D_n >= statistic) under uniformity, for every n (Massart 1990). Use
/// kolmogorov_p_value_bound in a far tail, where the accuracy of kolmogorov_p_value is not proved.
/// Half of the result is a bound of the tail of kolmogorov_excess if the result is below 1.
/// @throws std::domain_error as kolmogorov_p_value.
double kolmogorov_p_value_bound(double statistic, std::uint64_t num_values);

/// Returns P(D_n >= statistic) under uniformity, by Kolmogorov's series at (sqrt n + 0.12 +
/// 0.11/sqrt n) D (Stephens 1970). For at least 10 values and a result of at least 0.01, the result
/// is within 5 % of the exact probability. The result is conservative for a single value.
/// @throws std::domain_error if num_values is 0 or statistic is outside [0, 1].
double kolmogorov_p_value(double statistic, std::uint64_t num_values);

}  // namespace bloometry::test
