#pragma once

#include <cstdint>

#include "core/hash/mix.hpp"

namespace bloometry {

/// The secret of SipHash: the 16 key bytes of the paper, k0 the first eight, read little-endian.
/// It has no default: a key that everybody knows protects nothing.
struct SipHashKey {
  constexpr SipHashKey(std::uint64_t first, std::uint64_t second) noexcept
      : k0(first), k1(second) {}

  /// Returns 128 bits from the operating system's generator: the one place of core that is not
  /// deterministic. Blocks only while the system itself starts.
  /// @throws std::system_error if the system cannot give random bytes. No weaker source is tried
  /// then.
  [[nodiscard]] static SipHashKey random();

  /// Returns the key that a 64-bit seed stands for: k0 the seed itself, k1 a mix of it. For
  /// experiments, which repeat: the key is as easy to guess as the seed.
  [[nodiscard]] static constexpr SipHashKey of_seed(std::uint64_t seed) noexcept {
    return {seed, mix64(seed + kGoldenGamma)};
  }

  friend bool operator==(const SipHashKey&, const SipHashKey&) noexcept = default;

  std::uint64_t k0;
  std::uint64_t k1;
};

}  // namespace bloometry
