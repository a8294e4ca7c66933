#pragma once

#include <cstdint>
#include <string_view>

#include "core/hash/hasher.hpp"
#include "core/hash/little_endian.hpp"
#include "core/hash/range_reduction.hpp"
#include "core/hash/xxhash.hpp"

namespace bloometry {

/// The default hash: XXH3, 128 bits, seeded (xxHash 0.8, whose output is frozen). Do not use it for
/// keys from strangers. For keys of more than 240 bytes, the low half of the seed is enough to
/// compute 2^32 keys of one digest, and everybody knows seed 0 (core/hash/README.md, "Threat
/// models").
class Xxh3Hasher {
 public:
  static constexpr std::string_view kName = "xxh3";
  static constexpr bool kIsSeeded = true;
  static constexpr bool kIsWeak = false;

  explicit Xxh3Hasher(std::uint64_t seed = 0) noexcept : seed_(seed) {}

  // Always inlined, so that code that hashes integers has 30 instructions of the hash instead of a
  // call.
  [[nodiscard, gnu::always_inline]] Digest operator()(KeyView key) const noexcept {
    if (key.size() == sizeof(std::uint64_t)) return hash_integer(key.data(), seed_);
    return hash_bytes(key, seed_);
  }

  [[nodiscard]] std::uint64_t seed() const noexcept { return seed_; }

  friend bool operator==(const Xxh3Hasher&, const Xxh3Hasher&) noexcept = default;

 private:
  static Digest hash_bytes(KeyView key, std::uint64_t seed) noexcept {
    const XXH128_hash_t hash = XXH3_128bits_withSeed(key.data(), key.size(), seed);
    return {hash.low64, hash.high64};
  }

  /// Returns hash_bytes() of eight bytes. It is written out because g++ does not inline the library
  /// into a source that hashes twice. Source: xxHash, doc/xxhash_spec.md, "XXH3 Algorithm", 128
  /// bits of 4 to 8 bytes.
  [[gnu::always_inline]] static inline Digest hash_integer(const char* bytes,
                                                           std::uint64_t seed) noexcept {
    constexpr std::uint64_t kSecret = 0xc4f023344dc994acULL;  // bytes 16 to 23 ^ bytes 24 to 31
    constexpr std::uint64_t kMultiplier = 0x9e3779b185ebca87ULL + (8 << 2);
    seed ^= std::uint64_t{__builtin_bswap32(static_cast<std::uint32_t>(seed))} << 32;
    const std::uint64_t word = load_little_endian<std::uint64_t>(bytes);
    auto [low, high] = multiply_wide(word ^ (kSecret + seed), kMultiplier);
    high += low << 1;
    low ^= high >> 3;
    low = (low ^ (low >> 35)) * 0x9fb21c651e98df25ULL;
    high = (high ^ (high >> 37)) * 0x165667919e3779f9ULL;
    return {low ^ (low >> 28), high ^ (high >> 32)};
  }

  std::uint64_t seed_;
};

static_assert(Hasher<Xxh3Hasher>);

}  // namespace bloometry
