#pragma once

#include "variants/scalable/scalable_stages.hpp"

namespace bloometry {

/// The totals of the rates P_i over all stages of a plan, however far the filter grows.
struct RateLimits {
  double sum = 0.0;       ///< sum of P_i: P for the schedules that keep it
  double compound = 0.0;  ///< 1 - prod(1 - P_i): the limit of the design bound
};

/// Returns the limits of a plan, which must be valid. Adds the stages of geometric and horizon
/// until the rest is below 2^-60 of the sum; computes quadratic by prod(1 - z^2/i^2) = sin(pi
/// z)/(pi z).
[[nodiscard]] RateLimits rate_limits(const StagePlan& plan);

}  // namespace bloometry
