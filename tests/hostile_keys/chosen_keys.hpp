#pragma once

#include <cstdint>
#include <cstring>
#include <string>

#include "core/hash/aes_hasher.hpp"
#include "core/hash/digest.hpp"
#include "core/hash/hasher.hpp"
#include "core/hash/key_view.hpp"
#include "core/hash/mix.hpp"
#include "core/hash/narrow_digest.hpp"
#include "core/hash/splitmix64_xxh3_hasher.hpp"

/// Keys that an attacker constructs, and tools to construct them.
namespace bloometry::test {

/// The two hashes of an attack: the attacker's hash and the filter's hash. The two hashes are equal
/// if the attacker has the seed or secret. Otherwise the attacker uses a hash with a guessed seed
/// or secret.
template <Hasher H>
struct Sides {
  H attacker;
  H filter;
};

/// Consecutive integers, each with the digests under the attacker's and the filter's hash.
template <Hasher H>
class Candidates {
 public:
  explicit Candidates(const Sides<H>& sides) noexcept : sides_(sides) {}

  /// Advances to the next key and returns the attacker's digest of this key.
  Digest next() noexcept { return sides_.attacker(IntegerKey(++key_).view()); }

  [[nodiscard]] std::uint64_t num_hashed() const noexcept { return key_; }

  /// Returns the filter's digest of the current key.
  [[nodiscard]] Digest as_stored() const noexcept { return as_stored(key_); }

  [[nodiscard]] Digest as_stored(std::uint64_t key) const noexcept {
    return sides_.filter(IntegerKey(key).view());
  }

 private:
  Sides<H> sides_;
  std::uint64_t key_ = 0;
};

/// 2^32 keys of 512 bytes that have the same XXH3 digest under every seed with the given low half.
///
/// For keys above 240 bytes, XXH3 combines each 8 bytes d of a key with 8 bytes s of its secret.
/// XXH3 adds the product of the halves of d ^ s to one lane, and d to the adjacent lane. If d and s
/// have the same low half, the product is 0 for any high half of d. The same lane of the next 64
/// bytes cancels the contribution of the high half. Source: xxHash, doc/xxhash_spec.md, "XXH3
/// Algorithm", long inputs.
class Xxh3Twins {
 public:
  explicit Xxh3Twins(std::uint32_t low_half_of_seed) noexcept
      : first_low_(static_cast<std::uint32_t>(kFirstSecret) + low_half_of_seed),
        second_low_(static_cast<std::uint32_t>(kSecondSecret) - low_half_of_seed) {}

  [[nodiscard]] std::string operator()(std::uint32_t which) const {
    std::string key(512, 'x');
    put(key, 0, first_low_, which);
    put(key, 64, second_low_, ~which + 1);
    return key;
  }

 private:
  // Words 0 and 1 of the library's default secret. A seed is added to the even words and subtracted
  // from the odd words.
  static constexpr std::uint64_t kFirstSecret = 0xbe4ba423396cfeb8ULL;
  static constexpr std::uint64_t kSecondSecret = 0x1cad21f72c81017cULL;

  static void put(std::string& key, std::size_t at, std::uint32_t low, std::uint32_t high) {
    std::memcpy(key.data() + at, &low, sizeof low);
    std::memcpy(key.data() + at + sizeof low, &high, sizeof high);
  }

  std::uint32_t first_low_;
  std::uint32_t second_low_;
};

/// 2^64 keys of 16 bytes that have the same folded_multiply digest under the given seed. The first
/// word of each key makes the product 0.
class FoldedMultiplyTwins {
 public:
  explicit FoldedMultiplyTwins(std::uint64_t seed) noexcept : first_(mix64(seed + kGoldenGamma)) {}

  [[nodiscard]] std::string operator()(std::uint64_t which) const {
    std::string key(16, 'x');
    std::memcpy(key.data(), &first_, sizeof first_);
    std::memcpy(key.data() + sizeof first_, &which, sizeof which);
    return key;
  }

 private:
  std::uint64_t first_;
};

/// 2^64 keys of 32 bytes that have the same aes digest under the given seed. The second 16 bytes of
/// a key cancel the state after the first 16 bytes.
class AesTwins {
 public:
  explicit AesTwins(std::uint64_t seed) noexcept : round_key_(AesHasher(seed).round_key()) {}

  [[nodiscard]] std::string operator()(std::uint64_t which) const {
    std::string key(32, 'x');
    const AesState first{which, 0};
    const AesState start = round_key_ ^ AesState { 0, key.size() * kRootThreeGamma };
    const AesState second = aes_rounds(start ^ first, round_key_, 2);
    std::memcpy(key.data(), &first, sizeof first);
    std::memcpy(key.data() + sizeof first, &second, sizeof second);
    return key;
  }

 private:
  AesState round_key_;
};

/// Returns the integer whose splitmix64_xxh3 digest has the given `lo`. The function inverts mix64.
inline std::uint64_t integer_of_lo(const SplitMix64Xxh3Hasher& hasher, std::uint64_t lo) noexcept {
  const auto undo_shift = [](std::uint64_t word, unsigned shift) {
    return word ^ word >> shift ^ word >> (2 * shift);  // shift > 64 / 3
  };
  lo = undo_shift(lo, 31) * 0x319642b2d24d8ec3ULL;  // inverses of mix64's multipliers modulo 2^64
  lo = undo_shift(lo, 27) * 0x96de1b173f119089ULL;
  return undo_shift(lo, 30) ^ hasher.integer_start();
}

}  // namespace bloometry::test
