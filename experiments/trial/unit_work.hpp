#pragma once

#include <cstdint>
#include <span>

#include "experiments/trial/run_unit.hpp"
#include "experiments/unit/unit.hpp"

namespace bloometry {

/// Returns the planned number of stages of the unit's filter with num_keys keys: 1 unless it grows.
[[nodiscard]] double planned_num_stages(const Unit& unit, double num_keys);

/// The calls of the real class. They determine the cost of an additional stage.
enum class StageCost { kBatch, kSingle };

/// Returns the average cost of an operation of these points, in operations on a filter of one
/// stage. It is 1, or more for a filter that grows, whose keys pass one stage after the other.
[[nodiscard]] double work_per_operation(const Unit& unit, std::span<const Point> points,
                                        StageCost cost);

/// Returns the cost of a unit in time, sample check included, in the same unit. The time estimate
/// and the share of progress use it.
[[nodiscard]] double count_work(const Unit& unit, Engine engine, bool is_always_checked);

}  // namespace bloometry
