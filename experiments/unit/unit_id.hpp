#pragma once

#include <cstdint>
#include <string>

#include "experiments/unit/unit.hpp"

namespace bloometry {

/// Version of the rows. The version must increase if a change of keys, hashes, probes or counting
/// changes the rows of a unit. The program rejects run folders of another version.
inline constexpr std::uint64_t kRowsVersion = 1;

/// Returns the id of a unit: the XXH3-128 of unit_text(). Tests compare ids with fixed values,
/// because after a change of ids existing run folders cannot be used.
[[nodiscard]] std::string unit_id(const Unit& unit);

/// Returns all values on which a unit's rows depend, with one `name=value` per line. A value that
/// is a text is written as a JSON string. For a key file, the result contains the configured name
/// and the hash of the content, but not the folder.
[[nodiscard]] std::string unit_text(const Unit& unit);

/// Returns unit_text() without the points. Units of overlapping grids have the same text without
/// points.
[[nodiscard]] std::string unit_text_without_points(const Unit& unit);

}  // namespace bloometry
