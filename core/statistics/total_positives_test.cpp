#include "core/statistics/total_positives_test.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "core/require_domain.hpp"
#include "core/statistics/chernoff_tilt.hpp"
#include "core/statistics/special_functions.hpp"

namespace bloometry::statistics {
namespace {

/// Returns the whole number in (low, high] at which `holds` becomes true. The value holds(high)
/// must be true.
template <class Predicate>
double first_that(double low, double high, Predicate holds) {
  while (high - low > 1.0) {
    const double middle = std::floor(low + (high - low) / 2.0);
    if (middle <= low || middle >= high) break;  // low and high are adjacent doubles above 2^53
    (holds(middle) ? high : low) = middle;
  }
  return high;
}

}  // namespace

TotalPositivesTest::TotalPositivesTest(RateMixture rates, std::uint64_t num_filters,
                                       std::uint64_t num_queries)
    : rates_(std::move(rates)), num_filters_(num_filters), num_queries_(num_queries) {
  require_domain(num_filters > 0, "num_filters", "at least 1", num_filters);
  require_domain(num_queries > 0, "num_queries", "at least 1", num_queries);
}

double TotalPositivesTest::num_answers() const {
  return static_cast<double>(num_filters_) * static_cast<double>(num_queries_);
}

double TotalPositivesTest::mean() const {
  return num_answers() * rates_.mean();
}

double TotalPositivesTest::variance() const {
  const double p = rates_.mean();
  const auto queries = static_cast<double>(num_queries_);
  return num_answers() * (p * (1.0 - p) + (queries - 1.0) * rates_.variance());
}

double TotalPositivesTest::log_chernoff(double positives) const {
  const auto filters = static_cast<double>(num_filters_);
  const ChernoffTilt tilt = best_tilt(rates_, num_queries_, positives / filters);
  return std::min(0.0, -filters * tilt.log_factor(positives / filters));
}

double TotalPositivesTest::upper_tail(std::uint64_t positives) const {
  const auto count = static_cast<double>(positives);
  require_at_most("positives", count, "number of queries", num_answers());
  return count <= mean() ? 1.0 : std::exp(log_chernoff(count));
}

double TotalPositivesTest::lower_tail(std::uint64_t positives) const {
  const auto count = static_cast<double>(positives);
  require_at_most("positives", count, "number of queries", num_answers());
  return count >= mean() ? 1.0 : std::exp(log_chernoff(count));
}

double TotalPositivesTest::two_sided_p_value(std::uint64_t positives) const {
  return std::min(1.0, 2.0 * std::min(upper_tail(positives), lower_tail(positives)));
}

TotalPositivesTest::Limits TotalPositivesTest::limits(double false_alarm) const {
  require_domain(false_alarm > 0.0 && false_alarm < 1.0, "false_alarm", "in (0, 1)", false_alarm);
  const auto rejected = [&](double positives) {
    return two_sided_p_value(static_cast<std::uint64_t>(positives)) < false_alarm;
  };
  const double all = num_answers();
  const double middle = std::floor(mean());
  Limits limits{-1.0, all + 1.0};
  if (middle < all && rejected(all)) limits.upper = first_that(middle, all, rejected);
  if (middle > 0.0 && rejected(0.0)) {
    // As the count increases from 0 to the mean, the test first rejects and then accepts. The lower
    // limit is one less than the first accepted count.
    limits.lower =
        first_that(0.0, middle, [&](double positives) { return !rejected(positives); }) - 1.0;
  }
  return limits;
}

double TotalPositivesTest::positives_at_factor(double factor, double z) const {
  const double p = std::min(1.0, factor * rates_.mean());
  const auto queries = static_cast<double>(num_queries_);
  const double variance =
      num_answers() * (p * (1.0 - p) + (queries - 1.0) * factor * factor * rates_.variance());
  return num_answers() * p + z * std::sqrt(variance);
}

TotalPositivesTest::Deviation TotalPositivesTest::detected(double false_alarm, double miss) const {
  const Limits limit = limits(false_alarm);
  const double z = normal_upper_quantile(miss);
  Deviation found{0.0, std::numeric_limits<double>::infinity()};
  constexpr int kSteps =
      60;  // number of halvings of the factor's interval, sufficient for the last bit
  double low = 1.0;
  double high = 1.0 / rates_.mean();
  if (limit.upper <= num_answers() && positives_at_factor(high, -z) >= limit.upper) {
    for (int i = 0; i < kSteps; ++i) {
      const double middle = std::sqrt(low * high);
      (positives_at_factor(middle, -z) >= limit.upper ? high : low) = middle;
    }
    found.above = high;
  }
  if (limit.lower < 0.0) return found;
  low = 0.0;
  high = 1.0;
  for (int i = 0; i < kSteps; ++i) {
    const double middle = (low + high) / 2.0;
    (positives_at_factor(middle, z) <= limit.lower ? low : high) = middle;
  }
  found.below = low;
  return found;
}

}  // namespace bloometry::statistics
