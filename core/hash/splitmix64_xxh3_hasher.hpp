#pragma once

#include <cstdint>
#include <string_view>

#include "core/hash/hasher.hpp"
#include "core/hash/integer_hash.hpp"
#include "core/hash/little_endian.hpp"
#include "core/hash/mix.hpp"
#include "core/hash/narrow_digest.hpp"
#include "core/hash/xxh3_hasher.hpp"

namespace bloometry {

/// Hashes an integer by shifts and two multiplications modulo 2^64, so that batches can hash four
/// or eight integers at once. Hashes all other keys with XXH3.
///
///     key of 8 bytes, the integer x:  lo = mix64(x ^ s), hi = a mix of lo;  else XXH3, 128 bits
///
/// The function mix64 is the finaliser of SplitMix64, and s is a mix of the seed. The digest of an
/// integer has 64 bits, and two different integers never have equal digests. A filter that uses
/// only lo (split_block, and standard with scheme remix) does not compute hi. Do not use
/// SplitMix64Xxh3Hasher for keys that an attacker can choose. The function mix64 can be inverted,
/// so an attacker with the seed can compute the integer that has a given lo. For keys that are not
/// integers, the digests and their limits equal those of Xxh3Hasher.
class SplitMix64Xxh3Hasher {
 public:
  static constexpr std::string_view kName = "splitmix64_xxh3";
  static constexpr bool kIsSeeded = true;
  static constexpr bool kIsWeak = false;
  static constexpr double kNumBits = 64;  // of an integer; other keys have 128 bits

  explicit SplitMix64Xxh3Hasher(std::uint64_t seed = 0) noexcept
      : others_(seed), integer_start_(mix64(seed + kGoldenGamma)) {}

  [[nodiscard, gnu::always_inline]] Digest operator()(KeyView key) const noexcept {
    if (key.size() != sizeof(std::uint64_t)) return others_(key);
    const auto word = load_little_endian<std::uint64_t>(key.data());
    return digest_of_64_bits(mix64(word ^ integer_start_));
  }

  /// Returns s, for code that hashes integers without calling the hasher. The word lo of an integer
  /// is mix64(key ^ integer_start()).
  [[nodiscard]] std::uint64_t integer_start() const noexcept { return integer_start_; }

  [[nodiscard]] IntegerHash integer_hash() const noexcept {
    return {IntegerHash::Kind::kMix64, {integer_start_}};
  }

  [[nodiscard]] std::uint64_t seed() const noexcept { return others_.seed(); }

  friend bool operator==(const SplitMix64Xxh3Hasher&,
                         const SplitMix64Xxh3Hasher&) noexcept = default;

 private:
  Xxh3Hasher others_;
  std::uint64_t integer_start_;
};

static_assert(SeededHasher<SplitMix64Xxh3Hasher>);

}  // namespace bloometry
