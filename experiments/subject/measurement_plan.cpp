#include "experiments/subject/measurement_plan.hpp"

#include <algorithm>
#include <cmath>

#include "core/contract/params.hpp"
#include "core/error.hpp"
#include "core/statistics/special_functions.hpp"

namespace bloometry {
namespace {

constexpr double kMinFilters = 2;
constexpr double kMaxFilters = 16'000;
constexpr double kMinTotalQueries = 2000;  // enough to distinguish a rate of 0.9 from 1
constexpr double kLargestRate = 0.999;     // deviations of larger rates cannot be detected
constexpr double kMaxFills = 64;
constexpr double kFillFactor = 16.0;  // 4^2, because fills must detect a quarter of the deviation

/// Rounds a count up to two significant digits, because 4,900 is easier to read than 4,813.
std::uint64_t rounded_up(double count) {
  const double unit = std::pow(10.0, std::max(0.0, std::floor(std::log10(count)) - 1.0));
  return static_cast<std::uint64_t>(std::ceil(count / unit - 1e-9) * unit);
}

}  // namespace

MeasurementPlan plan_measurement(const statistics::RateMixture& rates, const MeasurementGoal& goal,
                                 std::optional<std::uint64_t> num_filters,
                                 std::optional<std::uint64_t> num_queries,
                                 double max_total_queries) {
  // Chernoff's bound gives e^(-z^2/2) = alpha/2. The spread of the deviating subject is larger by
  // the factor 1 + deviation.
  const double z = std::sqrt(2.0 * std::log(2.0 / goal.false_alarm)) +
                   statistics::normal_upper_quantile(goal.miss) * (1.0 + goal.deviation);
  const double p = rates.mean();
  if (p < kMinMeasurableRate) {
    throw ConfigError("the claimed rate must be at least 1e-100 to be measured, got " +
                      to_string(ParamValue(p)));
  }
  const double precision = goal.deviation * goal.deviation / (z * z);
  const double spread = rates.variance() / (p * p);
  const double wanted_filters = std::clamp(2.0 * spread / precision, kMinFilters, kMaxFilters);
  const double filters = num_filters ? static_cast<double>(*num_filters)
                                     : static_cast<double>(rounded_up(wanted_filters));
  const double left = std::max(precision - spread / filters, precision / 4.0);
  const double needed = std::max(kMinTotalQueries, (1.0 - p) / (p * left));
  const double total = std::min(needed, max_total_queries);
  MeasurementPlan plan;
  plan.num_filters = static_cast<std::uint64_t>(filters);
  plan.num_queries = num_queries ? *num_queries : rounded_up(std::max(1.0, total / filters));
  plan.num_fills = static_cast<std::uint64_t>(
      std::ceil(std::clamp(kFillFactor * spread / precision, kMinFilters, kMaxFills)));
  plan.share_of_goal = p * (1.0 + goal.deviation) > kLargestRate
                           ? 0.0
                           : filters * static_cast<double>(plan.num_queries) / needed;
  return plan;
}

}  // namespace bloometry
