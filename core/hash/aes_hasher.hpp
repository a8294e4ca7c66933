#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "core/hash/aes_rounds.hpp"
#include "core/hash/hasher.hpp"
#include "core/hash/integer_hash.hpp"
#include "core/hash/little_endian.hpp"
#include "core/hash/mix.hpp"
#include "core/hash/narrow_digest.hpp"
#include "core/isa/isa.hpp"

#if defined(__x86_64__)
#include "core/hash/aes_instructions_x86_64.hpp"
#else
#include "core/hash/aes_instructions_none.hpp"
#endif

namespace bloometry {

/// Fastest family of core/hash for keys of at most 64 bytes, if the processor has AES instructions.
/// Without them, software computes the same digests, but more slowly than xxh3
/// (core/hash/README.md). The construction of AesHasher is not taken from a publication.
///
/// Let s be 16 bytes that consist of two mixes of the seed, and let R(x) be a round of AES with
/// round key s. The digest (lo, hi) is
///
///     c = s ^ (0, size sqrt3);  for every 16 bytes u but the last 1 to 16:  c = R(R(c ^ u))
///
///     (lo, hi) = R(R(R(c ^ v)))
///
/// The block v is the last 16 bytes of the key. A key of fewer than 16 bytes is padded with zeros.
/// Words are little-endian. With fewer than kNumRounds rounds at the end, or fewer than two rounds
/// between blocks, keys with patterns are not hashed uniformly (core/hash/decisions.md).
///
/// The digest has 128 bits. Do not use AesHasher for keys that an attacker can choose, because
/// rounds of AES can be inverted. For a chosen digest and any first 16 bytes of a key, an attacker
/// with the seed can compute the next 16 bytes. A secret seed does not prevent collisions. With 2
/// rounds between blocks, two keys with chosen differences in two blocks collide with probability
/// about 2^-30 under a random seed.
class AesHasher {
 public:
  static constexpr std::string_view kName = "aes";
  static constexpr bool kIsSeeded = true;
  static constexpr bool kIsWeak = false;

  /// Number of AES rounds after the last block.
  static constexpr unsigned kNumRounds = 3;

  explicit AesHasher(std::uint64_t seed = 0) noexcept
      : round_key_{mix64(seed + kGoldenGamma), mix64(seed + kRootTwoGamma)},
        integer_start_(round_key_ ^ AesState{0, sizeof(std::uint64_t) * kRootThreeGamma}),
        seed_(seed),
        has_instructions_(uses_aes_instructions()) {}

  // The operator is always inlined, so that code that hashes integers contains the 8 instructions
  // of the hash instead of a call.
  [[nodiscard, gnu::always_inline]] Digest operator()(KeyView key) const noexcept {
    Digest digest = aes::Instructions::kExist && has_instructions_ ? hash<aes::Instructions>(key)
                                                                   : hash_elsewhere(*this, key);
    // The asm statements force each word into a separate general register. Otherwise g++ 12 would
    // keep both words in one vector register and separate them by MOVHLPS. MOVHLPS depends on the
    // previous value of its target register. In a loop, the previous value is the answer for the
    // previous key, so queries of lanes filters would need three times as long.
    asm("" : "+r"(digest.lo));
    asm("" : "+r"(digest.hi));
    return digest;
  }

  /// Returns the digest of a key, computed without AES instructions.
  [[nodiscard, gnu::pure]] Digest hash_by_software(KeyView key) const noexcept;

  /// Returns the round key, for code that hashes integers without calling the hasher. The digest of
  /// an integer is the result of kNumRounds rounds with round_key() on {key, 0} ^ integer_start().
  [[nodiscard]] const AesState& round_key() const noexcept { return round_key_; }

  [[nodiscard]] const AesState& integer_start() const noexcept { return integer_start_; }

  [[nodiscard]] IntegerHash integer_hash() const noexcept {
    static_assert(kNumRounds == IntegerHash::kNumAesRounds);
    return {IntegerHash::Kind::kAes,
            {round_key_.lo, round_key_.hi, integer_start_.lo, integer_start_.hi}};
  }

  [[nodiscard]] std::uint64_t seed() const noexcept { return seed_; }

  friend bool operator==(const AesHasher&, const AesHasher&) noexcept = default;

 private:
  /// Hashes by software. An integer is passed as a value, so that its bytes stay in a register. The
  /// hasher is also passed as a value, because a loop would otherwise load the hasher's words for
  /// every key.
  [[nodiscard, gnu::always_inline]] static Digest hash_elsewhere(AesHasher hasher,
                                                                 KeyView key) noexcept {
    if (key.size() != sizeof(std::uint64_t)) return hasher.hash_by_software(key);
    return hasher.hash_integer_by_software(load_little_endian<std::uint64_t>(key.data()));
  }

  // The function is declared pure, so that a loop with a call of the function keeps the words of a
  // filter in registers.
  [[nodiscard, gnu::pure]] Digest hash_integer_by_software(std::uint64_t word) const noexcept;

  template <class Body>
  [[nodiscard, gnu::always_inline]] Digest hash(KeyView key) const noexcept {
    if (key.size() != sizeof(std::uint64_t)) return hash_bytes<Body>(key);
    return hash_integer<Body>(load_little_endian<std::uint64_t>(key.data()));
  }

  template <class Body>
  [[nodiscard, gnu::always_inline]] Digest hash_integer(std::uint64_t word) const noexcept {
    return finish<Body>(Body::load(integer_start_), Body::of_words(word, 0));
  }

  template <class Body>
  [[nodiscard, gnu::always_inline]] Digest hash_bytes(KeyView key) const noexcept {
    constexpr std::size_t kBlock = sizeof(AesState);
    const char* bytes = key.data();
    const char* end = bytes + key.size();
    auto chain = Body::of_words(round_key_.lo, round_key_.hi ^ key.size() * kRootThreeGamma);
    if (key.size() <= kBlock) return finish<Body>(chain, short_block<Body>(bytes, key.size()));
    for (; end - bytes > static_cast<std::ptrdiff_t>(kBlock); bytes += kBlock) {
      chain = Body::template rounds<2>(Body::exclusive_or(chain, Body::load_bytes(bytes)),
                                       Body::load(round_key_));
    }
    return finish<Body>(chain, Body::load_bytes(end - kBlock));
  }

  template <class Body>
  [[nodiscard, gnu::always_inline]] Digest finish(
      const typename Body::Register& chain, const typename Body::Register& last) const noexcept {
    return Body::digest(
        Body::template rounds<kNumRounds>(Body::exclusive_or(chain, last), Body::load(round_key_)));
  }

  /// Returns the bytes of a key of at most 16 bytes, padded with zeros.
  template <class Body>
  [[gnu::always_inline]] static inline typename Body::Register short_block(
      const char* bytes, std::size_t size) noexcept {
    if (size < 8) return Body::of_words(load_tail(bytes, size), 0);
    const auto last = load_little_endian<std::uint64_t>(bytes + size - 8);
    return Body::of_words(load_little_endian<std::uint64_t>(bytes),
                          size == 8 ? 0 : last >> (8 * (16 - size)));
  }

  AesState round_key_;
  AesState integer_start_;
  std::uint64_t seed_;
  bool has_instructions_;
};

static_assert(SeededHasher<AesHasher>);

}  // namespace bloometry
