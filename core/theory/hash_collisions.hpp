#pragma once

#include <cstdint>

namespace bloometry::theory {

/// 1-(1-2^-w)^n: the probability that an absent key has the whole w-bit hash of one of n keys; no
/// filter over such hashes has a lower rate (theory 1.7). 5.4e-11 at n = 1e9, w = 64.
/// @throws std::domain_error if hash_bits is outside [1, 1000].
double collision_floor(std::uint64_t n, unsigned hash_bits);

/// p1 + p2 - p1 p2: the rate of a filter of rate p1 above a floor p2.
constexpr double rate_above_floor(double rate, double floor) {
  return rate + floor * (1.0 - rate);
}

}  // namespace bloometry::theory
