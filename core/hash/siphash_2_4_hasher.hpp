#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "core/hash/hasher.hpp"
#include "core/hash/little_endian.hpp"
#include "core/hash/mix.hpp"
#include "core/hash/narrow_digest.hpp"

namespace bloometry {

/// The secret of SipHash: the 16 key bytes of the paper, k0 the first eight, read little-endian.
struct SipHashKey {
  std::uint64_t k0 = 0;
  std::uint64_t k1 = 0;

  friend bool operator==(const SipHashKey&, const SipHashKey&) noexcept = default;
};

/// The key that a 64-bit seed stands for: k0 the seed itself, k1 a mix of it. The key is as hard to
/// guess as the seed: who defends against an attacker draws 128 bits and gives them as a
/// SipHashKey.
[[nodiscard]] constexpr SipHashKey siphash_key(std::uint64_t seed) noexcept {
  return {seed, mix64(seed + kGoldenGamma)};
}

namespace siphash {

/// Four words that a round stirs (paper, figure 2.1).
struct State {
  std::uint64_t v0, v1, v2, v3;

  constexpr void round() noexcept {
    v0 += v1;
    v1 = std::rotl(v1, 13) ^ v0;
    v0 = std::rotl(v0, 32);
    v2 += v3;
    v3 = std::rotl(v3, 16) ^ v2;
    v0 += v3;
    v3 = std::rotl(v3, 21) ^ v0;
    v2 += v1;
    v1 = std::rotl(v1, 17) ^ v2;
    v2 = std::rotl(v2, 32);
  }

  /// c = 2 rounds for a word of the message.
  constexpr void absorb(std::uint64_t word) noexcept {
    v3 ^= word;
    round();
    round();
    v0 ^= word;
  }
};

}  // namespace siphash

/// SipHash-2-4 (Aumasson, Bernstein 2012, "SipHash: a fast short-input PRF", section 2): 64 bits
/// that nobody without the key can predict, as far as is known.
[[nodiscard]] inline std::uint64_t siphash_2_4(KeyView message, SipHashKey key) noexcept {
  // "somepseudorandomlygeneratedbytes", the paper's initialisation.
  siphash::State state{key.k0 ^ 0x736f6d6570736575ULL, key.k1 ^ 0x646f72616e646f6dULL,
                       key.k0 ^ 0x6c7967656e657261ULL, key.k1 ^ 0x7465646279746573ULL};
  const char* bytes = message.data();
  std::size_t left = message.size();
  for (; left >= 8; left -= 8, bytes += 8) state.absorb(load_little_endian<std::uint64_t>(bytes));
  // The last word ends with the length modulo 256.
  state.absorb(load_tail(bytes, left) | std::uint64_t{message.size()} << 56U);
  state.v2 ^= 0xff;
  for (int i = 0; i < 4; ++i) state.round();  // d = 4 rounds at the end
  return state.v0 ^ state.v1 ^ state.v2 ^ state.v3;
}

/// SipHash-2-4 and a mix of it: for keys that an attacker chooses. Without the secret nobody can
/// prepare keys that collide or that fill chosen bits; 64 bits, the floor of digest_of_64_bits.
class SipHash24Hasher {
 public:
  static constexpr std::string_view kName = "siphash_2_4";
  static constexpr bool kIsSeeded = true;
  static constexpr bool kIsWeak = false;

  explicit SipHash24Hasher(std::uint64_t seed = 0) noexcept : key_(siphash_key(seed)) {}

  explicit SipHash24Hasher(SipHashKey key) noexcept : key_(key) {}

  [[nodiscard]] Digest operator()(KeyView key) const noexcept {
    return digest_of_64_bits(siphash_2_4(key, key_));
  }

  friend bool operator==(const SipHash24Hasher&, const SipHash24Hasher&) noexcept = default;

 private:
  SipHashKey key_;
};

static_assert(Hasher<SipHash24Hasher>);

}  // namespace bloometry
