#pragma once

#include <cstdint>

namespace bloometry::statistics {

/// Exact two-sided p-value of hits ~ Bin(queries, rate): twice the smaller tail, at most 1.
///
/// Tails by the incomplete beta function, no normal approximation. 0 for hits that cannot occur
/// (rate 0 with a hit, rate 1 with a miss), 1 without a query.
/// @throws std::domain_error if hits > queries or rate is outside [0, 1].
double binomial_two_sided_p_value(std::uint64_t hits, std::uint64_t queries, double rate);

/// P(H < hits) + v P(H = hits) for H ~ Bin(queries, rate): uniform on [0, 1] for v uniform on [0,
/// 1].
double binomial_randomised_pit(std::uint64_t hits, std::uint64_t queries, double rate, double v);

}  // namespace bloometry::statistics
