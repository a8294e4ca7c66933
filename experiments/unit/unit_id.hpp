#pragma once

#include <cstdint>
#include <string>

#include "experiments/unit/unit.hpp"

namespace bloometry {

/// Version of the rows. The version must increase if a change of keys, hashes, probes or counting
/// changes the rows of a unit. The program rejects run folders of another version.
inline constexpr std::uint64_t kRowsVersion = 1;

/// Returns the id of a unit: the XXH3-128 of unit_text(). Tests compare ids with fixed values,
/// because a change of ids makes existing run folders unusable.
[[nodiscard]] std::string unit_id(const Unit& unit);

/// Returns all values on which a unit's rows depend, with one `name=value` per line. The value of a
/// string is written as a JSON string. For a key file, the result contains the configured name and
/// the hash of the content, but not the folder.
[[nodiscard]] std::string unit_text(const Unit& unit);

/// Returns unit_text() without the points. The result is equal for units of overlapping grids that
/// differ only in their points.
[[nodiscard]] std::string unit_text_without_points(const Unit& unit);

}  // namespace bloometry
