#pragma once

#include <cstdint>
#include <span>

#include "experiments/trial/run_unit.hpp"
#include "experiments/unit/unit.hpp"

namespace bloometry {

/// The memory that a run may use, and the origin of this limit for error messages.
struct MemoryBudget {
  std::uint64_t bytes = 0;
  bool is_default = false;       ///< whether the user did not give a limit
  std::uint64_t most_bytes = 0;  ///< maximum to which a default budget can be raised
};

/// Returns the budget for the given limit. The default is the smaller of 2 GiB and three quarters
/// of the machine's memory. With the default, a run leaves most memory of a large machine free,
/// unless one unit needs more.
/// @param requested_bytes limit in bytes; 0 selects the default
[[nodiscard]] MemoryBudget memory_budget(std::uint64_t requested_bytes);

/// A plan that keeps a run within its memory budget: the number of units that run at a time, and
/// the memory for digests.
///
/// The plan is sufficient for any units that run at the same time. For k units at a time, the plan
/// counts the k largest tables, the k largest filters and the k largest lists of member digests.
/// The plan includes neither the memory of the program itself (about 20 MB) nor the rows of the
/// tables that are written at the end of the run.
struct MemoryPlan {
  unsigned num_threads = 0;            ///< number of threads: as requested, or the most that fit
  std::uint64_t key_file_bytes = 0;    ///< bytes of key files, which stay in memory
  std::uint64_t unit_bytes = 0;        ///< bytes of tables, filters and buffers of all threads
  std::uint64_t member_bytes = 0;      ///< bytes of member digests of all threads; always stored
  std::uint64_t max_digest_bytes = 0;  ///< maximum size of the DigestStore, including members
  std::uint64_t digest_bytes = 0;      ///< bytes in the DigestStore: all lists if they fit
  std::uint64_t full_bytes = 0;        ///< bytes that all requested threads and all lists need

  [[nodiscard]] std::uint64_t peak_bytes() const noexcept {
    return key_file_bytes + unit_bytes + digest_bytes;
  }
};

/// Returns the memory plan of a run. The function raises a default budget to the need of one unit
/// at a time, up to three quarters of the machine's memory.
/// @param num_threads maximum number of units at a time; at least 1
/// @throws ConfigError naming max_memory and the smallest sufficient value if the budget is too
/// small for one unit at a time
/// @throws ConfigError if a unit needs more memory than the machine has
[[nodiscard]] MemoryPlan plan_memory(std::span<const Unit> units, Engine engine,
                                     unsigned num_threads, const MemoryBudget& budget);

}  // namespace bloometry
