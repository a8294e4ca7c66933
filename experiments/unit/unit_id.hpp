#pragma once

#include <cstdint>
#include <string>

#include "experiments/unit/unit.hpp"

namespace bloometry {

/// Version of the rows. It increases when a change of keys, hashes, probes or counting gives the
/// same unit other rows. Run folders of another version are refused.
inline constexpr std::uint64_t kRowsVersion = 1;

/// Returns the id of a unit: XXH3-128 of unit_text. Tests freeze it, because a change orphans every
/// run folder.
[[nodiscard]] std::string unit_id(const Unit& unit);

/// Returns everything that a unit's rows depend on, one `name=value` per line; texts as JSON
/// strings. For a file it contains the name as configured and the content, not the folder.
[[nodiscard]] std::string unit_text(const Unit& unit);

/// Returns unit_text without the points: the common part of grids that overlap.
[[nodiscard]] std::string unit_text_without_points(const Unit& unit);

}  // namespace bloometry
