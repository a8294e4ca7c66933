#pragma once

#include "variants/scalable/scalable_stages.hpp"

namespace bloometry {

/// What the rates P_i of all stages of a plan come to, however far the filter grows.
struct RateLimits {
  double sum = 0.0;       ///< sum P_i: P for the schedules that keep it
  double compound = 0.0;  ///< 1 - prod(1 - P_i): what the design bound rises to
};

/// Geometric and horizon stage by stage until the rest is below 2^-60 of the sum; quadratic by
/// prod(1 - z^2/i^2) = sin(pi z)/(pi z). The plan must be valid.
[[nodiscard]] RateLimits rate_limits(const StagePlan& plan);

}  // namespace bloometry
