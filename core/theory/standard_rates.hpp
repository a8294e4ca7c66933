#pragma once

#include <cstdint>
#include <span>

#include "core/probe/probe_policy.hpp"

/// Expected false positive rates of a bit filter: n keys, m bits, k hashes; all but
/// second_order_rate are probabilities in [0, 1]. All functions throw std::domain_error for m = 0
/// or k = 0, and models D and P for k > m; 0 keys give 0. Approximations keep full relative
/// precision (expm1, log1p).
namespace bloometry::theory {

// In every signature below, n is the number of keys, m the number of bits and k the number of
// hashes.

/// Returns (kn/m)^k, at most 1. The formula assumes that every throw sets a separate bit, which is
/// a union bound on the fill.
double linear_rate(std::uint64_t n, std::uint64_t m, unsigned k);

/// Returns (1 - e^(-kn/m))^k: the textbook limit.
double classic_rate(std::uint64_t n, std::uint64_t m, unsigned k);

/// Returns (1 - (1-1/m)^(nk))^k, which uses the exact mean fill and treats probes as independent.
/// In model W the value is below the exact rate.
double semi_rate(std::uint64_t n, std::uint64_t m, unsigned k);

/// Returns (1 - e^(-k(n+1/2)/(m-1)))^k: the upper bound of Goel & Gupta (2010); 1 for m = 1.
double goel_gupta_upper_rate(std::uint64_t n, std::uint64_t m, unsigned k);

/// Returns mu^k + C(k,2) mu^(k-2) v with mu, v the exact mean and variance of X/m in model W. Its
/// relative error is 7e-4 at (10, 100, 7) and 8.5e-8 at (1000, 9586, 7). It exceeds 1 if few bits
/// are probed often: 1.0001 at (1, 4, 50).
double second_order_rate(std::uint64_t n, std::uint64_t m, unsigned k);

/// Returns E[(X/m)^k] for model W, exact (occupancy chain).
double exact_rate_with_replacement(std::uint64_t n, std::uint64_t m, unsigned k);

/// Returns E[C(X,k)/C(m,k)] for model D, exact. covering_chain.hpp describes the method and its
/// accuracy.
double exact_rate_distinct(std::uint64_t n, std::uint64_t m, unsigned k);

/// Returns the product over slices of 1 - (1-1/w)^n for model P, exact; the first m mod k slices
/// have one more bit.
double exact_rate_partitioned(std::uint64_t n, std::uint64_t m, unsigned k);

/// Returns the rate in model P with slices of any lengths.
double exact_rate_of_slices(std::uint64_t n, std::span<const std::uint64_t> slice_bits);

/// Returns the exact rate of the given model.
double exact_rate(ProbeModel model, std::uint64_t n, std::uint64_t m, unsigned k);

}  // namespace bloometry::theory
