#pragma once

#include <cstdint>

#include "core/hash/digest.hpp"
#include "core/hash/range_reduction.hpp"

/// Formula of the 128-bit XXH3 of a key of eight bytes, for code that hashes integers without
/// calling the hasher.
/// Source: xxHash, doc/xxhash_spec.md, "XXH3 Algorithm", 128 bits of 4 to 8 bytes.
namespace bloometry::xxh3 {

inline constexpr std::uint64_t kMultiplier = 0x9e3779b185ebca87ULL + (8 << 2);
inline constexpr std::uint64_t kLowMultiplier = 0x9fb21c651e98df25ULL;
inline constexpr std::uint64_t kHighMultiplier = 0x165667919e3779f9ULL;

/// Returns the word that is XORed with the integer.
constexpr std::uint64_t integer_start(std::uint64_t seed) noexcept {
  constexpr std::uint64_t kSecret = 0xc4f023344dc994acULL;  // bytes 16 to 23 ^ bytes 24 to 31
  return kSecret +
         (seed ^ std::uint64_t{__builtin_bswap32(static_cast<std::uint32_t>(seed))} << 32U);
}

/// Returns the digest of an integer; `start` is integer_start(seed). The function integer_digest is
/// always inlined, because a copy compiled for one instruction set must not be used for another.
[[gnu::always_inline]] constexpr Digest integer_digest(std::uint64_t key,
                                                       std::uint64_t start) noexcept {
  auto [low, high] = multiply_wide(key ^ start, kMultiplier);
  high += low << 1U;
  low ^= high >> 3U;
  low = (low ^ (low >> 35U)) * kLowMultiplier;
  high = (high ^ (high >> 37U)) * kHighMultiplier;
  return {low ^ (low >> 28U), high ^ (high >> 32U)};
}

}  // namespace bloometry::xxh3
