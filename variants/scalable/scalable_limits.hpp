#pragma once

#include "variants/scalable/scalable_stages.hpp"

namespace bloometry {

/// Limits of sums of the rates P_i of a plan, for a filter that grows without limit.
struct RateLimits {
  double sum = 0.0;       ///< sum of all P_i; equals P if the schedule keeps P
  double compound = 0.0;  ///< limit of the design bound, 1 - prod(1 - P_i)
};

/// Returns the limits of the sums for a plan, which must be valid. For the geometric and horizon
/// schedules, the function adds stages until the rest is below 2^-60 of the sum. For the quadratic
/// schedule, the function uses prod(1 - z^2/i^2) = sin(pi z)/(pi z).
[[nodiscard]] RateLimits rate_limits(const StagePlan& plan);

}  // namespace bloometry
