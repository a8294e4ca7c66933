#pragma once

#include <filesystem>
#include <vector>

#include "experiments/cli/commands.hpp"
#include "experiments/plan/config.hpp"

namespace bloometry {

/// Where the sweep is written. @throws ConfigError if --out is empty.
[[nodiscard]] std::filesystem::path run_folder_of(const SweepRunOptions& options,
                                                  const Config& config);

/// The other runs whose finished units are copied: those of the same name below results/, unless
/// --out, --fresh or --engine was given. An engine that is asked for is asked to measure.
[[nodiscard]] std::vector<std::filesystem::path> earlier_runs(const SweepRunOptions& options,
                                                              const Config& config);

}  // namespace bloometry
