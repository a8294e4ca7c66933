#pragma once

#include <atomic>
#include <cstdint>
#include <optional>
#include <set>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "experiments/unit/unit.hpp"
#include "experiments/unit/unit_result.hpp"

namespace bloometry {

class DigestStore;  // defined in experiments/workload/digest_store.hpp
class BufferPool;   // defined in experiments/trial/buffer_pool.hpp

/// The engine that measures a unit. All engines return the same rows.
enum class Engine {
  kAuto,    ///< the checkpoint index where possible, otherwise the same as kDirect
  kDirect,  ///< one filter of the real class per k, queried at every checkpoint
  kNaive    ///< a new filter per point with single-key calls, the baseline for speed-ups
};

/// Pointers to objects that the units of a run share. The objects must outlive the units.
struct TrialContext {
  Engine engine = Engine::kAuto;
  DigestStore* digests = nullptr;
  const std::atomic<bool>* cancelled = nullptr;          ///< if true, the engine drops the unit
  std::atomic<std::uint64_t>* num_operations = nullptr;  ///< number of completed key operations
  std::atomic<std::uint64_t>* work = nullptr;            ///< completed work (unit_work.hpp)
  /// Ids of units of which an auto run checks at least one point: always_checked_units() of the
  /// run.
  const std::set<std::string>* always_checked = nullptr;
  BufferPool* buffers = nullptr;  ///< memory that units reuse; null is valid, but slower
};

/// The error that is thrown if the row of an engine differs from the naive engine's row of the same
/// point. An EngineMismatch is always an error of the program, never of the data.
class EngineMismatch : public std::logic_error {
  using std::logic_error::logic_error;
};

/// Runs one unit. Returns nullopt if the run was cancelled. The rows depend only on the unit.
/// @throws EngineMismatch if the sample check fails; ConfigError or IoError as the filter and the
/// digest store do
[[nodiscard]] std::optional<UnitResult> run_unit(const Unit& unit, const TrialContext& context);

/// Returns the number of key operations that an engine needs for a unit, without sample checks.
[[nodiscard]] std::uint64_t count_operations(const Unit& unit, Engine engine);

/// Peak memory of a unit in bytes, without shared digests and small buffers.
struct UnitBytes {
  std::uint64_t table = 0;  ///< the checkpoint index, which stays in the BufferPool
  /// The real class (also for the sample check), both tables while one doubles, and the state of
  /// churn or of a window.
  std::uint64_t filter = 0;

  [[nodiscard]] std::uint64_t total() const noexcept { return table + filter; }
};

[[nodiscard]] UnitBytes unit_bytes(const Unit& unit, Engine engine);

/// Returns the ids of the first unit of each (variant, probes). An auto run checks at least one
/// point of each unit in the result.
[[nodiscard]] std::set<std::string> always_checked_units(std::span<const Unit> units);

}  // namespace bloometry
