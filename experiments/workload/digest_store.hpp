#pragma once

#include <cstdint>
#include <memory>

#include "experiments/unit/unit.hpp"
#include "experiments/workload/digest_cursor.hpp"

namespace bloometry {

/// Digests of the keys of a run, computed once and shared read-only by all units and threads.
/// Thread-safe: a caller that needs a list in progress waits for it.
///
/// Member digests are stored per (keys, hash, trial). Query digests are stored too while they fit
/// the budget, less the part reserved for members; otherwise a cursor recomputes them block by
/// block. Lists are freed after the last unit that reserved them. Before that, unused lists make
/// room for new ones, least recently used first. A file has one list for both roles: its lines in
/// the order of the split. Key files and their splits (4 bytes per line and trial) stay in memory.
class DigestStore {
 public:
  /// Creates an empty store.
  /// @param max_bytes budget for stored digests; members are stored even beyond it.
  /// @param member_bytes part of the budget that queries leave free. The budget holds if this is at
  /// least the member bytes of all units that run together.
  explicit DigestStore(std::uint64_t max_bytes, std::uint64_t member_bytes = 0);
  ~DigestStore();
  DigestStore(const DigestStore&) = delete;
  DigestStore& operator=(const DigestStore&) = delete;

  /// Registers the lists that a unit needs, so that one pass makes the longest list. Must be called
  /// for every unit before the first one runs.
  /// @throws ConfigError if the hash is unknown; IoError if a key file cannot be read or has
  /// changed since the unit was made.
  void reserve(const Unit& unit);

  /// Releases the reservation of a finished unit.
  void release(const Unit& unit);

  /// Returns the digests of members 0 .. num_keys-1 of the unit's source and trial; the list may be
  /// longer.
  /// @throws as reserve.
  [[nodiscard]] DigestList members(const Unit& unit, std::uint64_t num_keys);

  /// Returns the digests of the unit's keys of role kQuery: queries first, then candidates
  /// (key_demand.hpp).
  /// @throws as reserve.
  [[nodiscard]] DigestCursor queries(const Unit& unit, std::uint64_t first, std::uint64_t count);

  /// Returns the same digests as members and queries do, but always hashes again.
  /// @throws as reserve.
  [[nodiscard]] DigestCursor hash_anew(const Unit& unit, KeyRole role, std::uint64_t first,
                                       std::uint64_t count);

  /// Returns the bytes of all stored digests.
  [[nodiscard]] std::uint64_t held_bytes() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace bloometry
