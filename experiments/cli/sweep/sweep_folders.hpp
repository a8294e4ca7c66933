#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "experiments/cli/sweep/sweep_options.hpp"
#include "experiments/plan/config.hpp"

namespace bloometry {

/// Returns the run folder of the sweep. Throws ConfigError if --out is empty.
[[nodiscard]] std::filesystem::path run_folder_of(const SweepRunOptions& options,
                                                  const Config& config);

/// Checks that a folder is not a folder of runs, such as results/ or the folder of one sweep. A
/// path that does not exist may be the name of a sweep, whose runs are in results/<name>.
/// @param command the command that reads one run, such as `sweep status`
/// @throws ConfigError with the runs in the folder, their states and the command for each of them
void require_no_folder_of_runs(const std::filesystem::path& folder, std::string_view command);

/// Returns a sentence with the command that resumes an unfinished run.
[[nodiscard]] std::string resume_text(const std::filesystem::path& folder, const Config& config);

/// Prints the notes about the config's key files, such as a removed byte order mark, on standard
/// error.
void print_key_notes(const Config& config);

/// Returns the folders of earlier runs whose finished units are copied. An earlier run has the name
/// of the sweep and is below results/. The list is empty if --out, --fresh or --engine was given. A
/// run with an explicit engine must measure every unit itself.
[[nodiscard]] std::vector<std::filesystem::path> earlier_runs(const SweepRunOptions& options,
                                                              const Config& config);

}  // namespace bloometry
