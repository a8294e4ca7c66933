#pragma once

#include <cstdint>
#include <memory>

#include "experiments/unit/unit.hpp"
#include "experiments/workload/digest_cursor.hpp"

namespace bloometry {

/// Digests of the keys of a run, made once and shared read-only by all units and threads.
/// Thread-safe: who asks for a list that is being made waits for it.
///
/// Member digests are kept per (keys, hash, trial). Query digests are kept too while they fit the
/// budget, less what is kept free for members; else a cursor makes them again block by block. Lists
/// are given up with the last unit that reserved them; before that, those that nobody holds give
/// way, least recently used first, to new ones. A file has one list for both
/// roles: its lines in the order of the split. Key files and their splits (4 bytes a line and
/// trial) stay in memory.
class DigestStore {
 public:
  /// @param max_bytes budget for kept digests; members are kept even beyond it.
  /// @param member_bytes part of it that queries leave free: with as much as the units that run
  /// together hold of members, the budget is kept.
  explicit DigestStore(std::uint64_t max_bytes, std::uint64_t member_bytes = 0);
  ~DigestStore();
  DigestStore(const DigestStore&) = delete;
  DigestStore& operator=(const DigestStore&) = delete;

  /// Says what the run will need, so that one pass makes the longest list: called for every unit
  /// before the first is run.
  /// @throws ConfigError if the hash is unknown; IoError if a key file cannot be read or is not the
  /// one that the unit was made of.
  void reserve(const Unit& unit);

  /// Says that a unit that reserved is done.
  void release(const Unit& unit);

  /// Digests of members 0 .. num_keys-1 of the unit's source and trial; the list may be longer.
  /// @throws as reserve.
  [[nodiscard]] DigestList members(const Unit& unit, std::uint64_t num_keys);

  /// Digests of the unit's keys of role kQuery: queries first, then candidates (key_demand.hpp).
  /// @throws as reserve.
  [[nodiscard]] DigestCursor queries(const Unit& unit, std::uint64_t first, std::uint64_t count);

  /// The same digests as members and queries give, always hashed anew.
  /// @throws as reserve.
  [[nodiscard]] DigestCursor hash_anew(const Unit& unit, KeyRole role, std::uint64_t first,
                                       std::uint64_t count);

  /// Bytes of all kept digests.
  [[nodiscard]] std::uint64_t held_bytes() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace bloometry
