#pragma once

#include <filesystem>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "experiments/plan/unit.hpp"
#include "experiments/trial/run_unit.hpp"

namespace bloometry {

/// The part files of a run folder, sorted by name.
/// @throws ConfigError if it is not a folder; IoError if it cannot be listed.
[[nodiscard]] std::vector<std::filesystem::path> list_parts(const std::filesystem::path& parts);

/// Finished units by id.
using FinishedUnits = std::map<std::string, UnitResult>;

/// Reads all part files. What follows the last LF of a file is torn and ignored; a unit found twice
/// with equal rows is one, whatever its timings.
/// @throws ConfigError naming file and line if a line is no unit, if a unit is none of `units` or
/// its rows are not its points, or if it comes twice with different rows; IoError if a file cannot
/// be read.
[[nodiscard]] FinishedUnits read_parts(const std::filesystem::path& parts,
                                       std::span<const Unit> units);

}  // namespace bloometry
