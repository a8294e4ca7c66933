#pragma once

#include <cstdint>
#include <vector>

namespace bloometry::test {

/// Independent check of the occupancy chains. Let A(j) = P(j given cells are all hit) for j =
/// 0..max_cells. The functions compute A by repeated squaring of a (max_cells + 1)^2 matrix with
/// non-negative entries (theory 1.3). The method avoids cancellation, but the rounding error of the
/// diagonal grows with the number of throws N. The relative error is at most 2.3e-13 for N <= 2e4
/// and 6e-12 for N = 1e6. The error is at most 2.1e-10 for N = 1e7 and 1.8e-9 for N = 8e8. Cost:
/// O(max_cells^3 log n).

/// Returns A in model W after n k steps of the matrix M[j][j] = 1 - j/m, M[j][j-1] = j/m. Entries
/// A(j) for j > m are 0.
std::vector<double> hit_probabilities_with_replacement(std::uint64_t n, std::uint64_t m, unsigned k,
                                                       unsigned max_cells);

/// Returns A in model D after n hypergeometric steps h(i|j) = C(j,i) C(m-j,k-i)/C(m,k).
std::vector<double> hit_probabilities_distinct(std::uint64_t n, std::uint64_t m, unsigned k,
                                               unsigned max_cells);

/// Returns E[(X/m)^power] in model W: sum_j S2(power,j) m_(j)/m^power A(j).
double moment_by_matrix_power(std::uint64_t n, std::uint64_t m, unsigned k, unsigned power);

/// Returns E[C(X,k)/C(m,k)] in model D: A(k).
double distinct_rate_by_matrix_power(std::uint64_t n, std::uint64_t m, unsigned k);

}  // namespace bloometry::test
