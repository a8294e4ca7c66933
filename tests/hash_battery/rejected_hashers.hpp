#pragma once

#include <bit>
#include <cstdint>
#include <string_view>

#include "core/hash/aes_hasher.hpp"
#include "core/hash/little_endian.hpp"
#include "core/hash/mix.hpp"
#include "core/hash/narrow_digest.hpp"
#include "core/hash/range_reduction.hpp"

/// Hashes that were considered and rejected. All hashes except OneRoundBetweenBlocks are hashes of
/// integers. The battery must reject each hash in this file.
namespace bloometry::test {

/// Common form of the rejected hashes of integers. The function Rule::digest computes the digest
/// from an integer and a word derived from the seed.
template <class Rule>
struct RejectedHasher {
  static constexpr std::string_view kName = Rule::kName;
  static constexpr bool kIsSeeded = true;
  static constexpr bool kIsWeak = true;

  explicit RejectedHasher(std::uint64_t seed = 0) noexcept : word(mix64(seed + kGoldenGamma)) {}

  [[nodiscard]] Digest operator()(KeyView key) const noexcept {
    return Rule::digest(load_little_endian<std::uint64_t>(key.data()), word);
  }

  friend bool operator==(const RejectedHasher&, const RejectedHasher&) noexcept = default;

  std::uint64_t word;
};

/// Xors the two words of one product, without a seed. Boost.Bloom hashes integers by the rule
/// OneFold, because Boost's hash of an integer is the identity.
struct OneFold {
  static constexpr std::string_view kName = "one fold";

  static Digest digest(std::uint64_t key, std::uint64_t /*word*/) noexcept {
    return digest_of_64_bits(folded_multiply(key, kGoldenGamma));
  }
};

/// The rule OneFold with a seed.
struct OneSeededFold {
  static constexpr std::string_view kName = "one seeded fold";

  static Digest digest(std::uint64_t key, std::uint64_t word) noexcept {
    return digest_of_64_bits(folded_multiply(key ^ word, kRemixMultiplier));
  }
};

/// Computes each word of the digest by a shift, a product, another shift and another product.
struct XorshiftMultiply {
  static constexpr std::string_view kName = "xorshift-multiply-xorshift";

  static Digest digest(std::uint64_t key, std::uint64_t word) noexcept {
    key ^= word;
    key ^= key >> 32U;
    return from_multiply(key);
  }

  static Digest from_multiply(std::uint64_t key) noexcept {
    key *= kGoldenGamma;
    key ^= key >> 32U;
    return {key * kRemixMultiplier, key * kRootThreeGamma};
  }
};

/// The rule XorshiftMultiply without the first shift.
struct MultiplyXorshift {
  static constexpr std::string_view kName = "multiply-xorshift";

  static Digest digest(std::uint64_t key, std::uint64_t word) noexcept {
    return XorshiftMultiply::from_multiply(key ^ word);
  }
};

/// Returns folded_multiply as the first word of the digest. The second word is the high word of the
/// last product in folded_multiply. The high word is not mixed and never exceeds the multiplier.
struct HighWord {
  static constexpr std::string_view kName = "high word of a product";

  static Digest digest(std::uint64_t key, std::uint64_t word) noexcept {
    const auto [low, high] = multiply_wide(
        folded_multiply(key ^ word, std::rotl(key, 32) ^ mix64(word)), kRemixMultiplier);
    return {low ^ high, high};
  }
};

/// The integer hash of the family aes with fewer rounds than AesHasher.
template <unsigned kNumRounds>
struct AesOfRounds {
  static constexpr std::string_view kName = kNumRounds == 1 ? "aes of 1 round" : "aes of 2 rounds";

  static Digest digest(std::uint64_t key, std::uint64_t word) noexcept {
    const AesHasher hasher(word);
    const AesState state =
        aes_rounds(AesState{key, 0} ^ hasher.integer_start(), hasher.round_key(), kNumRounds);
    return {state.lo, state.hi};
  }
};

/// The family aes with only one round between blocks, for keys of more than 16 bytes.
class OneRoundBetweenBlocks {
 public:
  static constexpr std::string_view kName = "aes of 1 round between blocks";
  static constexpr bool kIsSeeded = true;
  static constexpr bool kIsWeak = true;

  explicit OneRoundBetweenBlocks(std::uint64_t seed = 0) noexcept : aes_(seed) {}

  [[nodiscard]] Digest operator()(KeyView key) const noexcept {
    const AesState& round_key = aes_.round_key();
    AesState chain = round_key ^ AesState { 0, key.size() * kRootThreeGamma };
    const char* end = key.data() + key.size();
    for (const char* block = key.data(); end - block > 16; block += 16) {
      chain = aes_rounds(chain ^ aes::Software::load_bytes(block), round_key, 1);
    }
    chain =
        aes_rounds(chain ^ aes::Software::load_bytes(end - 16), round_key, AesHasher::kNumRounds);
    return {chain.lo, chain.hi};
  }

  friend bool operator==(const OneRoundBetweenBlocks&,
                         const OneRoundBetweenBlocks&) noexcept = default;

 private:
  AesHasher aes_;
};

}  // namespace bloometry::test
