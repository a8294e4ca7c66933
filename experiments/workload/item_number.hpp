#pragma once

#include <cstdint>

namespace bloometry {

/// The two disjoint sets of keys of a trial: those that are inserted and those that never are.
enum class KeyRole { kMember, kQuery };

/// Items of one trial: members are even, queries odd, trials 2^48 apart. Disjoint by construction
/// for up to 2^47 keys a role and 2^16 trials.
inline constexpr std::uint64_t kItemsPerTrial = std::uint64_t{1} << 48U;

/// The integer that stands behind key number `index` of a synthetic source.
[[nodiscard]] constexpr std::uint64_t item_number(KeyRole role, std::uint64_t index,
                                                  std::uint64_t trial) noexcept {
  return 2 * index + static_cast<std::uint64_t>(role == KeyRole::kQuery) + trial * kItemsPerTrial;
}

}  // namespace bloometry
