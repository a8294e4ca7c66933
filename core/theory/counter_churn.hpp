#pragma once

#include <cstdint>

/// The rate at which counters become stuck under churn (theory 3.2). The argument max_value is the
/// largest value of a counter, for example 15 for counters of four bits. The number n of present
/// keys is constant. All functions throw std::domain_error if m, k or max_value is 0, or if a load
/// is negative or not finite.
namespace bloometry::theory {

/// Returns the expected number of counters that one insert raises to their maximum, in a large
/// filter at load nk/m. The number is k P(Poisson(load) = max_value - 1).
double saturations_per_insert_poisson(double load, unsigned k, std::uint64_t max_value);

/// Returns the exact expected number of counters that one insert raises to their maximum. The
/// number is m P(the key hits a counter) P(Bin(n, 1-(1-1/m)^k) = max_value - 1). The filter
/// contains n keys before the insert, and a key adds one to each distinct position.
double saturations_per_insert(std::uint64_t n, std::uint64_t m, unsigned k,
                              std::uint64_t max_value);

/// Returns the exact expected number of counters stuck after `num_rounds` rounds. Each round erases
/// one of the n keys at random and inserts a new key, with one increment per distinct position.
/// Before the first round, n keys are inserted.
///
/// The value v of one counter is a Markov chain. An erase subtracts one with probability v/n, and
/// an insert adds one with probability 1-(1-1/m)^k. At max_value, the counter never changes again.
/// The result counts each stuck counter once. A sum of saturations_per_insert would count a counter
/// twice if its true count falls below the maximum and reaches the maximum again. The method is the
/// power of a matrix with non-negative entries. The relative error is at most about 1e-16
/// num_rounds.
/// @throws std::domain_error if max_value is above 255.
double expected_stuck_counters(std::uint64_t n, std::uint64_t m, unsigned k,
                               std::uint64_t max_value, std::uint64_t num_rounds);

// The effect of one wrongful erase. A wrongful erase removes a key that tests positive but was
// never inserted. Each counter that falls from 1 to 0 removes exactly one member (theory 3.3).

/// Returns load/(e^load - 1), the share of counters with value 1 among the positive counters of a
/// large filter. The result is 1 at load 0.
double share_of_ones(double load);

/// Returns k load/(e^load - 1), the number of members lost per wrongful erase in a large filter at
/// load nk/m.
double members_lost_per_wrongful_erase(double load, unsigned k);

/// Returns the number of members lost per wrongful erase at n keys and m counters, with one
/// increment per distinct position. The number is the expected number of distinct positions of a
/// key times P(Bin(n, h) = 1)/P(Bin(n, h) >= 1), with h = 1-(1-1/m)^k. The formula treats counters
/// as independent. A member that is lost by two counters counts twice. The errors from dependent
/// counters and from members that count twice are O(k/m). The result is 0 for 0 keys.
double members_lost_per_wrongful_erase(std::uint64_t n, std::uint64_t m, unsigned k);

}  // namespace bloometry::theory
