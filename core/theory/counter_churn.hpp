#pragma once

#include <cstdint>

/// How counters come to stick while keys come and go (theory 3.2): max_value = 2^w - 1, 15 for four
/// bits; keys are inserted at a steady number of n present ones. All throw std::domain_error for m,
/// k or max_value = 0, or a load that is negative or not finite.
namespace bloometry::theory {

/// k P(Poisson(load) = max_value - 1): counters that one insert takes to their maximum, in a large
/// filter at load nk/m.
double saturations_per_insert_poisson(double load, unsigned k, std::uint64_t max_value);

/// m P(the key hits a counter) P(Bin(n, 1-(1-1/m)^k) = max_value - 1): the same with n keys present
/// before the insert, one increment per distinct position; exact.
double saturations_per_insert(std::uint64_t n, std::uint64_t m, unsigned k,
                              std::uint64_t max_value);

/// Expected counters stuck after `num_rounds` rounds that each erase one of the n keys at random
/// and insert a new one, one increment per distinct position; exact. Starts from n plain inserts.
///
/// One counter is a chain: v keys hit it, an erase takes one with probability v/n, an insert adds
/// one with probability 1-(1-1/m)^k, and at max_value it stops for good. (A true count that falls
/// back and climbs again is not counted twice, as adding up the rates above would.) Matrix power
/// with non-negative entries: relative error about 1e-16 num_rounds, at most.
/// @throws std::domain_error also if max_value is above 255.
double expected_stuck_counters(std::uint64_t n, std::uint64_t m, unsigned k,
                               std::uint64_t max_value, std::uint64_t num_rounds);

}  // namespace bloometry::theory
