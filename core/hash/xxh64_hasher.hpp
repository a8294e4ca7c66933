#pragma once

#include <cstdint>
#include <string_view>

#include "core/hash/hasher.hpp"
#include "core/hash/narrow_digest.hpp"
#include "core/hash/xxhash.hpp"

namespace bloometry {

/// Returns XXH64 of the xxHash library. The output of XXH64 has not changed since version 0.1.1.
/// Parquet's filters use XXH64 with seed 0.
[[nodiscard]] inline std::uint64_t xxh64(KeyView key, std::uint64_t seed) noexcept {
  return XXH64(key.data(), key.size(), seed);
}

/// Hasher whose two words are the XXH64 of a key and a mix of the XXH64. The digest has 64 bits,
/// and its computation needs one pass over the key. Do not use Xxh64Hasher for keys that an
/// attacker can choose.
class Xxh64Hasher {
 public:
  static constexpr std::string_view kName = "xxh64";
  static constexpr bool kIsSeeded = true;
  static constexpr bool kIsWeak = false;
  static constexpr double kNumBits = 64;

  explicit Xxh64Hasher(std::uint64_t seed = 0) noexcept : seed_(seed) {}

  [[nodiscard, gnu::always_inline]] Digest operator()(KeyView key) const noexcept {
    return digest_of_64_bits(xxh64(key, seed_));
  }

  [[nodiscard]] std::uint64_t seed() const noexcept { return seed_; }

  friend bool operator==(const Xxh64Hasher&, const Xxh64Hasher&) noexcept = default;

 private:
  std::uint64_t seed_;
};

static_assert(Hasher<Xxh64Hasher>);

}  // namespace bloometry
