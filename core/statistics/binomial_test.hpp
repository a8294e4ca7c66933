#pragma once

#include <cstdint>

namespace bloometry::statistics {

/// Returns the exact two-sided p-value of positives ~ Bin(queries, rate): twice the smaller tail,
/// at most 1.
///
/// The function computes tails by the incomplete beta function, without a normal approximation. The
/// p-value is 0 for an impossible count, such as a positive at rate 0 or a negative at rate 1.
/// Without queries, the p-value is 1.
/// @throws std::domain_error if positives > queries or rate is outside [0, 1].
double binomial_two_sided_p_value(std::uint64_t positives, std::uint64_t queries, double rate);

/// Returns P(H < positives) + v P(H = positives) for H ~ Bin(queries, rate). The result is uniform
/// on [0, 1] if v is uniform on [0, 1] and positives has the distribution of H.
double binomial_randomised_pit(std::uint64_t positives, std::uint64_t queries, double rate,
                               double v);

}  // namespace bloometry::statistics
