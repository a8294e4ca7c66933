#pragma once

#include <cstdint>
#include <memory>

#include "experiments/unit/unit.hpp"
#include "experiments/workload/digest_cursor.hpp"

namespace bloometry {

/// A store of key digests. All units and threads share the stored digests read-only. The store is
/// thread-safe. A thread that needs an unfinished list waits until the list is finished.
///
/// Member digests are stored per (keys, hash, trial). Query digests are stored if they fit in the
/// budget without the part for members. If query digests do not fit, a cursor computes the digests
/// again, block by block. The store frees a list after the last unit that reserved the list. If
/// memory is needed earlier, the store frees unused lists, beginning with the least recently used
/// list. A file has one list for both roles: its lines in the order of the split. Key files and
/// their splits (4 bytes per line and trial) stay in memory.
class DigestStore {
 public:
  /// Creates an empty store.
  /// @param max_bytes budget for stored digests; members are stored even if they exceed the budget
  /// @param member_bytes part of the budget that queries do not use. The budget is sufficient if
  /// member_bytes is at least the size of the member digests of all units that run at the same
  /// time.
  explicit DigestStore(std::uint64_t max_bytes, std::uint64_t member_bytes = 0);
  ~DigestStore();
  DigestStore(const DigestStore&) = delete;
  DigestStore& operator=(const DigestStore&) = delete;

  /// Registers the lists that a unit needs, so that each list is made once, with its final length.
  /// The caller must call reserve() for every unit before the first unit runs.
  /// @throws ConfigError if the hash is unknown; IoError if a key file cannot be read or has
  /// changed since the unit was planned
  void reserve(const Unit& unit);

  /// Releases the reservation of a finished unit.
  void release(const Unit& unit);

  /// Returns the digests of members 0 .. num_keys-1 of the unit's source and trial. The list may be
  /// longer.
  /// @throws ConfigError or IoError as reserve() does
  [[nodiscard]] DigestList members(const Unit& unit, std::uint64_t num_keys);

  /// Returns the digests of the unit's keys of role kQuery: queries, followed by candidates
  /// (key_demand.hpp).
  /// @throws ConfigError or IoError as reserve() does
  [[nodiscard]] DigestCursor queries(const Unit& unit, std::uint64_t first, std::uint64_t count);

  /// Returns a cursor over the same digests as members() and queries(). The cursor always computes
  /// the digests again.
  /// @throws ConfigError or IoError as reserve() does
  [[nodiscard]] DigestCursor hash_anew(const Unit& unit, KeyRole role, std::uint64_t first,
                                       std::uint64_t count);

  /// Returns the size of all stored digests in bytes.
  [[nodiscard]] std::uint64_t held_bytes() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace bloometry
