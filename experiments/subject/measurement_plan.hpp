#pragma once

#include <cstdint>
#include <optional>

#include "core/statistics/rate_mixture.hpp"

namespace bloometry {

/// The smallest measurable rate: the squares of smaller rates underflow.
inline constexpr double kMinMeasurableRate = 1e-100;

/// The number of filters and queries for measuring a subject.
struct MeasurementPlan {
  std::uint64_t num_filters = 0;  ///< R, number of filters
  std::uint64_t num_queries = 0;  ///< Q, number of absent keys per filter
  std::uint64_t num_fills = 0;    ///< minimum number of filters whose reported fill is read
  double share_of_goal = 1;       ///< planned queries divided by the needed queries

  [[nodiscard]] bool reaches_goal() const noexcept { return share_of_goal >= 1; }
};

/// The goal for which a plan is computed.
struct MeasurementGoal {
  double false_alarm = 1e-6;
  double deviation = 0.1;  ///< relative deviation of the rate
  double miss = 0.01;
};

/// Maximum total number of queries of a plan if the caller does not set the numbers of filters and
/// queries.
inline constexpr double kMaxPlannedQueries = 2e7;

/// Returns a plan with which the test misses a rate that is off by the deviation with probability
/// `miss`. The plan solves (z_a + z_b)^2 (Var(F)/R + p(1-p)/(RQ)) = (deviation p)^2. The normal
/// quantiles z_a and z_b belong to the false-alarm probability (in the Chernoff bound) and to
/// `miss`. The plan allots half of the right side to the spread between filters; R is at least two.
/// The limits are max_total_queries queries and 16,000 filters. If a limit applies,
/// TotalPositivesTest::detected gives the rate that the test detects. The function does not change
/// numbers that the caller sets. The number of fills, at most 64, is enough to detect a change of
/// the rate by a quarter of the deviation.
[[nodiscard]] MeasurementPlan plan_measurement(const statistics::RateMixture& rates,
                                               const MeasurementGoal& goal,
                                               std::optional<std::uint64_t> num_filters,
                                               std::optional<std::uint64_t> num_queries,
                                               double max_total_queries = kMaxPlannedQueries);

}  // namespace bloometry
