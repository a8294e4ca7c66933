#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "experiments/trial/unit_run.hpp"

namespace bloometry {

/// Numbers of the points of a unit that an auto run repeats. A pure function of the unit: one in
/// two hundred of its points, rounded up or down by the hash of its id so that it is that many on
/// average, and at least one if `at_least_one`. Each is the cheapest of three drawn from that hash,
/// which holds the cost to a few percent; every point may be drawn.
[[nodiscard]] std::vector<std::size_t> sampled_points(const Unit& unit, bool at_least_one);

/// Repeats the sample with a new filter per point and keys hashed anew (the naive engine) and
/// compares all columns.
/// @throws EngineMismatch naming unit, point and every column that differs.
void check_sample(UnitRun& run, std::span<const TrialRow> rows);

/// @throws EngineMismatch if the rows differ.
void require_equal(const TrialRow& row, const TrialRow& repeated);

}  // namespace bloometry
