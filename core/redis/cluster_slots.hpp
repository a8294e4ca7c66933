#pragma once

#include <cstdint>
#include <string_view>

namespace bloometry {

/// Number of slots of a Redis Cluster.
inline constexpr unsigned kNumClusterSlots = 16384;

/// Returns the hash tag of a key, which determines its slot. It is the string between the first
/// opening brace and the next closing brace, or the whole key if this string is empty or missing.
[[nodiscard]] std::string_view hash_tag(std::string_view key) noexcept;

/// Returns the slot of a key, which is the CRC-16 (XMODEM) of the key's hash tag modulo 16384.
[[nodiscard]] unsigned cluster_slot(std::string_view key) noexcept;

}  // namespace bloometry
