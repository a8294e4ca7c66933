#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace bloometry::theory {

/// Returns the probabilities that 0, 1, ..., length - 1 keys together cover j given cells. law[i]
/// is the probability that a key hits i of the cells, for i = 0..j, and all sets of i cells are
/// equally likely. The elements of the law must not be negative, and their sum must be 1.
std::vector<double> cover_probabilities(std::span<const double> law, std::size_t length);

/// Returns the probability in model D that n keys together cover `num_cells` given cells. Each key
/// is a uniform k-subset of m cells.
///
/// A key hits i of the j given cells with hypergeometric probability h_i. The number `a` of
/// touching keys, which have i >= 1, is Bin(n, 1 - h_0). The number of cells that these keys cover
/// is a Markov chain with j + 1 states and non-negative steps:
///
///     P = sum_a Bin(n, 1 - h_0)(a) (e_0 T^a)[j],
///     T(u, u+d) = sum_{i>=1} h_i/(1-h_0) C(u,i-d) C(j-u,d)/C(j,i)
///
/// The formula is not taken from a publication. The alternating sum of theory 1.3 loses all digits
/// at low fill. A matrix power over n steps has a relative error of n * 1e-16. The formula with the
/// Markov chain avoids cancellation. The cost is O(j^3 + j^2 S) with S ~ j k n/m + 12 sqrt(j k
/// n/m). In a comparison with 400-digit values, the relative error is at most 9e-15. The comparison
/// covers k = 1..64, m up to 1e12 and loads from 1e-9 to 50.
/// @throws std::domain_error if k or m is 0, or k or num_cells exceeds m.
double cover_probability_distinct(std::uint64_t n, std::uint64_t m, unsigned k, unsigned num_cells);

}  // namespace bloometry::theory
