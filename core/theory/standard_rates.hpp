#pragma once

#include <cstdint>
#include <span>

#include "core/probe/probe_policy.hpp"

/// Expected false positive rates of a bit filter with n keys, m bits and k hashes. All rates except
/// second_order_rate are probabilities in [0, 1]. All functions throw std::domain_error if m or k
/// is 0, or if k > m in models D and P. All rates are 0 for 0 keys. The approximations have full
/// relative precision (expm1, log1p).
namespace bloometry::theory {

// In every signature below, n is the number of keys, m is the number of bits, and k is the number
// of hashes.

/// Returns min(1, (kn/m)^k). The formula uses a union bound of the fill: kn throws set at most kn
/// bits.
double linear_rate(std::uint64_t n, std::uint64_t m, unsigned k);

/// Returns (1 - e^(-kn/m))^k, the approximation in textbooks.
double classic_rate(std::uint64_t n, std::uint64_t m, unsigned k);

/// Returns (1 - (1-1/m)^(nk))^k, which uses the exact mean fill and treats probes as independent.
/// The value is below the exact rate in model W.
double semi_rate(std::uint64_t n, std::uint64_t m, unsigned k);

/// Returns (1 - e^(-k(n+1/2)/(m-1)))^k, the upper bound of Goel & Gupta (2010). The result is 1 for
/// m = 1.
double goel_gupta_upper_rate(std::uint64_t n, std::uint64_t m, unsigned k);

/// Returns mu^k + C(k,2) mu^(k-2) v, where mu is the exact mean and v the exact variance of X/m in
/// model W. The relative error is 7e-4 at (n, m, k) = (10, 100, 7), and 8.5e-8 at (1000, 9586, 7).
/// The result exceeds 1 if few bits are probed often, for example 1.0001 at (1, 4, 50).
double second_order_rate(std::uint64_t n, std::uint64_t m, unsigned k);

/// Returns the exact rate E[(X/m)^k] of model W, computed by the occupancy chain.
double exact_rate_with_replacement(std::uint64_t n, std::uint64_t m, unsigned k);

/// Returns the exact rate E[C(X,k)/C(m,k)] of model D. The file covering_chain.hpp describes the
/// method and the accuracy of exact_rate_distinct.
double exact_rate_distinct(std::uint64_t n, std::uint64_t m, unsigned k);

/// Returns the exact rate of model P, which is the product over slices of 1 - (1-1/w)^n. The first
/// m mod k slices have one more bit than the other slices.
double exact_rate_partitioned(std::uint64_t n, std::uint64_t m, unsigned k);

/// Returns the exact rate of model P with slices of any lengths.
double exact_rate_of_slices(std::uint64_t n, std::span<const std::uint64_t> slice_bits);

/// Returns the exact rate of the given model.
double exact_rate(ProbeModel model, std::uint64_t n, std::uint64_t m, unsigned k);

}  // namespace bloometry::theory
