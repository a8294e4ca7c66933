#pragma once

#include <cstdint>
#include <span>

#include "experiments/trial/run_unit.hpp"
#include "experiments/unit/unit.hpp"

namespace bloometry {

/// What a run may take, and who said so: it is part of what a refusal says.
struct MemoryBudget {
  std::uint64_t bytes = 0;
  bool is_default = false;       ///< nothing was asked for
  std::uint64_t most_bytes = 0;  ///< of a default, which gives way to what one unit needs
};

/// @param asked_bytes 0: the default, 2 GiB or three quarters of the machine's memory if that is
/// less: a run takes no more of a shared machine than it is given, unless one unit needs it.
[[nodiscard]] MemoryBudget memory_budget(std::uint64_t asked_bytes);

/// How a run keeps within its memory: how many units run at a time, and what is left for digests.
///
/// Whatever units come together, it holds: of tables, of filters and of member digests as many of
/// the largest are counted as units run at a time. The program itself comes on top (about 20 MB),
/// and at the end the rows.
struct MemoryPlan {
  unsigned num_threads = 0;            ///< as many as were asked for, or as many as fit
  std::uint64_t key_file_bytes = 0;    ///< key files, which stay in memory
  std::uint64_t unit_bytes = 0;        ///< tables, filters and buffers of that many units
  std::uint64_t member_bytes = 0;      ///< member digests of that many units: always kept
  std::uint64_t max_digest_bytes = 0;  ///< what the DigestStore may hold, members included
  std::uint64_t digest_bytes = 0;      ///< what it will hold: all lists, if they fit
  std::uint64_t full_bytes = 0;  ///< with which all threads asked for run and all lists are kept

  [[nodiscard]] std::uint64_t peak_bytes() const noexcept {
    return key_file_bytes + unit_bytes + digest_bytes;
  }
};

/// @param num_threads at most so many units at a time; at least 1.
/// A default budget grows to what one unit at a time needs, up to three quarters of the machine's.
/// @throws ConfigError naming --memory if one unit at a time does not fit it (and the least that
/// would do), or if the machine has less than some unit needs, whatever was asked for.
[[nodiscard]] MemoryPlan plan_memory(std::span<const Unit> units, Engine engine,
                                     unsigned num_threads, const MemoryBudget& budget);

}  // namespace bloometry
