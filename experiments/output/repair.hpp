#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "experiments/output/part_reader.hpp"
#include "experiments/unit/unit.hpp"

namespace bloometry {

/// The damage that a repair has found, and the changes that it has made.
struct Repair {
  std::vector<DamagedLine> dropped{};            ///< sorted by part and number
  std::vector<std::filesystem::path> kept_in{};  ///< new files that contain the dropped bytes
  /// Names of parts that have a hash, but do not exist or are empty.
  std::vector<std::string> missing{};
  std::vector<Unit> lost{};  ///< units of dropped lines that no other line contains
  std::uint64_t num_units = 0;
  std::uint64_t num_finished_units = 0;  ///< number of finished units after the repair

  [[nodiscard]] bool found_nothing() const noexcept { return dropped.empty() && missing.empty(); }
};

/// Drops the damaged lines of the parts of a run folder, so that the run can be resumed. If a part
/// without damaged lines is changed or suspect (FileState), all lines of the part are dropped,
/// because the changed line is unknown. The dropped lines of parts/000001.jsonl are stored in
/// parts/000001.jsonl.damaged, or in .damaged.2 and so on if that file exists.
///
/// If a repair is killed, a new repair can complete the work. A repair first copies the lines to
/// drop, then writes the manifest, then replaces the parts one by one.
/// @throws ConfigError if the folder does not contain a run, is in use, or has a damaged config or
/// manifest
/// @throws IoError if a file cannot be read or written
[[nodiscard]] Repair repair_run(const std::filesystem::path& folder);

}  // namespace bloometry
