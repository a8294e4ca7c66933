#pragma once

#include <cstdint>
#include <optional>

namespace bloometry {

/// How long a filter that forgets contains a key at least. A filter forgets by rotations: it clears
/// the oldest generation of keys and opens a new one. A rotation is caused by inserts or by tick().
/// A key is found after up to num_ticks rotations that follow its insert. If all rotations are
/// caused by inserts, the key is found while at most num_inserts insert calls have been made, its
/// own and repeated ones included.
struct Window {
  std::optional<std::uint64_t> num_inserts{};  ///< absent if inserts do not cause rotations
  std::uint64_t num_ticks = 0;

  friend bool operator==(const Window&, const Window&) noexcept = default;
};

}  // namespace bloometry
