#pragma once

#include <cstdint>
#include <span>

namespace bloometry::statistics {

/// Cells with a smaller expected count are joined with their neighbours. The limit affects only the
/// power; the test is valid for any value. A cell that is rarely hit adds two degrees of freedom
/// without information. A rare cell that is joined to a fuller one no longer shows rare events.
inline constexpr double kMinExpectedCount = 0.1;

/// Returns the p-value of counts ~ Multinomial(N, probabilities), where N is the sum of the counts.
/// The p-value is valid: for every N and every a, even 1e-12, it is at most a with probability at
/// most a.
///
/// The multinomial is decomposed cell by cell: given the cells before it, O_j is Bin(N - (O_0 + ...
/// + O_{j-1}), p_j / (p_j + p_{j+1} + ...)). Each O_j has its exact two-sided binomial p-value P_j,
/// and P(P_j <= a | cells before) <= a. So -2 ln P_j is at most chi-square with 2 degrees of
/// freedom in stochastic order, given the cells before. The sum over all b cells except the last is
/// therefore at most chi-square with 2 (b - 1) degrees of freedom. This method is Fisher's
/// combination; it is conservative because counts are discrete. Pearson's chi-square statistic
/// follows its law only in the limit. With 5 expected counts per cell it exceeds the limit of a
/// nominal 1e-9 hundreds of times too often.
///
/// The p-value is 0 if a cell of probability 0 has a count, and 1 if only one cell is left.
/// @param probabilities of the cells in a fixed order, with similar neighbours; they sum to 1.
/// @throws std::domain_error if the sizes differ, cells are missing, or a probability is outside
/// [0, 1].
double multinomial_p_value(std::span<const std::uint64_t> counts,
                           std::span<const double> probabilities);

/// Returns the p-value with each P_j randomised by v[j]. If the v[j] are independent and uniform on
/// [0, 1] and at least two cells are left, the result is uniform on [0, 1]. Tests of the law itself
/// use this value.
/// @param v has as many elements as there are cells.
double multinomial_randomised_p_value(std::span<const std::uint64_t> counts,
                                      std::span<const double> probabilities,
                                      std::span<const double> v);

}  // namespace bloometry::statistics
