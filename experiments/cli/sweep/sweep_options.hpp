#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

#include "experiments/trial/run_unit.hpp"

namespace bloometry {

/// Options of `sweep run` and `sweep validate`.
struct SweepRunOptions {
  std::filesystem::path config;
  std::optional<std::filesystem::path> out;
  unsigned num_threads = 0;  ///< 0: the number of usable CPUs
  Engine engine = Engine::kAuto;
  std::uint64_t max_memory_bytes = 0;  ///< of the whole run; 0: the default of memory_budget()
  bool is_fresh = false;               ///< true if units of earlier runs must not be copied
  bool replaces = false;               ///< true if rows of another config may leave trials.csv
  bool json = false;
  std::string command{};  ///< the command line, as text for a shell
};

// exit_code.hpp states what every command returns and throws.
int sweep_run_command(const SweepRunOptions& options);
int sweep_validate_command(const SweepRunOptions& options, bool json);
int sweep_repair_command(const std::filesystem::path& folder, bool json);
int sweep_schema_command();
int sweep_status_command(const std::filesystem::path& folder, bool json);

}  // namespace bloometry
