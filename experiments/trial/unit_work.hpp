#pragma once

#include <cstdint>
#include <span>

#include "experiments/trial/run_unit.hpp"
#include "experiments/unit/unit.hpp"

namespace bloometry {

/// Returns how many stages the unit's filter has with so many keys, by its plan: 1 unless it grows.
[[nodiscard]] double planned_num_stages(const Unit& unit, double num_keys);

/// How the real class is called: it decides what a further stage costs.
enum class StageCost { kBatch, kSingle };

/// Returns what an operation of these points costs on average, in operations on a filter of one
/// stage: 1, or more for a filter that grows, whose keys pass one stage after the other.
[[nodiscard]] double work_per_operation(const Unit& unit, std::span<const Point> points,
                                        StageCost cost);

/// Returns what a unit costs in time, sample check included, in the same measure: what the estimate
/// and the share of progress count.
[[nodiscard]] double count_work(const Unit& unit, Engine engine, bool is_always_checked);

}  // namespace bloometry
