#pragma once

#include <cstdint>

namespace bloometry::statistics {

/// Returns the exact two-sided p-value of positives ~ Bin(queries, rate): twice the smaller tail,
/// at most 1.
///
/// The tails come from the incomplete beta function, without a normal approximation. The value is 0
/// for impossible positives (rate 0 with a positive, rate 1 with a negative), and 1 without
/// queries.
/// @throws std::domain_error if positives > queries or rate is outside [0, 1].
double binomial_two_sided_p_value(std::uint64_t positives, std::uint64_t queries, double rate);

/// Returns P(H < positives) + v P(H = positives) for H ~ Bin(queries, rate): uniform on [0, 1] for
/// v uniform on [0, 1].
double binomial_randomised_pit(std::uint64_t positives, std::uint64_t queries, double rate,
                               double v);

}  // namespace bloometry::statistics
