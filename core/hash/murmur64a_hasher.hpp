#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "core/hash/hasher.hpp"
#include "core/hash/little_endian.hpp"

namespace bloometry {

/// Multiplier of MurmurHash64A. RedisBloom uses the same number as its first seed.
inline constexpr std::uint64_t kMurmur64aMultiplier = 0xc6a4a7935bd1e995ULL;

/// Returns MurmurHash64A (Appleby 2008, murmur2 family). Blocks are read little-endian on every
/// machine. On a big-endian machine, the original returns other digests. With seed 0, the hash of
/// the empty key is 0.
[[nodiscard]] inline std::uint64_t murmur64a(KeyView key, std::uint64_t seed) noexcept {
  constexpr std::uint64_t kM = kMurmur64aMultiplier;
  constexpr unsigned kShift = 47;
  std::uint64_t hash = seed ^ (key.size() * kM);
  const char* bytes = key.data();
  std::size_t left = key.size();
  for (; left >= 8; left -= 8, bytes += 8) {
    std::uint64_t block = load_little_endian<std::uint64_t>(bytes) * kM;
    block = (block ^ (block >> kShift)) * kM;
    hash = (hash ^ block) * kM;
  }
  if (left > 0) hash = (hash ^ load_tail(bytes, left)) * kM;
  hash = (hash ^ (hash >> kShift)) * kM;
  return hash ^ (hash >> kShift);
}

/// Hasher whose two words are MurmurHash64A under two seeds, as in RedisBloom. The word lo is the
/// hash under the seed, and the word hi is the hash under the seed lo. With seed
/// kMurmur64aMultiplier, lo and hi equal a and b of RedisBloom. The digest has 128 bits, and its
/// computation needs two passes over the key. Do not use Murmur64aHasher for keys that an attacker
/// can choose, because some known keys collide under every seed.
class Murmur64aHasher {
 public:
  static constexpr std::string_view kName = "murmur64a";
  static constexpr bool kIsSeeded = true;
  static constexpr bool kIsWeak = false;

  explicit Murmur64aHasher(std::uint64_t seed = 0) noexcept : seed_(seed) {}

  [[nodiscard, gnu::always_inline]] Digest operator()(KeyView key) const noexcept {
    const std::uint64_t first = murmur64a(key, seed_);
    return {first, murmur64a(key, first)};
  }

  [[nodiscard]] std::uint64_t seed() const noexcept { return seed_; }

  friend bool operator==(const Murmur64aHasher&, const Murmur64aHasher&) noexcept = default;

 private:
  std::uint64_t seed_;
};

static_assert(Hasher<Murmur64aHasher>);

}  // namespace bloometry
