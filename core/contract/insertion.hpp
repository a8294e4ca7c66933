#pragma once

#include <cstdint>

namespace bloometry {

/// Result of an insert into a filter with limited room (LimitedFilter in core/contract/filter.hpp).
enum class Insertion {
  kNew,   ///< the key was certainly absent, and is now in the filter
  kKept,  ///< the key may have been present; the filter counted or stored it again
  kFull,  ///< the filter has no room for the key, and is unchanged
};

/// Result of the insert of many keys. The insert ends at the first key for which the filter has no
/// room.
struct InsertCount {
  std::uint64_t num_inserted = 0;  ///< number of keys before the first key without room
  std::uint64_t num_new = 0;       ///< number of inserted keys that were certainly absent
  bool is_full = false;            ///< whether a key found no room

  void add(const InsertCount& other) noexcept {
    num_inserted += other.num_inserted;
    num_new += other.num_new;
    is_full = is_full || other.is_full;
  }

  friend bool operator==(const InsertCount&, const InsertCount&) noexcept = default;
};

}  // namespace bloometry
