#pragma once

#include <cstdint>
#include <string_view>

namespace bloometry {

/// Number of slots of a Redis Cluster.
inline constexpr unsigned kNumClusterSlots = 16384;

/// Returns the part of a key that decides its slot. This is the text between its first brace and
/// the next closing one, or the whole key if that text is empty.
[[nodiscard]] std::string_view hash_tag(std::string_view key) noexcept;

/// Returns CRC-16 (XMODEM) of the key's hash tag, mod 16384.
[[nodiscard]] unsigned cluster_slot(std::string_view key) noexcept;

}  // namespace bloometry
