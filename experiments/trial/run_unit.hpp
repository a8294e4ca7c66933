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

class DigestStore;  // experiments/workload/digest_store.hpp
class PagePool;     // experiments/trial/page_pool.hpp

/// auto: first-set words where they serve, else the real class with n checkpoints. direct: the real
/// class for every k. naive: a new filter per point with single-key calls, the baseline that
/// speed-ups are stated against. All give the same rows.
enum class Engine { kAuto, kDirect, kNaive };

/// What is shared by the units of a run and outlives them.
struct TrialContext {
  Engine engine = Engine::kAuto;
  DigestStore* digests = nullptr;
  const std::atomic<bool>* cancelled = nullptr;          ///< set: stop soon, the unit is dropped
  std::atomic<std::uint64_t>* num_operations = nullptr;  ///< progress: key operations done so far
  std::atomic<std::uint64_t>* work = nullptr;            ///< the same, weighted (unit_work.hpp)
  /// Ids of units that get at least one sample check under auto: always_checked_units of the run.
  const std::set<std::string>* always_checked = nullptr;
  PagePool* pages = nullptr;  ///< tables that units hand on; left out: fresh memory, slower
};

/// An engine disagreed with the direct repetition of a point: a fault of the program, never of the
/// data.
class EngineMismatch : public std::logic_error {
  using std::logic_error::logic_error;
};

/// Runs one unit. Deterministic: the rows depend on the unit alone. Absent if cancelled.
/// @throws EngineMismatch if the sample check fails; ConfigError and IoError as the filter and the
/// digest store do.
[[nodiscard]] std::optional<UnitResult> run_unit(const Unit& unit, const TrialContext& context);

/// Key operations that a unit will take with an engine. Sample checks are left out.
[[nodiscard]] std::uint64_t count_operations(const Unit& unit, Engine engine);

/// Bytes that a unit needs at its peak, shared digests and small buffers left out.
struct UnitBytes {
  std::uint64_t table = 0;   ///< first-set words; the PagePool keeps them for the next unit
  std::uint64_t filter = 0;  ///< the real class, the sample check's too, and what a life keeps

  [[nodiscard]] std::uint64_t total() const noexcept { return table + filter; }
};

[[nodiscard]] UnitBytes unit_bytes(const Unit& unit, Engine engine);

/// The first unit of each (variant, probes): an auto run checks at least one point of each of
/// these.
[[nodiscard]] std::set<std::string> always_checked_units(std::span<const Unit> units);

}  // namespace bloometry
