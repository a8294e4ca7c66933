#pragma once

#include <cstdint>

/// Fill and rate of the OR and the AND of two filters of one configuration (theory 2). The sets A
/// and B have n_a and n_b keys, and their intersection has n_common keys. The filters have m bits
/// and k hashes and follow model W. All functions throw std::domain_error if m or k is 0, or if
/// n_common > min(n_a, n_b).
namespace bloometry::theory {

/// The sizes of two sets and of their intersection.
struct TwoSets {
  std::uint64_t n_a = 0;
  std::uint64_t n_b = 0;
  std::uint64_t n_common = 0;
};

/// Returns the exact mean of the share of bits that are set in both filters. The value is f_A + f_B
/// - f_U with f_X = 1 - (1-1/m)^(k n_X). The computation avoids cancellation. A common key sets a
/// bit in both filters, and so do a key of A alone and a key of B alone that hit the same bit.
double and_fill_mean(const TwoSets& sets, std::uint64_t m, unsigned k);

/// Returns and_fill_mean^k, the rate of the AND of both filters if probes are treated as
/// independent. The value is at least the rate of a filter built from the common keys, and at most
/// the rate of either filter.
double and_rate_approx(const TwoSets& sets, std::uint64_t m, unsigned k);

/// Returns (1 - (1-1/m)^(k n_common))^k, the rate of a filter built from the common keys if probes
/// are treated as independent.
double intersection_filter_rate_approx(const TwoSets& sets, std::uint64_t m, unsigned k);

/// Returns (1 - (1-1/m)^(k n_U))^k, where n_U is the number of keys in A or B. The OR is the filter
/// of the union, so its exact rate is exact_rate at n_U keys. The function or_rate_approx returns
/// semi_rate at n_U keys.
double or_rate_approx(const TwoSets& sets, std::uint64_t m, unsigned k);

}  // namespace bloometry::theory
