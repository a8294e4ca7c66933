#pragma once

#include <cstdint>
#include <optional>

#include "core/statistics/rate_mixture.hpp"

namespace bloometry {

/// How much a subject is asked.
struct MeasurementPlan {
  std::uint64_t num_filters = 0;  ///< R
  std::uint64_t num_queries = 0;  ///< Q, absent keys asked of each
  std::uint64_t num_fills = 0;    ///< filters whose fill is asked, of a subject that tells it
  double share_of_goal = 1;       ///< of the queries that the goal needs; below 1: too few

  [[nodiscard]] bool reaches_goal() const noexcept { return share_of_goal >= 1; }
};

/// What the plan is for.
struct MeasurementGoal {
  double false_alarm = 1e-6;
  double deviation = 0.1;  ///< relative, of the rate
  double miss = 0.01;
};

/// Queries in all that a plan without other instructions does not exceed.
inline constexpr double kMaxPlannedQueries = 2e7;

/// Filters and queries with which a rate off by the deviation is missed with probability `miss`:
/// with z_a and z_b the deviates of false alarm (as the Chernoff bound sees it) and miss,
/// (z_a + z_b)^2 (Var(F)/R + p(1-p)/(RQ)) = (deviation p)^2, one half of it left to the spread
/// between filters, but at least two filters. At most max_total_queries queries and 16,000 filters:
/// a smaller rate is found later, or not, which TotalHitsTest::detected tells. What is given stays.
/// Fills: as many, up to 64, as find what moves the rate by a quarter of the deviation.
[[nodiscard]] MeasurementPlan plan_measurement(const statistics::RateMixture& rates,
                                               const MeasurementGoal& goal,
                                               std::optional<std::uint64_t> num_filters,
                                               std::optional<std::uint64_t> num_queries,
                                               double max_total_queries = kMaxPlannedQueries);

}  // namespace bloometry
