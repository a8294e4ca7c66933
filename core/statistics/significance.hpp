#pragma once

#include <cstdint>

namespace bloometry::statistics {

/// Returns the threshold of the p-value for num_tests tests. Each test rejects if its p-value is
/// below it. If all hypotheses are true, the probability that any test rejects is at most
/// false_alarm (Bonferroni). The tests may be dependent.
/// @throws std::domain_error if num_tests is 0 or false_alarm is outside (0, 1).
double bonferroni_threshold(double false_alarm, std::uint64_t num_tests);

/// Returns z with P(|Z| > z) = alpha, where Z is standard normal.
/// @throws std::domain_error unless 0 < alpha < 1.
double two_sided_z(double alpha);

/// Returns z^2 (1-p)/(p rel^2), the number of queries for an interval around a rate p with the
/// relative half-width rel at level alpha (theory 9.1). The result is a real number, which callers
/// must round up.
/// @throws std::domain_error unless 0 < p <= 1, rel > 0 and 0 < alpha < 1.
double queries_for_relative_precision(double p, double rel, double alpha);

}  // namespace bloometry::statistics
