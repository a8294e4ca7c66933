#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "experiments/trial/unit_run.hpp"

namespace bloometry {

/// Returns the indices of the points of a unit that an auto run repeats: a pure function of the
/// unit. On average it selects one in two hundred of the points; the hash of the unit's id decides
/// the rounding. It selects at least one if `at_least_one`. Each is the cheapest of three drawn
/// from that hash, which limits the cost to a few percent; every point may be drawn.
[[nodiscard]] std::vector<std::size_t> sampled_points(const Unit& unit, bool at_least_one);

/// Repeats the sample with a new filter per point and keys hashed again (the naive engine), and
/// compares all columns.
/// @throws EngineMismatch naming unit, point and every column that differs.
void check_sample(UnitRun& run, std::span<const TrialRow> rows);

/// Compares two rows. @throws EngineMismatch if they differ.
void require_equal(const TrialRow& row, const TrialRow& repeated);

}  // namespace bloometry
