#pragma once

#include <cstdint>
#include <filesystem>
#include <vector>

namespace bloometry {

/// The state of a run, as its manifest records it.
struct ListedRun {
  std::filesystem::path folder;
  bool has_parts = true;  ///< false for a copy that contains only the tables of the run
  bool is_complete = false;
  std::uint64_t num_finished_units = 0;
  std::uint64_t num_rows = 0;
};

/// Returns the runs in a folder and in its subfolders, sorted by path. Such a folder is results/ or
/// the folder of one sweep. A run whose manifest cannot be read counts as incomplete. The result is
/// empty if the folder does not exist.
[[nodiscard]] std::vector<ListedRun> runs_below(const std::filesystem::path& folder);

}  // namespace bloometry
