#pragma once

#include <cstdint>
#include <span>

#include "experiments/trial/run_unit.hpp"
#include "experiments/unit/unit.hpp"

namespace bloometry {

/// Returns the planned number of stages of the unit's filter with num_keys keys. It is 1 unless the
/// filter grows.
[[nodiscard]] double planned_num_stages(const Unit& unit, double num_keys);

/// How the real class is called, which determines the cost of an additional stage.
enum class StageCost { kBatch, kSingle };

/// Returns the average cost of an operation of these points, as a multiple of an operation on one
/// stage. It is above 1 only for a filter that grows, because each key passes one stage after the
/// other.
[[nodiscard]] double work_per_operation(const Unit& unit, std::span<const Point> points,
                                        StageCost cost);

/// Returns the cost of a unit in operations on one stage, including the sample check. It is
/// proportional to time, and used by the time estimate and the share of progress.
[[nodiscard]] double count_work(const Unit& unit, Engine engine, bool is_always_checked);

}  // namespace bloometry
