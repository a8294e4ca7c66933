#pragma once

#include <cstdint>
#include <string_view>

#include "core/hash/hasher.hpp"
#include "core/hash/narrow_digest.hpp"

namespace bloometry {

/// Returns FNV-1, 64 bits (Fowler, Noll, Vo 1991). For each byte, FNV-1 multiplies the hash by a
/// constant and then XORs the byte.
[[nodiscard]] constexpr std::uint64_t fnv1_64(std::string_view bytes) noexcept {
  std::uint64_t hash = 0xcbf29ce484222325ULL;
  for (const char byte : bytes) hash = (hash * 0x100000001b3ULL) ^ static_cast<unsigned char>(byte);
  return hash;
}

/// Hasher whose two words are FNV-1 and a mix of FNV-1, unseeded and weak. The last byte of a key
/// affects only the low 8 bits of lo, and the second to last byte hardly affects the top bits. Keys
/// that differ only at the end therefore share the first index in every scheme that uses the high
/// bits of lo.
class Fnv1Hasher {
 public:
  static constexpr std::string_view kName = "fnv1";
  static constexpr bool kIsSeeded = false;
  static constexpr bool kIsWeak = true;
  static constexpr double kNumBits = 64;

  explicit Fnv1Hasher(std::uint64_t /*ignored_seed*/ = 0) noexcept {}

  [[nodiscard]] Digest operator()(KeyView key) const noexcept {
    return digest_of_64_bits(fnv1_64({key.data(), key.size()}));
  }

  friend bool operator==(const Fnv1Hasher&, const Fnv1Hasher&) noexcept = default;
};

static_assert(Hasher<Fnv1Hasher>);

}  // namespace bloometry
