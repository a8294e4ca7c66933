#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "experiments/output/units_of_rows.hpp"
#include "experiments/unit/unit.hpp"
#include "experiments/unit/unit_result.hpp"

namespace bloometry {

/// Returns the part files of a run folder, sorted by name.
/// @throws ConfigError if `parts` is not a folder; IoError if `parts` cannot be listed
[[nodiscard]] std::vector<std::filesystem::path> list_parts(const std::filesystem::path& parts);

/// A map from unit ids to finished units.
using FinishedUnits = std::map<std::string, UnitResult>;

/// A line of a part that the reader ignores.
struct DamagedLine {
  std::filesystem::path part{};
  std::uint64_t number = 0;  ///< line number, from 1
  std::string unit{};        ///< id of the unit of the config that the line names; empty if unknown
  std::string why{};
  bool is_torn = false;  ///< whether the line follows the last LF, after an interrupted write
};

/// The content_hash of each part, by file name.
using PartHashes = std::map<std::string, std::string>;

/// The contents of the parts of a folder.
struct PartContents {
  FinishedUnits finished{};
  std::vector<DamagedLine> damaged{};  ///< sorted by part and number
  PartHashes hashes{};
  std::vector<UnitsOfRows::Found> found{};  ///< units of finished lines that the plan lacks
};

/// Parts and units that the reader ignores.
struct LeftOut {
  /// File names of parts whose lines all count as damaged.
  std::set<std::string> distrusted{};
  /// Ids of units of the folder's earlier configs; the lines of these units are not damaged.
  std::set<std::string> retired{};
};

/// Reads all part files. A line counts as damaged if it cannot be parsed as a unit, or if its unit
/// is neither in `units` nor found by `others`. It also does if its rows do not match the points of
/// the unit, or its checksum is wrong. If two lines of a unit have different rows, all lines of
/// that unit are damaged, because it is unknown which line is right. Lines with equal rows count
/// once, even if their timings differ. Bytes after the last LF of a file count as a damaged and
/// torn line.
/// @throws ConfigError if a part is not a regular file; IoError if a part cannot be read
[[nodiscard]] PartContents scan_parts(const std::filesystem::path& parts,
                                      std::span<const Unit> units, const LeftOut& left_out = {},
                                      UnitsOfRows* others = nullptr);

/// Checks that all damaged lines are torn.
/// @throws ConfigError naming file and line of the first damaged line that is not torn, and the
/// command that repairs the file
void require_undamaged(std::span<const DamagedLine> damaged);

/// Reads all part files with scan_parts() and checks the damaged lines with require_undamaged().
/// @throws ConfigError or IoError as scan_parts() and require_undamaged() do
[[nodiscard]] PartContents read_parts(const std::filesystem::path& parts,
                                      std::span<const Unit> units, const LeftOut& left_out = {});

}  // namespace bloometry
