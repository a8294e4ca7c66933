#pragma once

#include <cstdint>

namespace bloometry {

/// Batches prefetch if the filter is larger than this number of bytes. A smaller filter stays in
/// the core's own caches, and prefetching would cost more than the cache misses. core/decisions.md
/// has the measurements.
inline constexpr std::uint64_t kMinPrefetchBytes = std::uint64_t{3} << 19U;

/// Keeps g++ from dropping calls of a function that only prefetches: g++ 12.2 treats such a
/// function as free of side effects and removed every prefetch of the filters. The empty asm
/// statement counts as a side effect.
inline void keep_prefetch(const void* address) noexcept {
  asm volatile("" : : "r"(address));
}

/// Prefetches the cache line at the address for reading, without blocking.
inline void prefetch_to_read(const void* address) noexcept {
  __builtin_prefetch(address, 0);
  keep_prefetch(address);
}

/// Prefetches the cache line at the address for writing, without blocking.
inline void prefetch_to_write(const void* address) noexcept {
  __builtin_prefetch(address, 1);
  keep_prefetch(address);
}

}  // namespace bloometry
