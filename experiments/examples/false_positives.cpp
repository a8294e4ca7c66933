#include "experiments/examples/false_positives.hpp"

#include "core/statistics/binomial_interval.hpp"
#include "core/statistics/binomial_test.hpp"
#include "experiments/text/number_text.hpp"

namespace bloometry::examples {
namespace {

std::string digits_of_percent(double rate) {
  return rounded(100 * rate, 4);
}

}  // namespace

std::string percent(double rate) {
  return digits_of_percent(rate) + " %";
}

std::string FalsePositives::rate_text() const {
  const auto interval = statistics::clopper_pearson(num_passed, num_queries, 0.05);
  const double rate =
      num_queries == 0 ? 0 : static_cast<double>(num_passed) / static_cast<double>(num_queries);
  return percent(rate) + " (" + digits_of_percent(interval.lower) + " to " +
         digits_of_percent(interval.upper) + ")";
}

double FalsePositives::p_value(const ExpectedRate& expected) const {
  return statistics::binomial_two_sided_p_value(num_passed, num_queries, expected.given_bits);
}

void FalsePositives::check(const ExpectedRate& expected, const std::string& filter,
                           Checks& checks) const {
  const double p = p_value(expected);
  checks.require(p >= kFalseAlarm,
                 filter + ": false positives follow theory (exact binomial test, p >= 1e-6)",
                 grouped(num_passed) + " of " + grouped(num_queries) + ", expected " +
                     percent(expected.given_bits) + ", p = " + rounded(p, 2));
}

}  // namespace bloometry::examples
