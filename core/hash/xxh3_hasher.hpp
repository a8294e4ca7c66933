#pragma once

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <cstdint>
#include <string_view>

#include "core/hash/hasher.hpp"

namespace bloometry {

/// The default hash: XXH3, 128 bits, seeded (xxHash 0.8, whose output is frozen). Not for hostile
/// keys: who knows the seed can make collisions.
class Xxh3Hasher {
 public:
  static constexpr std::string_view kName = "xxh3";
  static constexpr bool kIsSeeded = true;
  static constexpr bool kIsWeak = false;

  explicit Xxh3Hasher(std::uint64_t seed = 0) noexcept : seed_(seed) {}

  // Always inlined, so that a caller who hashes integers has 30 instructions of the hash and no
  // call.
  [[nodiscard, gnu::always_inline]] Digest operator()(KeyView key) const noexcept {
    if (key.size() == sizeof(std::uint64_t)) return hash_integer(key.data(), seed_);
    return hash_bytes(key, seed_);
  }

  [[nodiscard]] std::uint64_t seed() const noexcept { return seed_; }

  friend bool operator==(const Xxh3Hasher&, const Xxh3Hasher&) noexcept = default;

 private:
  static Digest hash_bytes(KeyView key, std::uint64_t seed) noexcept {
    return digest_of(XXH3_128bits_withSeed(key.data(), key.size(), seed));
  }

  [[gnu::always_inline, gnu::flatten]] static inline Digest hash_integer(
      const char* bytes, std::uint64_t seed) noexcept {
    return digest_of(XXH3_128bits_withSeed(bytes, sizeof(std::uint64_t), seed));
  }

  static Digest digest_of(const XXH128_hash_t& hash) noexcept { return {hash.low64, hash.high64}; }

  std::uint64_t seed_;
};

static_assert(Hasher<Xxh3Hasher>);

}  // namespace bloometry
