#pragma once

#include <cstdint>

#include "core/theory/increment_set.hpp"

/// How high a counter of a filter with variable increments climbs: P(sum of its increments >=
/// at_least). At the cap 2^w - 1 a counter sticks; above it, it has overflowed (theory 5.5). Sums
/// of positive terms: full relative precision far into the tail.
namespace bloometry::theory {

/// Poisson(load) increments, load = nk/m. @throws std::domain_error for a load that is negative or
/// not finite.
double increment_tail_poisson(double load, const IncrementSet& set, std::uint64_t at_least);

/// Bin(nk, 1/m) increments: the exact law of one counter, one increment per probe.
/// @throws std::domain_error for m or k = 0.
double increment_tail_per_probe(std::uint64_t n, std::uint64_t m, unsigned k,
                                const IncrementSet& set, std::uint64_t at_least);

}  // namespace bloometry::theory
