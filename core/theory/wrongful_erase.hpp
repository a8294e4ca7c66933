#pragma once

#include <cstdint>

/// What one wrongful erase destroys: a counting filter is told to erase a key never inserted that
/// tests positive. A counter falling from 1 to 0 takes exactly one member with it (theory 3.3). All
/// throw std::domain_error for m or k = 0, or a load that is negative or not finite.
namespace bloometry::theory {

/// load/(e^load - 1): share of the positive counters of a large filter that are 1; 1 at load 0.
double share_of_ones(double load);

/// k load/(e^load - 1): members lost per wrongful erase in a large filter at load nk/m.
double members_lost_per_wrongful_erase(double load, unsigned k);

/// The same at n keys and m counters, one increment per distinct position: the expected distinct
/// positions of a key times P(Bin(n, h) = 1)/P(Bin(n, h) >= 1), h = 1-(1-1/m)^k. Counters are taken
/// as independent, and members lost by two counters counted twice: both are O(k/m). 0 for no key.
double members_lost_per_wrongful_erase(std::uint64_t n, std::uint64_t m, unsigned k);

}  // namespace bloometry::theory
