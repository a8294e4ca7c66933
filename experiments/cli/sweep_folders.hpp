#pragma once

#include <filesystem>
#include <vector>

#include "experiments/cli/commands.hpp"
#include "experiments/plan/config.hpp"

namespace bloometry {

/// Returns the folder of the sweep. @throws ConfigError if --out is empty.
[[nodiscard]] std::filesystem::path run_folder_of(const SweepRunOptions& options,
                                                  const Config& config);

/// Returns the other runs whose finished units are copied: those of the same name below results/.
/// Returns an empty list if --out, --fresh or --engine was given. A run with an explicit engine
/// must measure every unit itself.
[[nodiscard]] std::vector<std::filesystem::path> earlier_runs(const SweepRunOptions& options,
                                                              const Config& config);

}  // namespace bloometry
