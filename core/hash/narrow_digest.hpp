#pragma once

#include <cstdint>

#include "core/hash/digest.hpp"
#include "core/hash/mix.hpp"

namespace bloometry {

/// Odd constant that separates the second word of the digest from the first: the first 64 bits of
/// the fractional part of sqrt(3). Probe schemes and the parts of a filter add multiples of
/// kGoldenGamma or kRootTwoGamma to the first word to derive further words (core/probe/README.md).
/// The second word must differ from every derived word. If the second word used kRootTwoGamma, the
/// start of the increments, mix64(lo + kRootTwoGamma) ^ hi, would be 0 for every key.
inline constexpr std::uint64_t kRootThreeGamma = 0xbb67ae8584caa73bULL;

/// Returns the digest of a 64-bit hash. The word lo is the unchanged hash, so that experiments
/// measure the quality of the hash. The word hi is a mix of lo. Keys with equal hashes have the
/// same probes, so every rate is at least n / 2^64 (5e-14 at 10^6 keys; theory 1.8).
[[nodiscard]] constexpr Digest digest_of_64_bits(std::uint64_t hash) noexcept {
  return {hash, mix64(hash + kRootThreeGamma)};
}

/// Returns the digest of a 32-bit hash. The words lo and hi are mixes of the hash, because probes
/// use high bits, which are 0 in a 32-bit number. Keys with equal hashes have the same probes, so
/// every rate is at least about n / 2^32 (2.3e-4 at 10^6 keys; theory 1.8).
[[nodiscard]] constexpr Digest digest_of_32_bits(std::uint32_t hash) noexcept {
  return digest_of_64_bits(mix64(hash + kGoldenGamma));
}

}  // namespace bloometry
