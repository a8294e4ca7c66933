#pragma once

#include <cstdint>
#include <filesystem>
#include <set>
#include <string>
#include <vector>

#include "experiments/output/part_reader.hpp"
#include "experiments/plan/config.hpp"

namespace bloometry {

/// Finished units of one earlier run.
struct EarlierUnits {
  std::string run{};  ///< name of the run's folder
  std::vector<UnitResult> results{};
};

/// Returns the other run folders in the parent folder of `folder`. The run folder with the newest
/// config is first. Returns an empty list if the parent folder does not exist.
[[nodiscard]] std::vector<std::filesystem::path> runs_beside(const std::filesystem::path& folder);

/// Returns the finished units that earlier runs of the same name and seed have in common with a
/// config. Common units have equal rows, because a unit's id is a hash of everything that its rows
/// depend on. The function skips runs that are damaged, changed or of another rows_version.
/// @param wanted ids of units; each unit is found at most once.
[[nodiscard]] std::vector<EarlierUnits> find_earlier_units(
    const std::vector<std::filesystem::path>& runs, const Config& config,
    std::set<std::string> wanted);

[[nodiscard]] std::uint64_t count_units(const std::vector<EarlierUnits>& earlier) noexcept;

}  // namespace bloometry
