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

/// How a config is run; what it measures does not depend on any of it.
struct SweepOptions {
  std::filesystem::path folder;
  unsigned num_threads = 0;  ///< at most; 0: as many as there are CPUs to run on
  Engine engine = Engine::kAuto;
  std::uint64_t memory_bytes = 0;  ///< for the whole run; 0: the default of memory_budget()
  /// Other run folders whose finished units are copied instead of measured anew (runs_beside).
  std::vector<std::filesystem::path> earlier_runs{};
  PlanObserver observe_planning{};
};

/// How far a run is: told several times a second.
struct SweepProgress {
  std::uint64_t num_units = 0;           ///< of the config
  std::uint64_t num_found_finished = 0;  ///< in the folder, and copied into it
  std::uint64_t num_reused = 0;          ///< of these, copied from other runs
  std::uint64_t num_left_out = 0;        ///< units of the folder that the config does not ask for
  std::uint64_t num_finished = 0;        ///< by this run
  std::uint64_t num_operations = 0;      ///< key operations done by this run
  std::uint64_t work = 0;                ///< these and the checks, weighted (unit_work.hpp)
  std::uint64_t work_planned = 0;        ///< 0: operations alone tell how far it is
  std::uint64_t num_operations_planned = 0;
  unsigned num_threads = 0;  ///< that run: those asked for, or as many as fit in memory
  double elapsed_s = 0;
};

/// What a run did.
struct SweepOutcome {
  std::filesystem::path folder;
  SweepProgress progress{};
  std::uint64_t num_rows = 0;  ///< in trials.csv; 0 if the run was interrupted
  bool was_interrupted = false;
};

/// Runs all units of a config that its folder does not hold yet, and writes trials.csv and
/// timings.csv when the last is there. Every finished unit is kept, whatever happens next.
///
/// @param interrupted set from outside: units that run are dropped, what is finished is kept.
/// @param observe called from the calling thread about five times a second.
/// @throws ConfigError, IoError as RunFolder, read_parts, plan_memory and run_unit do; IoError
/// naming the unit and its bytes if memory runs out; EngineMismatch. What cannot be run for want of
/// memory is refused before anything is written.
[[nodiscard]] SweepOutcome run_sweep(const Config& config, const SweepOptions& options,
                                     const std::atomic<bool>& interrupted,
                                     const std::function<void(const SweepProgress&)>& observe);

/// Threads that 0 stands for.
[[nodiscard]] unsigned num_threads_or_cores(unsigned num_threads);

/// results/<name>/<run_id>
[[nodiscard]] std::filesystem::path default_run_folder(const Config& config);

}  // namespace bloometry
