#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "experiments/trial/unit_run.hpp"

namespace bloometry {

/// Returns the indices of the points of a unit that an auto run repeats. The result depends only on
/// the unit and contains 1 in 200 points on average. The hash of the unit's id determines whether
/// the number of points is rounded up or down. If `at_least_one` is true, it contains at least one
/// point. For each sampled point, the function draws three with the hash of the unit's id and
/// selects the cheapest one. The sample check therefore needs only a few percent of the time,
/// although any point may be drawn.
[[nodiscard]] std::vector<std::size_t> sampled_points(const Unit& unit, bool at_least_one);

/// Repeats the sampled points with the naive engine, and compares all columns. The naive engine
/// uses a new filter per point and hashes the keys again.
/// @throws EngineMismatch naming unit, point and every column that differs
void check_sample(UnitRun& run, std::span<const TrialRow> rows);

/// Compares two rows. @throws EngineMismatch if the rows differ
void require_equal(const TrialRow& row, const TrialRow& repeated);

}  // namespace bloometry
