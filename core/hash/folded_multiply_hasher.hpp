#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "core/hash/hasher.hpp"
#include "core/hash/integer_hash.hpp"
#include "core/hash/little_endian.hpp"
#include "core/hash/mix.hpp"
#include "core/hash/narrow_digest.hpp"
#include "core/hash/range_reduction.hpp"

namespace bloometry {

/// Fast family for integers and short strings on every machine. FoldedMultiplyHasher makes one
/// folded multiplication per 16 bytes and computes the two words of the digest from the last 64-bit
/// product. The construction of FoldedMultiplyHasher is not taken from a publication. The fold of
/// the 128-bit product is taken from wyhash (Wang Yi 2019).
///
///     c = s1 + size sqrt3
///     for every 16 bytes (u, v) but the last 1 to 16:  c = fold(u ^ s0, v ^ c)
///
///     f = fold(a ^ s0, rotl(b, 32) ^ c)
///     (p, q) = the low and the high word of f M
///
///     lo = p ^ q, hi = p + rotl(q, 32)
///
/// The function fold is folded_multiply, M is kRemixMultiplier, and s0 and s1 are two mixes of the
/// seed. The words a and b are the last 16 bytes of the key. For keys of 8 to 15 bytes, a is the
/// first 8 bytes and b is the last 8 bytes. For shorter keys, a and b are both the whole key. All
/// blocks are read little-endian. The digest does not contain f itself (core/hash/decisions.md).
///
/// The digest has 64 bits, like the digest of xxh64. Do not use FoldedMultiplyHasher for keys that
/// an attacker can choose. An attacker with the seed can compute s0 and choose keys of 16 bytes
/// that begin with s0. All 2^64 such keys have the same digest, because a ^ s0 is 0 and the product
/// is therefore 0.
class FoldedMultiplyHasher {
 public:
  static constexpr std::string_view kName = "folded_multiply";
  static constexpr bool kIsSeeded = true;
  static constexpr bool kIsWeak = false;
  static constexpr double kNumBits = 64;

  explicit FoldedMultiplyHasher(std::uint64_t seed = 0) noexcept
      : seed_(seed), first_(mix64(seed + kGoldenGamma)), second_(mix64(seed + kRootTwoGamma)) {}

  /// Returns the digest of a key. The function is always inlined, because the linker must not use a
  /// copy that was compiled for another instruction set (core/isa/compiled_isa.hpp).
  [[nodiscard, gnu::always_inline]] Digest operator()(KeyView key) const noexcept {
    const char* end = key.data() + key.size();
    std::uint64_t chain = second_ + key.size() * kRootThreeGamma;
    if (key.size() < 8) {
      const std::uint64_t word = load_tail(key.data(), key.size());
      return finish(word, word, chain);
    }
    if (key.size() <= 16) return finish(word_at(key.data()), word_at(end - 8), chain);
    for (const char* block = key.data(); end - block > 16; block += 16) {
      chain = folded_multiply(word_at(block) ^ first_, word_at(block + 8) ^ chain);
    }
    return finish(word_at(end - 16), word_at(end - 8), chain);
  }

  /// Returns the formula for integers. The words a and b both equal the integer, and words[1] is c
  /// for a key of 8 bytes.
  [[nodiscard]] IntegerHash integer_hash() const noexcept {
    return {IntegerHash::Kind::kFoldedMultiply,
            {first_, second_ + sizeof(std::uint64_t) * kRootThreeGamma}};
  }

  [[nodiscard]] std::uint64_t seed() const noexcept { return seed_; }

  friend bool operator==(const FoldedMultiplyHasher&,
                         const FoldedMultiplyHasher&) noexcept = default;

 private:
  static std::uint64_t word_at(const char* bytes) noexcept {
    return load_little_endian<std::uint64_t>(bytes);
  }

  [[nodiscard]] Digest finish(std::uint64_t a, std::uint64_t b,
                              std::uint64_t chain) const noexcept {
    const std::uint64_t folded = folded_multiply(a ^ first_, std::rotl(b, 32) ^ chain);
    const auto [low, high] = multiply_wide(folded, kRemixMultiplier);
    return {low ^ high, low + std::rotl(high, 32)};
  }

  std::uint64_t seed_;
  std::uint64_t first_;
  std::uint64_t second_;
};

static_assert(SeededHasher<FoldedMultiplyHasher>);

}  // namespace bloometry
