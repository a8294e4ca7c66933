#pragma once

#include <cstdint>
#include <string_view>

namespace bloometry {

/// Slots of a Redis Cluster.
inline constexpr unsigned kNumClusterSlots = 16384;

/// The part of a key that decides on its slot: what stands between its first brace and the next
/// closing one, if that is not empty; else all of it.
[[nodiscard]] std::string_view hash_tag(std::string_view key) noexcept;

/// Returns CRC-16 (XMODEM) of the key's hash tag, mod 16384.
[[nodiscard]] unsigned cluster_slot(std::string_view key) noexcept;

}  // namespace bloometry
