#pragma once

#include <cstdint>

#include "core/hash/mix.hpp"

namespace bloometry {

/// Secret of SipHash, which is the 16 key bytes of the paper, read little-endian. The word k0 is
/// the first eight bytes. The key does not have a default value, because a public key does not
/// protect a filter.
struct SipHashKey {
  constexpr SipHashKey(std::uint64_t first, std::uint64_t second) noexcept
      : k0(first), k1(second) {}

  /// Returns 128 bits from the operating system's generator. The function `random` is the only
  /// function of core that is not deterministic. The call blocks only while the operating system
  /// starts.
  /// @throws std::system_error if the system cannot return random bytes. The function `random` does
  /// not try a weaker source.
  [[nodiscard]] static SipHashKey random();

  /// Returns the key of a 64-bit seed; k0 is the seed, and k1 is a mix of the seed. Use the key of
  /// a seed only for repeatable experiments, because the key is as easy to guess as the seed.
  [[nodiscard]] static constexpr SipHashKey of_seed(std::uint64_t seed) noexcept {
    return {seed, mix64(seed + kGoldenGamma)};
  }

  friend bool operator==(const SipHashKey&, const SipHashKey&) noexcept = default;

  std::uint64_t k0;
  std::uint64_t k1;
};

}  // namespace bloometry
