#pragma once

#include <atomic>
#include <cstdint>
#include <optional>
#include <set>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "experiments/rows/unit_result.hpp"
#include "experiments/unit/unit.hpp"

namespace bloometry {

class DigestStore;  // defined in experiments/workload/digest_store.hpp
class BufferPool;   // defined in experiments/trial/buffer_pool.hpp

/// - auto: the checkpoint index where possible, otherwise the real class with n checkpoints.
/// - direct: the real class for every k.
/// - naive: a new filter per point with single-key calls, the baseline for speed-ups.
///
/// All engines give the same rows.
enum class Engine { kAuto, kDirect, kNaive };

/// Objects that the units of a run share. They must outlive the units.
struct TrialContext {
  Engine engine = Engine::kAuto;
  DigestStore* digests = nullptr;
  const std::atomic<bool>* cancelled = nullptr;          ///< true: stop soon and drop the unit
  std::atomic<std::uint64_t>* num_operations = nullptr;  ///< number of key operations done
  std::atomic<std::uint64_t>* work = nullptr;  ///< key operations done, weighted (unit_work.hpp)
  /// Ids of units that auto checks with at least one point: always_checked_units of the run.
  const std::set<std::string>* always_checked = nullptr;
  BufferPool* buffers = nullptr;  ///< tables that units reuse; null: new memory, slower
};

/// Reports that an engine disagrees with the direct repetition of a point. This is always an error
/// of the program, never of the data.
class EngineMismatch : public std::logic_error {
  using std::logic_error::logic_error;
};

/// Runs one unit. Returns nullopt if it was cancelled. The rows depend only on the unit.
/// @throws EngineMismatch if the sample check fails; ConfigError and IoError as the filter and the
/// digest store do.
[[nodiscard]] std::optional<UnitResult> run_unit(const Unit& unit, const TrialContext& context);

/// Returns the number of key operations that an engine needs for a unit, without sample checks.
[[nodiscard]] std::uint64_t count_operations(const Unit& unit, Engine engine);

/// Peak memory of a unit in bytes, without shared digests and small buffers.
struct UnitBytes {
  std::uint64_t table = 0;   ///< the checkpoint index, kept in the BufferPool for later units
  std::uint64_t filter = 0;  ///< the real class, in the sample check too, and the state of churn

  [[nodiscard]] std::uint64_t total() const noexcept { return table + filter; }
};

[[nodiscard]] UnitBytes unit_bytes(const Unit& unit, Engine engine);

/// Returns the first unit of each (variant, probes). An auto run checks at least one point of each
/// of these.
[[nodiscard]] std::set<std::string> always_checked_units(std::span<const Unit> units);

}  // namespace bloometry
