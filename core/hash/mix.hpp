#pragma once

#include <cstdint>

#include "core/hash/digest.hpp"

namespace bloometry {

/// Odd constants: the first 64 bits of the fractional parts of the golden ratio (Knuth, TAOCP 3,
/// 6.4) and of sqrt(2). The last bit of kRootTwoGamma is set to make it odd.
inline constexpr std::uint64_t kGoldenGamma = 0x9e3779b97f4a7c15ULL;
inline constexpr std::uint64_t kRootTwoGamma = 0x6a09e667f3bcc909ULL;

/// Multiplier of the probe words. The multiplier has good spectral properties in a multiplicative
/// generator modulo 2^64. Steele and Vigna (2022), "Computationally easy, spectrally good
/// multipliers", list the multiplier in the table of 64-bit MCGs.
inline constexpr std::uint64_t kRemixMultiplier = 0xf1357aea2e62a9c5ULL;

/// Multipliers of mix64.
inline constexpr std::uint64_t kMixFirst = 0xbf58476d1ce4e5b9ULL;
inline constexpr std::uint64_t kMixSecond = 0x94d049bb133111ebULL;

/// Returns a bijective mix of a 64-bit word; the outputs of two inputs look independent. The
/// function mix64 is the finaliser of SplitMix64 (Steele, Lea, Flood (2014), "Fast splittable
/// pseudorandom number generators"). The constants are from Stafford's Mix13.
constexpr std::uint64_t mix64(std::uint64_t word) noexcept {
  word = (word ^ (word >> 30)) * kMixFirst;
  word = (word ^ (word >> 27)) * kMixSecond;
  return word ^ (word >> 31);
}

/// Returns another digest for part number `part` of a composed filter (stage, generation, shard).
/// The probes of the parts of a composed filter must be independent. If all parts used the same
/// digest, the rate would differ from the theoretical rate given the fills of the parts (z = 4 at a
/// rate of 0.1).
[[gnu::always_inline]] constexpr Digest remix(const Digest& digest, std::uint64_t part) noexcept {
  return {mix64(digest.lo + (part + 1) * kGoldenGamma),
          mix64(digest.hi + (part + 1) * kRootTwoGamma)};
}

}  // namespace bloometry
