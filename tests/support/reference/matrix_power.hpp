#pragma once

#include <cstdint>
#include <vector>

namespace bloometry::test {

/// Independent check of the chains: A(j) = P(j given cells are all hit) for j = 0..max_cells by
/// repeated squaring of a (max_cells + 1)^2 matrix with non-negative entries (theory
/// reference 1.3). Nothing cancels, but the rounding of the diagonal grows with the number of
/// throws N: relative error
/// <= 2.3e-13 for N <= 2e4, 6e-12 for 1e6, 2.1e-10 at 1e7, 1.8e-9 at 8e8. O(max_cells^3 log n).

/// Model W: M[j][j] = 1 - j/m, M[j][j-1] = j/m, n k steps. Entries past m cells are 0.
std::vector<double> hit_probabilities_with_replacement(std::uint64_t n, std::uint64_t m, unsigned k,
                                                       unsigned max_cells);

/// Model D: hypergeometric steps h(i|j) = C(j,i) C(m-j,k-i)/C(m,k), n steps.
std::vector<double> hit_probabilities_distinct(std::uint64_t n, std::uint64_t m, unsigned k,
                                               unsigned max_cells);

/// E[(X/m)^power] in model W: sum_j S2(power,j) m_(j)/m^power A(j).
double moment_by_matrix_power(std::uint64_t n, std::uint64_t m, unsigned k, unsigned power);

/// E[C(X,k)/C(m,k)] in model D: A(k).
double distinct_rate_by_matrix_power(std::uint64_t n, std::uint64_t m, unsigned k);

}  // namespace bloometry::test
