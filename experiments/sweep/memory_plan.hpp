#pragma once

#include <cstdint>
#include <span>

#include "experiments/trial/run_unit.hpp"
#include "experiments/unit/unit.hpp"

namespace bloometry {

/// The memory that a run may use, and the origin of the limit, which an error message names.
struct MemoryBudget {
  std::uint64_t bytes = 0;
  bool is_default = false;       ///< no limit was given
  std::uint64_t most_bytes = 0;  ///< limit of a default, which grows to what one unit needs
};

/// Returns the budget for the given limit. The default is 2 GiB, or three quarters of the machine's
/// memory if that is less. A run then leaves most of a shared machine free, unless one unit needs
/// more.
/// @param requested_bytes limit in bytes; 0 selects the default.
[[nodiscard]] MemoryBudget memory_budget(std::uint64_t requested_bytes);

/// How a run stays within its memory: the number of units that run at a time, and the bytes left
/// for digests.
///
/// The plan holds for any combination of units. It counts the largest tables, filters and lists of
/// member digests once per unit that runs at a time. The program itself (about 20 MB) and the rows
/// at the end are not included.
struct MemoryPlan {
  unsigned num_threads = 0;            ///< as requested, or as many as fit
  std::uint64_t key_file_bytes = 0;    ///< key files, which stay in memory
  std::uint64_t unit_bytes = 0;        ///< tables, filters and buffers of that many units
  std::uint64_t member_bytes = 0;      ///< member digests of that many units: always kept
  std::uint64_t max_digest_bytes = 0;  ///< limit of the DigestStore, members included
  std::uint64_t digest_bytes = 0;      ///< use of the DigestStore: all lists, if they fit
  std::uint64_t full_bytes = 0;        ///< enough for all requested threads and all lists

  [[nodiscard]] std::uint64_t peak_bytes() const noexcept {
    return key_file_bytes + unit_bytes + digest_bytes;
  }
};

/// Returns the plan. A default budget grows to what one unit at a time needs, up to three quarters
/// of the machine's memory.
/// @param num_threads maximum number of units at a time; at least 1.
/// @throws ConfigError naming --memory and the least sufficient value if one unit at a time does
/// not fit the budget. Also throws ConfigError if a unit needs more memory than the machine has.
[[nodiscard]] MemoryPlan plan_memory(std::span<const Unit> units, Engine engine,
                                     unsigned num_threads, const MemoryBudget& budget);

}  // namespace bloometry
