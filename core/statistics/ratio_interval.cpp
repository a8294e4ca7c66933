#include "core/statistics/ratio_interval.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/require_domain.hpp"
#include "core/statistics/special_functions.hpp"

namespace bloometry::statistics {
namespace {

/// Mean of the logarithms of a sample, and the estimated variance of this mean.
struct LogMean {
  double mean = 0;
  double variance_of_mean = 0;
};

LogMean log_mean_of(std::span<const double> values) {
  require_domain(!values.empty(), "number of values", "at least 1", values.size());
  const auto num_values = static_cast<double>(values.size());
  LogMean result;
  for (const double value : values) {
    require_domain(value > 0 && std::isfinite(value), "value", "positive and finite", value);
    result.mean += std::log(value) / num_values;
  }
  // Equal values must have the variance 0, without rounding errors.
  const auto [least, most] = std::minmax_element(values.begin(), values.end());
  if (*least == *most) return {.mean = std::log(*least)};
  double sum_of_squares = 0;
  for (const double value : values) sum_of_squares += std::pow(std::log(value) - result.mean, 2);
  result.variance_of_mean = sum_of_squares / (num_values - 1) / num_values;
  return result;
}

}  // namespace

double geometric_mean(std::span<const double> values) {
  return std::exp(log_mean_of(values).mean);
}

double student_two_sided_quantile(double degrees_of_freedom, double alpha) {
  require_domain(degrees_of_freedom > 0 && std::isfinite(degrees_of_freedom), "degrees_of_freedom",
                 "positive and finite", degrees_of_freedom);
  require_domain(alpha > 0 && alpha < 1, "alpha", "in (0, 1)", alpha);
  // P(|T| > t) = I_x(df/2, 1/2) with x = df / (df + t^2). Both x and 1 - x are computed, because
  // either may be tiny.
  const double x = beta_quantile(0.5 * degrees_of_freedom, 0.5, alpha);
  const double complement = beta_quantile_complement(0.5, 0.5 * degrees_of_freedom, alpha);
  return std::sqrt(degrees_of_freedom * complement / x);
}

RatioEstimate ratio_of_means(std::span<const double> numerators,
                             std::span<const double> denominators, double alpha) {
  require_domain(alpha > 0 && alpha < 1, "alpha", "in (0, 1)", alpha);
  const LogMean above = log_mean_of(numerators);
  const LogMean below = log_mean_of(denominators);
  const double difference = above.mean - below.mean;
  const double variance = above.variance_of_mean + below.variance_of_mean;
  if (numerators.size() < 2 || denominators.size() < 2 || !(variance > 0)) {
    return {.ratio = std::exp(difference),
            .interval = {.lower = 0, .upper = std::numeric_limits<double>::infinity()}};
  }
  const auto degrees_of_freedom =
      static_cast<double>(std::min(numerators.size(), denominators.size()) - 1);
  const double margin = student_two_sided_quantile(degrees_of_freedom, alpha) * std::sqrt(variance);
  return {
      .ratio = std::exp(difference),
      .interval = {.lower = std::exp(difference - margin), .upper = std::exp(difference + margin)}};
}

}  // namespace bloometry::statistics
