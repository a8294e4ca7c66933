#pragma once

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "experiments/plan/config.hpp"
#include "experiments/trial/run_unit.hpp"

namespace bloometry {

/// Options of a run. They do not affect its results.
struct SweepOptions {
  std::filesystem::path folder;
  unsigned num_threads = 0;  ///< maximum number; 0: the number of usable CPUs
  Engine engine = Engine::kAuto;
  std::uint64_t memory_bytes = 0;  ///< memory of the whole run; 0: the default of memory_budget()
  /// Other run folders (runs_beside). Their finished units are copied instead of measured again.
  std::vector<std::filesystem::path> earlier_runs{};
  PlanObserver observe_planning{};
};

/// Progress of a run, reported several times per second.
struct SweepProgress {
  std::uint64_t num_units = 0;           ///< number of units in the config
  std::uint64_t num_found_finished = 0;  ///< finished units in the folder, including copied ones
  std::uint64_t num_reused = 0;          ///< finished units that were copied from other runs
  std::uint64_t num_left_out = 0;        ///< units in the folder that are not in the config
  std::uint64_t num_finished = 0;        ///< units that this run finished
  std::uint64_t num_operations = 0;      ///< number of key operations done by this run
  std::uint64_t work = 0;                ///< operations and checks, weighted (unit_work.hpp)
  std::uint64_t work_planned = 0;        ///< 0 if unknown; then only num_operations shows progress
  std::uint64_t num_operations_planned = 0;
  unsigned num_threads = 0;  ///< the requested number, or as many as fit in memory
  double elapsed_s = 0;
};

/// Outcome of a run.
struct SweepOutcome {
  std::filesystem::path folder;
  SweepProgress progress{};
  std::uint64_t num_rows = 0;  ///< rows in trials.csv; 0 if the run was interrupted
  bool was_interrupted = false;
};

/// Runs all units of a config that are not yet finished in the folder, then writes trials.csv and
/// timings.csv. A finished unit is stored at once and survives any later failure. A run that does
/// not fit in memory is refused before anything is written.
///
/// @param interrupted may be set by another thread or a signal handler. Running units are then
/// dropped, and finished units are kept.
/// @param observe is called by the calling thread about five times per second.
/// @throws ConfigError, IoError as RunFolder, read_parts, plan_memory and run_unit do. Throws
/// IoError naming the unit and its bytes if memory runs out, and EngineMismatch as run_unit does.
[[nodiscard]] SweepOutcome run_sweep(const Config& config, const SweepOptions& options,
                                     const std::atomic<bool>& interrupted,
                                     const std::function<void(const SweepProgress&)>& observe);

/// Returns num_threads, or the number of usable CPUs if num_threads is 0.
[[nodiscard]] unsigned num_threads_or_cores(unsigned num_threads);

/// Returns results/<name>/<run_id>.
[[nodiscard]] std::filesystem::path default_run_folder(const Config& config);

}  // namespace bloometry
