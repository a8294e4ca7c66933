#pragma once

#include <cstdint>
#include <optional>

namespace bloometry::statistics {

/// The counts that the exact two-sided binomial test (binomial_test.hpp) rejects at a level: counts
/// of at most `lower`, and counts of at least `upper`. An absent limit means that the test does not
/// reject any count on that side.
struct RejectionRegion {
  std::optional<std::uint64_t> lower{};
  std::optional<std::uint64_t> upper{};
};

/// Returns the counts whose p-value under Bin(queries, rate) is below alpha.
/// @throws std::domain_error if rate is outside [0, 1] or alpha outside (0, 1).
RejectionRegion rejection_region(std::uint64_t queries, double rate, double alpha);

/// Returns the probability that the test for `rate` at level alpha rejects positives ~ Bin(queries,
/// true_rate), by exact binomial sums without a normal approximation. At true_rate = rate this is
/// the size of the test, at most alpha.
/// @throws std::domain_error as rejection_region, or if true_rate is outside [0, 1].
double binomial_test_power(std::uint64_t queries, double rate, double true_rate, double alpha);

/// Returns the smallest excess d > 0 such that the test detects rate (1 + d) with probability
/// `power`, to a relative 1e-9. Absent if the test does not detect even a rate of 1.
/// @throws std::domain_error as above; if rate is 0; unless alpha < power < 1.
std::optional<double> smallest_excess_found(std::uint64_t queries, double rate, double alpha,
                                            double power);

/// Returns the number of queries from which on the test detects true_rate with probability `power`.
/// Because counts are discrete, the power is a sawtooth function of the queries, with one tooth per
/// positive. The result is a number of queries at which a tooth rises past `power`; at larger
/// numbers the power may fall below `power` by one tooth. Absent if 2^53 queries are not enough, or
/// true_rate = rate.
/// @throws std::domain_error as above.
std::optional<std::uint64_t> queries_to_find(double rate, double true_rate, double alpha,
                                             double power);

}  // namespace bloometry::statistics
