#pragma once

#include <cstdint>

#include "core/hash/mix.hpp"

namespace bloometry {

/// Secret of SipHash: the 16 key bytes of the paper, read little-endian. The word k0 is the first
/// eight bytes. The key has no default value, because a public key does not protect a filter.
struct SipHashKey {
  constexpr SipHashKey(std::uint64_t first, std::uint64_t second) noexcept
      : k0(first), k1(second) {}

  /// Returns 128 bits from the operating system's generator. In bloometry::filters, only `random`
  /// obtains random numbers. The function blocks only while the operating system is starting.
  /// @throws std::system_error if the system cannot return random bytes. The function never falls
  /// back to a weaker source.
  [[nodiscard]] static SipHashKey random();

  /// Returns a key made from a 64-bit seed: k0 is the seed, and k1 is a mix of the seed. Use such a
  /// key only for repeatable experiments, because it is as easy to guess as the seed.
  [[nodiscard]] static constexpr SipHashKey of_seed(std::uint64_t seed) noexcept {
    return {seed, mix64(seed + kGoldenGamma)};
  }

  friend bool operator==(const SipHashKey&, const SipHashKey&) noexcept = default;

  std::uint64_t k0;
  std::uint64_t k1;
};

}  // namespace bloometry
