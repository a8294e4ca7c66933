#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "experiments/output/unit_lookup.hpp"
#include "experiments/rows/unit_result.hpp"
#include "experiments/unit/unit.hpp"

namespace bloometry {

/// The part files of a run folder, sorted by name.
/// @throws ConfigError if it is not a folder; IoError if it cannot be listed.
[[nodiscard]] std::vector<std::filesystem::path> list_parts(const std::filesystem::path& parts);

/// Finished units by id.
using FinishedUnits = std::map<std::string, UnitResult>;

/// A line of a part that is not used.
struct DamagedLine {
  std::filesystem::path part{};
  std::uint64_t number = 0;  ///< from 1
  std::string unit{};        ///< the unit of the config that the line names; empty if it names none
  std::string why{};
  bool is_torn = false;  ///< what follows the last LF: a write that was interrupted
};

/// content_hash of each part, by its file name.
using PartHashes = std::map<std::string, std::string>;

/// The contents of the parts of a folder.
struct PartContents {
  FinishedUnits finished{};
  std::vector<DamagedLine> damaged{};  ///< sorted by part and number
  PartHashes hashes{};
};

/// What of a folder's parts is left out.
struct LeftOut {
  std::set<std::string> distrusted{};  ///< file names of parts whose lines are damaged, however
                                       ///< they look
  std::set<std::string> retired{};     ///< ids of units that an earlier config of the folder asked
                                       ///< for: no line of theirs is damaged for not being asked
};

/// Reads all part files. A line is damaged if it is not a unit, if its unit is not one of `units`
/// or its rows are not its points, and if its unit comes twice with different rows: which of them
/// is right cannot be known, so all of them are damaged. A unit found twice with equal rows is one,
/// whatever its timings. What follows the last LF of a file is damaged too, and torn.
/// @throws ConfigError if a part is not a regular file; IoError if it cannot be read.
[[nodiscard]] PartContents scan_parts(const std::filesystem::path& parts, UnitLookup& units,
                                      const LeftOut& left_out = {});
[[nodiscard]] PartContents scan_parts(const std::filesystem::path& parts,
                                      std::span<const Unit> units, const LeftOut& left_out = {});

/// @throws ConfigError naming file and line of the first damaged line that is not torn, and the
/// command that repairs it.
void require_undamaged(std::span<const DamagedLine> damaged);

/// Reads all part files as scan_parts() does, but accepts torn lines only.
/// @throws ConfigError, IoError as scan_parts() and require_undamaged() do.
[[nodiscard]] PartContents read_parts(const std::filesystem::path& parts,
                                      std::span<const Unit> units, const LeftOut& left_out = {});

}  // namespace bloometry
