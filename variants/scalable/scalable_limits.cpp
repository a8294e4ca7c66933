#include "variants/scalable/scalable_limits.hpp"

#include <cmath>
#include <numbers>

#include "core/contract/params.hpp"
#include "core/error.hpp"

namespace bloometry {
namespace {

constexpr unsigned kMostStages = 1'000'000;

/// Returns the limits of the sums for the quadratic schedule. The argument first_rate is the rate
/// of the first stage, z^2 = 6 P/pi^2.
RateLimits quadratic_limits(double first_rate) {
  const double x = std::numbers::pi * std::sqrt(first_rate);
  // The design bound 1 - sin(x)/x is computed by its series, to avoid cancellation for small rates.
  double term = x * x / 6.0;
  double compound = 0.0;
  for (double i = 4.0; term != 0.0 && compound + term != compound; i += 2.0) {
    compound += term;
    term *= -x * x / (i * (i + 1.0));
  }
  return {x * x / 6.0, compound};
}

}  // namespace

RateLimits rate_limits(const StagePlan& plan) {
  if (plan.error_schedule == ErrorSchedule::kQuadratic) {
    return quadratic_limits(stage_error_rate(plan, 0));
  }
  double sum = 0.0;
  double log_none = 0.0;
  double previous = 0.0;
  stage_detail::HorizonPosition position;
  for (unsigned i = 0; i < kMostStages; ++i) {
    const double rate = stage_detail::error_rate_at(plan, i, position);
    sum += rate;
    log_none += std::log1p(-rate);
    // In the geometric schedule, and past the horizon, each rate is r times the previous rate. The
    // sum of the remaining rates is rate * r/(1-r).
    const double rest = rate * plan.tightening_ratio / (1.0 - plan.tightening_ratio);
    if (rate < previous && rest <= 0x1p-60 * sum) return {sum, -std::expm1(log_none)};
    previous = rate;
    position.advance(plan, i);
  }
  throw ConfigError("tightening_ratio",
                    "must be such that the sum of the rates converges within 10^6 stages, got " +
                        to_string(ParamValue(plan.tightening_ratio)));
}

}  // namespace bloometry
