#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "experiments/output/part_reader.hpp"
#include "experiments/unit/unit.hpp"

namespace bloometry {

/// The findings and the changes of one repair.
struct Repair {
  std::vector<DamagedLine> dropped{};            ///< sorted by part and number
  std::vector<std::filesystem::path> kept_in{};  ///< new files with the dropped bytes
  std::vector<std::string> missing{};            ///< parts that have a hash but no file
  std::vector<Unit> lost{};  ///< units that dropped lines name and that are in no other line
  std::uint64_t num_units = 0;
  std::uint64_t num_finished_units = 0;  ///< after the repair

  [[nodiscard]] bool found_nothing() const noexcept { return dropped.empty() && missing.empty(); }
};

/// Drops the damaged lines of the parts of a run folder, so that its run can be resumed. All lines
/// of a part are dropped if it differs from its hash but none of its lines is damaged, because it
/// cannot be known which of them was changed. The dropped lines of parts/000001.jsonl are kept in
/// parts/000001.jsonl.damaged, or .damaged.2 and so on if there is one already.
///
/// A repair that is killed can be repeated: what it drops is copied first, then the manifest is
/// written, then the parts are replaced one by one.
/// @throws ConfigError if the folder does not hold a run, its config or manifest is damaged, or it
/// is in use; IoError if a file cannot be read or written.
[[nodiscard]] Repair repair_run(const std::filesystem::path& folder);

}  // namespace bloometry
