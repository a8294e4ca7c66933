#pragma once

#include <cstdint>
#include <string>

#include "experiments/unit/unit.hpp"

namespace bloometry {

/// Raised when keys, hashes, probes or counting change, so that the same unit gives other rows: run
/// folders of another version are refused.
inline constexpr std::uint64_t kRowsVersion = 1;

/// The id of a unit: XXH3-128 of unit_text. Frozen by tests: a change orphans every run folder.
[[nodiscard]] std::string unit_id(const Unit& unit);

/// Everything that a unit's rows depend on, one `name=value` a line; texts as JSON strings. Not
/// whether a file's path is absolute, nor its folder: only its name as configured and its content.
[[nodiscard]] std::string unit_text(const Unit& unit);

/// unit_text without the points: what grids that overlap have in common.
[[nodiscard]] std::string unit_text_without_points(const Unit& unit);

}  // namespace bloometry
