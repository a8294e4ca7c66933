#pragma once

#include <cstdint>

namespace bloometry::theory {

/// Returns P(n keys, each a uniform k-subset of m cells, together cover `num_cells` given cells):
/// model D.
///
/// A key touches i of the j given cells with hypergeometric probability h_i. Only keys with i >= 1
/// matter; their number is a ~ Bin(n, 1 - h_0). The count of covered cells under a such keys is a
/// Markov chain with j + 1 states and non-negative steps:
///
///     P = sum_a Bin(n, 1 - h_0)(a) (e_0 T^a)[j],
///     T(u, u+d) = sum_{i>=1} h_i/(1-h_0) C(u,i-d) C(j-u,d)/C(j,i)
///
/// The formula is not taken from a publication. The alternating sum of theory 1.3 loses all digits
/// at low fill, and a matrix power over n steps has a relative error of n * 1e-16. This formula
/// avoids cancellation. Its cost depends on n and m only by S: O(j^3 + j^2 S), S ~ j k n/m + 12
/// sqrt(...). Compared with 400-digit values over k = 1..64, m up to 1e12 and loads 1e-9 to 50, the
/// relative error is at most 9e-15.
/// @throws std::domain_error if k or m is 0, or k or num_cells exceeds m.
double cover_probability_distinct(std::uint64_t n, std::uint64_t m, unsigned k, unsigned num_cells);

}  // namespace bloometry::theory
