#pragma once

#include <cstdint>
#include <span>

#include "experiments/trial/run_unit.hpp"
#include "experiments/unit/unit.hpp"

namespace bloometry {

/// Returns the planned number of stages of the unit's filter with num_keys keys. The number is 1
/// unless the filter grows.
[[nodiscard]] double planned_num_stages(const Unit& unit, double num_keys);

/// How the filter is called: with batches of keys or with single keys. The cost of an additional
/// stage depends on the kind of call.
enum class StageCost { kBatch, kSingle };

/// Returns the average cost of an operation of these points, as a multiple of the cost of an
/// operation on one stage. The average cost exceeds 1 only for a filter that grows, because each
/// key passes one stage after another.
[[nodiscard]] double work_per_operation(const Unit& unit, std::span<const Point> points,
                                        StageCost cost);

/// Returns the cost of a unit in operations on one stage, including the sample check. The cost is
/// proportional to time. The time estimate and the progress use the cost.
[[nodiscard]] double count_work(const Unit& unit, Engine engine, bool is_always_checked);

}  // namespace bloometry
