#pragma once

#include <cstdint>
#include <span>

namespace bloometry::statistics {

/// Cells that are expected to hold fewer counts are put together with their neighbours. It decides
/// power alone, the test is valid for any value: a cell that is hardly ever hit costs two degrees
/// of freedom and tells nothing, a cell joined to a fuller one no longer shows what is rare.
inline constexpr double kMinExpectedCount = 0.1;

/// p-value of counts ~ Multinomial(N, probabilities), N the sum of the counts: valid (at most a
/// with probability at most a) for every a, also 1e-12, and every N.
///
/// The multinomial is taken apart cell by cell: given the cells before it, O_j is Bin(N - O_0 - ...
/// - O_{j-1}, p_j / (p_j + p_{j+1} + ...)). Each O_j has its exact two-sided binomial p-value P_j,
/// and P(P_j <= a | cells before) <= a. So -2 ln P_j is at most chi-square with 2 degrees of
/// freedom in stochastic order given the cells before, and the sum over b cells but the last at
/// most chi-square with 2 (b - 1): Fisher's combination, conservative because counts are discrete.
/// Pearson's chi-square statistic has its law in the limit alone: with cells of 5 expected counts
/// it passes the limit of a nominal 1e-9 hundreds of times too often.
///
/// 0 if a cell of probability 0 has a count; 1 if a single cell is left.
/// @param probabilities of the cells in a fixed order, neighbours alike; they sum to 1.
/// @throws std::domain_error if the sizes differ, there is no cell, or a probability is outside [0,
/// 1].
double multinomial_p_value(std::span<const std::uint64_t> counts,
                           std::span<const double> probabilities);

/// The same with each P_j randomised: uniform on [0, 1] if two cells or more are left, for v[j]
/// independent and uniform on [0, 1]. To test the law, not the counts.
/// @param v as many as there are cells.
double multinomial_randomised_p_value(std::span<const std::uint64_t> counts,
                                      std::span<const double> probabilities,
                                      std::span<const double> v);

}  // namespace bloometry::statistics
