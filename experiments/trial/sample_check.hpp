#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "experiments/trial/unit_run.hpp"

namespace bloometry {

/// Returns the indices of the points of a unit that an auto run repeats. The result depends only on
/// the unit. On average it has one in two hundred of the points; the hash of the unit's id decides
/// the rounding. If `at_least_one`, it has at least one. For each of them, three points are drawn
/// with that hash and the cheapest is selected. This limits the cost to a few percent, and every
/// point may be drawn.
[[nodiscard]] std::vector<std::size_t> sampled_points(const Unit& unit, bool at_least_one);

/// Repeats the sampled points with the naive engine, which uses a new filter per point and hashes
/// keys again, and compares all columns.
/// @throws EngineMismatch naming unit, point and every column that differs.
void check_sample(UnitRun& run, std::span<const TrialRow> rows);

/// Compares two rows. @throws EngineMismatch if they differ.
void require_equal(const TrialRow& row, const TrialRow& repeated);

}  // namespace bloometry
