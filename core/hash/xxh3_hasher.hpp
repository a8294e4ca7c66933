#pragma once

#include <cstdint>
#include <string_view>

#include "core/hash/hasher.hpp"
#include "core/hash/integer_hash.hpp"
#include "core/hash/little_endian.hpp"
#include "core/hash/xxh3_integer.hpp"
#include "core/hash/xxhash.hpp"

namespace bloometry {

/// The default hash: XXH3, 128 bits, seeded (xxHash 0.8, whose output is frozen). Do not use
/// Xxh3Hasher for keys that an attacker can choose. An attacker with the low half of the seed can
/// compute 2^32 keys of more than 240 bytes with the same digest. The default seed 0 is public
/// (core/hash/README.md, "Threat models").
class Xxh3Hasher {
 public:
  static constexpr std::string_view kName = "xxh3";
  static constexpr bool kIsSeeded = true;
  static constexpr bool kIsWeak = false;

  explicit Xxh3Hasher(std::uint64_t seed = 0) noexcept
      : seed_(seed), integer_start_(xxh3::integer_start(seed)) {}

  // The operator is always inlined, so that code that hashes integers contains the instructions of
  // the hash instead of a call. The formula for integers is written out, because g++ does not
  // inline the library's function into a source that hashes in two places.
  [[nodiscard, gnu::always_inline]] Digest operator()(KeyView key) const noexcept {
    if (key.size() == sizeof(std::uint64_t)) {
      return xxh3::integer_digest(load_little_endian<std::uint64_t>(key.data()), integer_start_);
    }
    return hash_bytes(key, seed_);
  }

  [[nodiscard]] IntegerHash integer_hash() const noexcept {
    return {IntegerHash::Kind::kXxh3, {integer_start_}};
  }

  [[nodiscard]] std::uint64_t seed() const noexcept { return seed_; }

  friend bool operator==(const Xxh3Hasher&, const Xxh3Hasher&) noexcept = default;

 private:
  // The function is always inlined, because the instructions of the library depend on the compiler
  // flags. A copy compiled for one instruction set must not be used for another.
  [[gnu::always_inline]] static inline Digest hash_bytes(KeyView key, std::uint64_t seed) noexcept {
    const XXH128_hash_t hash = XXH3_128bits_withSeed(key.data(), key.size(), seed);
    return {hash.low64, hash.high64};
  }

  std::uint64_t seed_;
  std::uint64_t integer_start_;
};

static_assert(Hasher<Xxh3Hasher>);

}  // namespace bloometry
