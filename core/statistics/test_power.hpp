#pragma once

#include <cstdint>
#include <optional>

namespace bloometry::statistics {

/// The counts that the exact two-sided binomial test (binomial_test.hpp) rejects at a given level:
/// counts of at most `lower`, and counts of at least `upper`. If a limit is absent, the test does
/// not reject any count on that side.
struct RejectionRegion {
  std::optional<std::uint64_t> lower{};
  std::optional<std::uint64_t> upper{};
};

/// Returns the counts whose p-value under Bin(queries, rate) is below alpha.
/// @throws std::domain_error if rate is outside [0, 1] or alpha outside (0, 1).
RejectionRegion rejection_region(std::uint64_t queries, double rate, double alpha);

/// Returns the probability that the test for `rate` at level alpha rejects positives ~ Bin(queries,
/// true_rate), by exact binomial sums without a normal approximation. At true_rate = rate, the
/// result is the size of the test, which is at most alpha.
/// @throws std::domain_error if rate or true_rate is outside [0, 1], or alpha outside (0, 1).
double binomial_test_power(std::uint64_t queries, double rate, double true_rate, double alpha);

/// Returns the smallest excess d > 0 such that the test detects the rate `rate` (1 + d) with
/// probability `power`. The relative error of d is 1e-9. Returns std::nullopt if the test does not
/// detect a rate of 1 with probability `power`.
/// @throws std::domain_error unless 0 < rate <= 1, 0 < alpha < 1 and alpha < power < 1.
std::optional<double> smallest_excess_found(std::uint64_t queries, double rate, double alpha,
                                            double power);

/// Returns the number of queries with which the test detects true_rate with probability `power`.
/// Because counts are discrete, the power is a sawtooth function of the number of queries, with one
/// tooth per positive. The result is a number of queries at which a tooth rises above `power`. With
/// more queries, the power of the test may fall below `power` by one tooth. Returns std::nullopt if
/// 2^53 queries are not enough, or if true_rate equals rate.
/// @throws std::domain_error unless rate and true_rate are in [0, 1], 0 < alpha < 1 and alpha <
/// power < 1.
std::optional<std::uint64_t> queries_to_find(double rate, double true_rate, double alpha,
                                             double power);

}  // namespace bloometry::statistics
