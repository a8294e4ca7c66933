#pragma once

#include <cstdint>

/// The distribution of the counters of a counting filter with n keys, m counters and k hashes:
/// P(value >= at_least). All functions use incomplete beta and gamma functions, which have full
/// relative precision far into the tail. All functions throw std::domain_error if m or k is 0, or
/// if a load is negative or not finite.
namespace bloometry::theory {

/// Returns 1-(1-1/m)^k, the probability that a key hits a given counter.
double counter_hit_probability(std::uint64_t m, unsigned k);

/// Returns P(value = count) for value ~ Poisson(load).
double counter_count_poisson(double load, std::uint64_t count);

/// Returns P(value = count) for value ~ Bin(n, 1-(1-1/m)^k).
double counter_count_per_position(std::uint64_t n, std::uint64_t m, unsigned k,
                                  std::uint64_t count);

/// Returns (e load/at_least)^at_least, the bound of Fan et al. (2000) on P(value >= at_least) for
/// one counter at load nk/m. At load ln 2 and at_least = 16, the bound is 19 times the tail.
/// @throws std::domain_error if at_least is 0.
double fan_counter_bound(double load, std::uint64_t at_least);

/// Returns P(value >= at_least) for value ~ Poisson(load), where load = nk/m. The result is the
/// limit of counter_tail_per_probe and counter_tail_per_position for large m.
double counter_tail_poisson(double load, std::uint64_t at_least);

/// Returns P(value >= at_least) for value ~ Bin(nk, 1/m), for filters in which a key adds one per
/// probe.
double counter_tail_per_probe(std::uint64_t n, std::uint64_t m, unsigned k, std::uint64_t at_least);

/// Returns P(value >= at_least) for value ~ Bin(n, 1-(1-1/m)^k), for filters in which a key adds 1
/// to each of its distinct positions.
double counter_tail_per_position(std::uint64_t n, std::uint64_t m, unsigned k,
                                 std::uint64_t at_least);

}  // namespace bloometry::theory
