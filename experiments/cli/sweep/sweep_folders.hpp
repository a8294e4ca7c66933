#pragma once

#include <filesystem>
#include <vector>

#include "experiments/cli/sweep/sweep_options.hpp"
#include "experiments/plan/config.hpp"

namespace bloometry {

/// Returns the run folder of the sweep. Throws ConfigError if --out is empty.
[[nodiscard]] std::filesystem::path run_folder_of(const SweepRunOptions& options,
                                                  const Config& config);

/// Prints the notes about the config's key files, such as a removed byte order mark, on standard
/// error.
void print_key_notes(const Config& config);

/// Returns the folders of earlier runs whose finished units are copied. An earlier run has the name
/// of the sweep and is below results/. The list is empty if --out, --fresh or --engine was given. A
/// run with an explicit engine must measure every unit itself.
[[nodiscard]] std::vector<std::filesystem::path> earlier_runs(const SweepRunOptions& options,
                                                              const Config& config);

}  // namespace bloometry
