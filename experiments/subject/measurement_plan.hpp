#pragma once

#include <cstdint>
#include <optional>

#include "core/statistics/rate_mixture.hpp"

namespace bloometry {

/// How much a subject is asked.
struct MeasurementPlan {
  std::uint64_t num_filters = 0;  ///< R
  std::uint64_t num_queries = 0;  ///< Q, absent keys asked of each
};

/// What the plan is for.
struct MeasurementGoal {
  double false_alarm = 1e-6;
  double deviation = 0.1;  ///< relative, of the rate
  double miss = 0.01;
};

/// Filters and queries with which a rate off by the deviation is missed with probability `miss`:
/// with z_a and z_b the deviates of false alarm (as the Chernoff bound sees it) and miss,
/// (z_a + z_b)^2 (Var(F)/R + p(1-p)/(RQ)) = (deviation p)^2, one half of it left to the spread
/// between filters, but at least two filters. At most 2e7 queries and 16,000 filters: a smaller
/// rate is found later, or not, which TotalHitsTest::detected tells. What is given stays.
[[nodiscard]] MeasurementPlan plan_measurement(const statistics::RateMixture& rates,
                                               const MeasurementGoal& goal,
                                               std::optional<std::uint64_t> num_filters,
                                               std::optional<std::uint64_t> num_queries);

}  // namespace bloometry
