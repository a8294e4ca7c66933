#pragma once

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "experiments/output/run_folder.hpp"
#include "experiments/plan/config.hpp"
#include "experiments/trial/run_unit.hpp"

namespace bloometry {

/// Options of a run. Only other_rows affects the results in the folder.
struct SweepOptions {
  std::filesystem::path folder;
  unsigned num_threads = 0;  ///< maximum number of threads; 0 for the number of usable CPUs
  Engine engine = Engine::kAuto;
  std::uint64_t max_memory_bytes = 0;  ///< memory of the whole run; 0 for the default
  /// Other run folders (runs_beside), from which the sweep copies finished units instead of
  /// measuring the units again.
  std::vector<std::filesystem::path> earlier_runs{};
  PlanObserver observe_planning{};
  OtherRows other_rows = OtherRows::kRefuse;
};

/// Progress of a run. The sweep reports the progress several times per second.
struct SweepProgress {
  std::uint64_t num_units = 0;           ///< number of units in the config
  std::uint64_t num_found_finished = 0;  ///< finished units in the folder, including copied units
  std::uint64_t num_reused = 0;          ///< finished units that were copied from other runs
  std::uint64_t num_left_out = 0;        ///< units in the folder that are not in the config
  std::uint64_t num_finished = 0;        ///< units that this run finished
  std::uint64_t num_operations = 0;      ///< number of key operations done by this run
  std::uint64_t work = 0;                ///< completed work, weighted as in unit_work.hpp
  std::uint64_t work_planned = 0;        ///< planned work, or 0 if the planned work is unknown
  std::uint64_t num_operations_planned = 0;
  unsigned num_threads = 0;  ///< number of threads that fit in memory, up to the requested number
  double elapsed_s = 0;
};

/// Outcome of a run.
struct SweepOutcome {
  std::filesystem::path folder;
  SweepProgress progress{};
  std::uint64_t num_rows = 0;  ///< number of rows in trials.csv, or 0 if the run was interrupted
  bool was_interrupted = false;
};

/// Runs all units of a config that are not yet finished in the folder, then writes trials.csv and
/// timings.csv. The function stores each finished unit at once, so that the unit survives any later
/// failure. Before it writes a file, the function rejects a new run that does not fit in memory.
///
/// @param interrupted flag that another thread or a signal handler may set. If the flag is set, the
/// sweep drops running units and keeps finished units.
/// @param observe function that the calling thread calls about five times per second
/// @throws ConfigError or IoError as RunFolder, read_parts(), plan_memory() and run_unit() do
/// @throws IoError naming the unit and its bytes if memory runs out
/// @throws EngineMismatch as run_unit() does
[[nodiscard]] SweepOutcome run_sweep(const Config& config, const SweepOptions& options,
                                     const std::atomic<bool>& interrupted,
                                     const std::function<void(const SweepProgress&)>& observe);

/// Returns num_threads, or the number of usable CPUs if num_threads is 0.
[[nodiscard]] unsigned num_threads_or_cores(unsigned num_threads);

/// Returns the path results/<name>/<run_id> of the run folder.
[[nodiscard]] std::filesystem::path default_run_folder(const Config& config);

}  // namespace bloometry
