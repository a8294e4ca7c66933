#pragma once

#include <cstdint>

namespace bloometry {

/// Size of a filter, in bytes, above which batches prefetch. A smaller filter stays in the caches
/// of the processor core, so prefetches would take more time than they save. The measurements are
/// in core/decisions.md.
inline constexpr std::uint64_t kMinPrefetchBytes = std::uint64_t{3} << 19U;

/// Size of a filter of blocks, in bytes, above which batches prefetch. The size is smaller, because
/// a key of such a filter needs one prefetch instead of k.
inline constexpr std::uint64_t kMinPrefetchBytesOfBlocks = std::uint64_t{1} << 20U;

/// Prevents g++ from removing calls of a function that only prefetches. g++ 12.2 assumes that such
/// a function does not have side effects, and therefore removed every prefetch. The empty asm
/// statement is a side effect for g++.
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
