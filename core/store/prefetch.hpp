#pragma once

#include <cstdint>

namespace bloometry {

/// Filters up to this size stay in the caches near a core; asking for their lines costs more than
/// waiting for them.
inline constexpr std::uint64_t kMinPrefetchBytes = std::uint64_t{3} << 19U;

/// Asks for the line at the address, and does not wait for it.
inline void prefetch_to_read(const void* address) noexcept {
  __builtin_prefetch(address, 0);
}

inline void prefetch_to_write(const void* address) noexcept {
  __builtin_prefetch(address, 1);
}

}  // namespace bloometry
