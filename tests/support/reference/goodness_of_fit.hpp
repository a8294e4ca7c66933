#pragma once

#include <cstdint>
#include <span>

namespace bloometry::test {

/// sum (O - E)^2 / E for equally likely cells.
/// @throws std::domain_error for fewer than two cells or no observation.
double chi_square_statistic(std::span<const std::uint64_t> observed);

/// Largest distance between the empirical distribution of the values and the uniform one on [0, 1].
/// @throws std::domain_error for no value, or one outside [0, 1] (NaN included).
double kolmogorov_statistic(std::span<const double> values);

/// Largest excess of the empirical distribution of the values over the uniform one: what p-values
/// that come out too small raise, and valid ones, uniform or larger, do not.
/// @throws std::domain_error as kolmogorov_statistic.
double kolmogorov_excess(std::span<const double> values);

/// 2 exp(-2 n D^2) >= P(D_n >= statistic) under uniformity, for every n and however small (Massart
/// 1990): what a far tail needs, where kolmogorov_p_value has no proof. Half of it bounds that of
/// kolmogorov_excess, where it is at most 1/2.
/// @throws std::domain_error as kolmogorov_p_value.
double kolmogorov_p_value_bound(double statistic, std::uint64_t num_values);

/// P(D_n >= statistic) under uniformity: Kolmogorov's series at (sqrt n + 0.12 + 0.11/sqrt n) D
/// (Stephens 1970); within 5 % of the exact law from
/// 10 values on for p >= 0.01, conservative for a single value.
/// @throws std::domain_error if num_values is 0 or statistic is outside [0, 1].
double kolmogorov_p_value(double statistic, std::uint64_t num_values);

}  // namespace bloometry::test
