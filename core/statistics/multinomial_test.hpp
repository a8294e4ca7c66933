#pragma once

#include <cstdint>
#include <span>

namespace bloometry::statistics {

/// Minimum expected count of a cell. Cells with a smaller expected count are joined with their
/// neighbours. The minimum affects only the power. The test is valid for any minimum. With a
/// smaller minimum, rare cells add two degrees of freedom each without information. With a larger
/// minimum, the test detects fewer deviations in rare cells, because they are joined to fuller
/// cells.
inline constexpr double kMinExpectedCount = 0.1;

/// Returns the p-value of counts ~ Multinomial(N, probabilities), where N is the sum of the counts.
/// The p-value is valid: for every N and every a, even 1e-12, P(p-value <= a) is at most a.
///
/// The method decomposes the multinomial cell by cell. Given the counts of earlier cells, O_j is
/// Bin(N - (O_0 + ... + O_{j-1}), p_j / (p_j + p_{j+1} + ...)). Each O_j has an exact two-sided
/// binomial p-value P_j, and P(P_j <= a | earlier cells) <= a. Given the earlier cells, -2 ln P_j
/// is therefore at most chi-square with 2 degrees of freedom in stochastic order. The sum of -2 ln
/// P_j over all b cells except the last is at most chi-square with 2 (b - 1) degrees of freedom.
/// The method is Fisher's combination. The p-value is conservative because counts are discrete.
/// Pearson's chi-square statistic has its nominal law only in the limit of large counts. With an
/// expected count of 5 per cell, Pearson's test at a nominal 1e-9 rejects hundreds of times too
/// often.
///
/// The p-value is 0 if the count of a cell of probability 0 is not 0. The p-value is 1 if only one
/// cell remains after joining.
/// @param probabilities Probabilities of the cells in a fixed order, with similar cells beside each
/// other. The probabilities sum to 1.
/// @throws std::domain_error if the sizes differ, cells are missing, or a probability is outside
/// [0, 1].
double multinomial_p_value(std::span<const std::uint64_t> counts,
                           std::span<const double> probabilities);

/// Returns multinomial_p_value with each P_j randomised by v[j]. If the v[j] are independent and
/// uniform on [0, 1] and at least two cells are left, the result is uniform on [0, 1]. Tests of the
/// law itself use the randomised p-value.
/// @param v one number per cell.
double multinomial_randomised_p_value(std::span<const std::uint64_t> counts,
                                      std::span<const double> probabilities,
                                      std::span<const double> v);

}  // namespace bloometry::statistics
