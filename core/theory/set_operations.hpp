#pragma once

#include <cstdint>

/// What the OR and the AND of two filters of one configuration hold (theory reference, section 2):
/// sets A of n_a and B of n_b keys with n_common keys in common, m bits, k hashes, model W.
/// All throw std::domain_error for m = 0, k = 0 or n_common > min(n_a, n_b).
namespace bloometry::theory {

/// Sizes of two sets and of what they share.
struct TwoSets {
  std::uint64_t n_a = 0;
  std::uint64_t n_b = 0;
  std::uint64_t n_common = 0;
};

/// E[share of bits set in both filters] = f_A + f_B - f_U, exact, with f_X = 1 - (1-1/m)^(k n_X).
/// Formed without cancellation: a bit is in both if a common key hit it, or else a key of A's own
/// and one of B's own.
double and_fill_mean(const TwoSets& sets, std::uint64_t m, unsigned k);

/// and_fill_mean^k: rate of the AND of both filters, its probes taken as independent. At least the
/// rate of the filter of the intersection, at most either filter's own.
double and_rate_approx(const TwoSets& sets, std::uint64_t m, unsigned k);

/// (1 - (1-1/m)^(k n_common))^k: rate that a filter built from the common keys would have, in the
/// same approximation.
double intersection_filter_rate_approx(const TwoSets& sets, std::uint64_t m, unsigned k);

/// (1 - (1-1/m)^(k n_U))^k, n_U keys in A or B: the OR is the filter of the union, so its exact
/// rate is exact_rate at n_U, and this is the semi rate there.
double or_rate_approx(const TwoSets& sets, std::uint64_t m, unsigned k);

}  // namespace bloometry::theory
