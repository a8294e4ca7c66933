#pragma once

#include <cstdint>
#include <span>

#include "core/probe/probe_policy.hpp"

/// Expected false positive rates of a bit filter: n keys, m bits, k hashes; all but
/// second_order_rate are probabilities in [0, 1]. All throw std::domain_error for m = 0 or k = 0,
/// and models D and P for k > m; 0 keys give 0. Approximations keep full relative precision (expm1,
/// log1p).
namespace bloometry::theory {

// n keys, m bits, k hashes in every signature below.

/// (kn/m)^k, at most 1: every throw counted as a bit of its own, a union bound on the fill.
double linear_rate(std::uint64_t n, std::uint64_t m, unsigned k);

/// (1 - e^(-kn/m))^k: the textbook limit.
double classic_rate(std::uint64_t n, std::uint64_t m, unsigned k);

/// (1 - (1-1/m)^(nk))^k: exact mean fill, probes taken as independent. Not exact for W (too low).
double semi_rate(std::uint64_t n, std::uint64_t m, unsigned k);

/// (1 - e^(-k(n+1/2)/(m-1)))^k: upper bound of Goel & Gupta (2010); 1 for m = 1.
double goel_gupta_upper_rate(std::uint64_t n, std::uint64_t m, unsigned k);

/// mu^k + C(k,2) mu^(k-2) v with mu, v the exact mean and variance of X/m in model W.
/// Relative error 7e-4 at (10, 100, 7), 8.5e-8 at (1000, 9586, 7). Above 1 where few bits are asked
/// often: 1.0001 at (1, 4, 50).
double second_order_rate(std::uint64_t n, std::uint64_t m, unsigned k);

/// Model W: E[(X/m)^k], exact (occupancy chain).
double exact_rate_with_replacement(std::uint64_t n, std::uint64_t m, unsigned k);

/// Model D: E[C(X,k)/C(m,k)], exact. See covering_chain.hpp for the method and its accuracy.
double exact_rate_distinct(std::uint64_t n, std::uint64_t m, unsigned k);

/// Model P: product over slices of 1 - (1-1/w)^n, exact; the first m mod k slices have one bit
/// more.
double exact_rate_partitioned(std::uint64_t n, std::uint64_t m, unsigned k);

/// Model P with slices of any lengths.
double exact_rate_of_slices(std::uint64_t n, std::span<const std::uint64_t> slice_bits);

/// The exact rate of the given model.
double exact_rate(ProbeModel model, std::uint64_t n, std::uint64_t m, unsigned k);

}  // namespace bloometry::theory
