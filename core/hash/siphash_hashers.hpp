#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "core/hash/digest.hpp"
#include "core/hash/hasher.hpp"
#include "core/hash/little_endian.hpp"
#include "core/hash/narrow_digest.hpp"
#include "core/hash/siphash_key.hpp"

namespace bloometry {
namespace siphash {

/// State of SipHash: four words that each round mixes (paper, figure 2.1).
///
/// All functions of SipHash are always inlined, because the linker must not use a copy that was
/// compiled for another instruction set (core/isa/compiled_isa.hpp).
struct State {
  std::uint64_t v0, v1, v2, v3;

  /// Initialises the state from the key and the paper's text "somepseudorandomlygeneratedbytes".
  [[gnu::always_inline]] explicit constexpr State(SipHashKey key) noexcept
      : v0(key.k0 ^ 0x736f6d6570736575ULL),
        v1(key.k1 ^ 0x646f72616e646f6dULL),
        v2(key.k0 ^ 0x6c7967656e657261ULL),
        v3(key.k1 ^ 0x7465646279746573ULL) {}

  [[gnu::always_inline]] constexpr void round() noexcept {
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

  /// Adds a word of the message to the state by c = 2 rounds.
  [[gnu::always_inline]] constexpr void absorb(std::uint64_t word) noexcept {
    v3 ^= word;
    round();
    round();
    v0 ^= word;
  }

  [[gnu::always_inline]] void absorb_all(KeyView message) noexcept {
    const char* bytes = message.data();
    std::size_t left = message.size();
    for (; left >= 8; left -= 8, bytes += 8) absorb(load_little_endian<std::uint64_t>(bytes));
    // The last word ends with the length modulo 256.
    absorb(load_tail(bytes, left) | std::uint64_t{message.size()} << 56U);
  }

  /// Returns a word of the result after d = 4 rounds.
  [[nodiscard, gnu::always_inline]] constexpr std::uint64_t squeeze() noexcept {
    for (int i = 0; i < 4; ++i) round();
    return v0 ^ v1 ^ v2 ^ v3;
  }
};

}  // namespace siphash

/// Returns SipHash-2-4 (Aumasson, Bernstein 2012, "SipHash: a fast short-input PRF", section 2). An
/// attack that predicts any of the 64 bits without the key is not known.
[[nodiscard, gnu::always_inline]] inline std::uint64_t siphash_2_4(KeyView message,
                                                                   SipHashKey key) noexcept {
  siphash::State state(key);
  state.absorb_all(message);
  state.v2 ^= 0xff;
  return state.squeeze();
}

/// Returns a number that identifies a key in files, without revealing the key.
[[nodiscard, gnu::always_inline]] inline std::uint64_t siphash_key_id(SipHashKey key) noexcept {
  return siphash_2_4("bloometry key id", key);
}

/// Returns SipHash-2-4 with 128 bits of output. The first word of the output is not the result of
/// siphash_2_4. Source: the reference implementation by the authors of SipHash (veorq/SipHash,
/// siphash.c, outlen 16). The paper does not define the output of 128 bits.
[[nodiscard, gnu::always_inline]] inline Digest siphash_2_4_128(KeyView message,
                                                                SipHashKey key) noexcept {
  siphash::State state(key);
  state.v1 ^= 0xee;
  state.absorb_all(message);
  state.v2 ^= 0xee;
  const std::uint64_t first = state.squeeze();
  state.v1 ^= 0xdd;
  return {first, state.squeeze()};
}

/// SipHash-2-4-128, the recommended hash for keys that an attacker can choose. Without the secret,
/// an attacker cannot prepare keys that collide or that fill chosen bits (core/hash/README.md,
/// "Threat models"). The secret must be passed, because the constructor has no default secret:
///
///     Keyed<StandardFilter, SipHash128Hasher> seen(spec, SipHashKey::random());
class SipHash128Hasher {
 public:
  using Key = SipHashKey;
  static constexpr std::string_view kName = "siphash_2_4_128";
  static constexpr bool kIsSeeded = true;
  static constexpr bool kIsWeak = false;

  SipHash128Hasher(SipHashKey key) noexcept : key_(key) {}

  [[nodiscard, gnu::always_inline]] Digest operator()(KeyView key) const noexcept {
    return siphash_2_4_128(key, key_);
  }

  [[nodiscard]] std::uint64_t key_id() const noexcept { return siphash_key_id(key_); }

  friend bool operator==(const SipHash128Hasher&, const SipHash128Hasher&) noexcept = default;

 private:
  SipHashKey key_;
};

/// Hasher whose two words are SipHash-2-4 and a mix of SipHash-2-4. SipHash24Hasher is as safe as
/// SipHash128Hasher and faster. The digest has only 64 bits, so the rate has the lower bound in the
/// comment of digest_of_64_bits.
class SipHash24Hasher {
 public:
  using Key = SipHashKey;
  static constexpr std::string_view kName = "siphash_2_4";
  static constexpr bool kIsSeeded = true;
  static constexpr bool kIsWeak = false;
  static constexpr double kNumBits = 64;

  SipHash24Hasher(SipHashKey key) noexcept : key_(key) {}

  [[nodiscard, gnu::always_inline]] Digest operator()(KeyView key) const noexcept {
    return digest_of_64_bits(siphash_2_4(key, key_));
  }

  [[nodiscard]] std::uint64_t key_id() const noexcept { return siphash_key_id(key_); }

  friend bool operator==(const SipHash24Hasher&, const SipHash24Hasher&) noexcept = default;

 private:
  SipHashKey key_;
};

static_assert(SecretHasher<SipHash128Hasher> && SecretHasher<SipHash24Hasher>);

}  // namespace bloometry
