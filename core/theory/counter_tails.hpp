#pragma once

#include <cstdint>

/// The distribution of the counters of a counting filter with n keys, m counters and k hashes:
/// P(value >= at_least). All functions use incomplete beta and gamma functions, which have full
/// relative precision far into the tail. All throw std::domain_error for m or k = 0, or a load that
/// is negative or not finite.
namespace bloometry::theory {

/// Returns 1-(1-1/m)^k: the probability that a key hits a given counter.
double counter_hit_probability(std::uint64_t m, unsigned k);

/// Returns P(value = count), value ~ Poisson(load).
double counter_count_poisson(double load, std::uint64_t count);

/// Returns P(value = count), value ~ Bin(n, 1-(1-1/m)^k).
double counter_count_per_position(std::uint64_t n, std::uint64_t m, unsigned k,
                                  std::uint64_t count);

/// Returns (e load/at_least)^at_least >= P(value >= at_least), the bound of Fan et al. (2000) for
/// one counter at load nk/m. It is 19 times the tail at load ln 2 and 16.
/// @throws std::domain_error also for at_least = 0.
double fan_counter_bound(double load, std::uint64_t at_least);

/// Returns the tail of Poisson(load), load = nk/m: the limit of both forms below.
double counter_tail_poisson(double load, std::uint64_t at_least);

/// Returns the tail of Bin(nk, 1/m): one increment per probe.
double counter_tail_per_probe(std::uint64_t n, std::uint64_t m, unsigned k, std::uint64_t at_least);

/// Returns the tail of Bin(n, 1-(1-1/m)^k): one increment per distinct position of a key.
double counter_tail_per_position(std::uint64_t n, std::uint64_t m, unsigned k,
                                 std::uint64_t at_least);

}  // namespace bloometry::theory
