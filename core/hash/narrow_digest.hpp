#pragma once

#include <cstdint>

#include "core/hash/digest.hpp"
#include "core/hash/mix.hpp"

namespace bloometry {

/// Sets the second word of a 64-bit hash apart from every word that a probe scheme or a part of a
/// filter derives from the first (core/probe/README.md): those add multiples of kGoldenGamma or
/// kRootTwoGamma. With kRootTwoGamma here, mix64(lo + kRootTwoGamma) ^ hi, the start of the
/// increments, would be 0 for every key. Fractional part of sqrt(3); odd.
inline constexpr std::uint64_t kRootThreeGamma = 0xbb67ae8584caa73bULL;

/// The digest of a hash of 64 bits: the hash as it is, so that its own quality shows, and a mix of
/// it. It holds 64 bits: keys that agree in the hash agree in all probes, a floor under every rate
/// of n / 2^64 (theory 1.7), 5e-14 at 10^6 keys.
[[nodiscard]] constexpr Digest digest_of_64_bits(std::uint64_t hash) noexcept {
  return {hash, mix64(hash + kRootThreeGamma)};
}

/// The digest of a hash of 32 bits, spread over both words (probes draw on high bits, which a
/// 32-bit number does not have). Nothing is added to its 32 bits: the floor is n / 2^32, 2.3e-4 at
/// 10^6 keys (theory 1.7).
[[nodiscard]] constexpr Digest digest_of_32_bits(std::uint32_t hash) noexcept {
  return digest_of_64_bits(mix64(hash + kGoldenGamma));
}

}  // namespace bloometry
