#pragma once

#include <cstdint>
#include <string>

#include "experiments/unit/unit.hpp"

namespace bloometry {

/// Version of the rows. It must increase if a change of keys, hashes, probes or counting changes
/// the rows of a unit. Run folders of another version are refused.
inline constexpr std::uint64_t kRowsVersion = 1;

/// Returns the id of a unit: the XXH3-128 of unit_text. Tests freeze ids, because after a change
/// the existing run folders cannot be used.
[[nodiscard]] std::string unit_id(const Unit& unit);

/// Returns everything on which a unit's rows depend, with one `name=value` per line. Texts are JSON
/// strings. For a key file it contains the configured name and the content, but not the folder.
[[nodiscard]] std::string unit_text(const Unit& unit);

/// Returns unit_text without the points. Grids that overlap have this part in common.
[[nodiscard]] std::string unit_text_without_points(const Unit& unit);

}  // namespace bloometry
