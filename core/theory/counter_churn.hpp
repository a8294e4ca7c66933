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

// The damage of one wrongful erase: a counting filter erases a key that tests positive but was
// never inserted. A counter falling from 1 to 0 takes exactly one member with it (theory 3.3).

/// load/(e^load - 1): share of the positive counters of a large filter that are 1; 1 at load 0.
double share_of_ones(double load);

/// k load/(e^load - 1): members lost per wrongful erase in a large filter at load nk/m.
double members_lost_per_wrongful_erase(double load, unsigned k);

/// The same at n keys and m counters, one increment per distinct position: the expected distinct
/// positions of a key times P(Bin(n, h) = 1)/P(Bin(n, h) >= 1), h = 1-(1-1/m)^k. Counters are taken
/// as independent, and members lost by two counters counted twice: both are O(k/m). 0 for no key.
double members_lost_per_wrongful_erase(std::uint64_t n, std::uint64_t m, unsigned k);

}  // namespace bloometry::theory
