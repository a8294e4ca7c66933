#pragma once

#include <cstdint>
#include <optional>

namespace bloometry::statistics {

/// What the exact two-sided binomial test (binomial_test.hpp) at a level rejects: counts of at most
/// `lower`, and counts of at least `upper`. Absent: that side rejects nothing.
struct RejectionRegion {
  std::optional<std::uint64_t> lower{};
  std::optional<std::uint64_t> upper{};
};

/// Counts ~ Bin(queries, rate) whose p-value is below alpha.
/// @throws std::domain_error if rate is outside [0, 1] or alpha outside (0, 1).
RejectionRegion rejection_region(std::uint64_t queries, double rate, double alpha);

/// Probability that the test for `rate` at level alpha rejects hits ~ Bin(queries, true_rate):
/// exact binomial sums, no normal approximation. At true_rate = rate the size of the test, at most
/// alpha.
/// @throws std::domain_error as rejection_region, or if true_rate is outside [0, 1].
double binomial_test_power(std::uint64_t queries, double rate, double true_rate, double alpha);

/// The smallest excess d > 0 such that the test finds rate (1 + d) with probability `power`; to a
/// relative 1e-9. Absent if not even a rate of 1 is found so.
/// @throws std::domain_error as above; if rate is 0; unless alpha < power < 1.
std::optional<double> smallest_excess_found(std::uint64_t queries, double rate, double alpha,
                                            double power);

/// Queries from which on the test finds true_rate with probability `power`. Because counts are
/// discrete the power is a saw-tooth of the queries, a tooth for each hit: this is the end of a
/// rise past `power`, and a larger number may fall short of it by a tooth. Absent if 2^53 are not
/// enough, or true_rate = rate.
/// @throws std::domain_error as above.
std::optional<std::uint64_t> queries_to_find(double rate, double true_rate, double alpha,
                                             double power);

}  // namespace bloometry::statistics
