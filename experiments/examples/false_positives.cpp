#include "experiments/examples/false_positives.hpp"

#include <fmt/core.h>

#include "core/statistics/binomial_interval.hpp"
#include "core/statistics/binomial_test.hpp"
#include "experiments/text/number_text.hpp"

namespace bloometry::examples {

std::string FalsePositives::rate_text() const {
  const auto interval = statistics::clopper_pearson(num_passed, num_queries, 0.05);
  const double rate =
      num_queries == 0 ? 0 : static_cast<double>(num_passed) / static_cast<double>(num_queries);
  return fmt::format("{} ({} to {})", percent(rate), rounded(100 * interval.lower, 4),
                     rounded(100 * interval.upper, 4));
}

double FalsePositives::p_value(const ExpectedRate& expected) const {
  return statistics::binomial_two_sided_p_value(num_passed, num_queries, expected.given_bits);
}

void FalsePositives::check(const ExpectedRate& expected, const std::string& filter,
                           Checks& checks) const {
  const double p = p_value(expected);
  checks.require(p >= kFalseAlarm,
                 filter + ": false positives follow theory (exact binomial test, p >= 1e-6)",
                 fmt::format("{} of {}, expected {}, p = {}", grouped(num_passed),
                             grouped(num_queries), percent(expected.given_bits), rounded(p, 2)));
}

}  // namespace bloometry::examples
