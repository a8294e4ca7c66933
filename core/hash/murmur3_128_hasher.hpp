#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "core/hash/hasher.hpp"
#include "core/hash/little_endian.hpp"

namespace bloometry {
namespace murmur3 {

/// Multipliers of the two lanes (Appleby, MurmurHash3_x64_128).
inline constexpr std::uint64_t kC1 = 0x87c37b91114253d5ULL;
inline constexpr std::uint64_t kC2 = 0x4cf5ad432745937fULL;

constexpr std::uint64_t scramble_1(std::uint64_t word) noexcept {
  return std::rotl(word * kC1, 31) * kC2;
}

constexpr std::uint64_t scramble_2(std::uint64_t word) noexcept {
  return std::rotl(word * kC2, 33) * kC1;
}

constexpr std::uint64_t finalize(std::uint64_t word) noexcept {
  word = (word ^ (word >> 33U)) * 0xff51afd7ed558ccdULL;
  word = (word ^ (word >> 33U)) * 0xc4ceb9fe1a85ec53ULL;
  return word ^ (word >> 33U);
}

}  // namespace murmur3

/// Returns {h1, h2} of MurmurHash3 x64 128 (Appleby 2011). Both lanes start at the seed. In the
/// original, it has 32 bits; other programs also use 64 bits. With seed 0, the digest of the empty
/// key is {0, 0}. If the seed equals the length of a key of at most 8 bytes, the second lane
/// remains 0. The two words are then 2x and 3x of one number x, so lo is always even. A random seed
/// of 64 bits almost never equals the length of a key. The function is always inlined, because the
/// linker must not use a copy that was compiled for another instruction set
/// (core/isa/compiled_isa.hpp).
[[nodiscard, gnu::always_inline]] inline Digest murmur3_x64_128(KeyView key,
                                                                std::uint64_t seed) noexcept {
  using namespace murmur3;
  std::uint64_t h1 = seed;
  std::uint64_t h2 = seed;
  const char* bytes = key.data();
  std::size_t left = key.size();
  for (; left >= 16; left -= 16, bytes += 16) {
    h1 ^= scramble_1(load_little_endian<std::uint64_t>(bytes));
    h1 = (std::rotl(h1, 27) + h2) * 5 + 0x52dce729U;
    h2 ^= scramble_2(load_little_endian<std::uint64_t>(bytes + 8));
    h2 = (std::rotl(h2, 31) + h1) * 5 + 0x38495ab5U;
  }
  if (left > 8) h2 ^= scramble_2(load_tail(bytes + 8, left - 8));
  if (left >= 8) {
    h1 ^= scramble_1(load_little_endian<std::uint64_t>(bytes));
  } else {
    h1 ^= scramble_1(load_tail(bytes, left));
  }
  h1 ^= key.size();
  h2 ^= key.size();
  h1 += h2;
  h2 += h1;
  h1 = finalize(h1);
  h2 = finalize(h2);
  h1 += h2;
  h2 += h1;
  return {h1, h2};
}

/// MurmurHash3 x64 128, the hash of Guava, bits-and-blooms/bloom and many other libraries. The
/// words of the digest equal the published words. Do not use Murmur3128Hasher for keys that an
/// attacker can choose, because some known keys collide under every seed.
class Murmur3128Hasher {
 public:
  static constexpr std::string_view kName = "murmur3_128";
  static constexpr bool kIsSeeded = true;
  static constexpr bool kIsWeak = false;

  explicit Murmur3128Hasher(std::uint64_t seed = 0) noexcept : seed_(seed) {}

  [[nodiscard, gnu::always_inline]] Digest operator()(KeyView key) const noexcept {
    return murmur3_x64_128(key, seed_);
  }

  [[nodiscard]] std::uint64_t seed() const noexcept { return seed_; }

  friend bool operator==(const Murmur3128Hasher&, const Murmur3128Hasher&) noexcept = default;

 private:
  std::uint64_t seed_;
};

static_assert(Hasher<Murmur3128Hasher>);

}  // namespace bloometry
