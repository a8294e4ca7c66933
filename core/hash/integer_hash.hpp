#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>

namespace bloometry {

/// Formula and constants with which a hasher hashes integers, for code that hashes several integers
/// at once. The function integer_hash() of a hasher returns its IntegerHash.
struct IntegerHash {
  enum class Kind : unsigned char { kMix64, kFoldedMultiply, kAes, kXxh3 };
  static constexpr std::size_t kNumKinds = 4;
  /// Number of AES rounds of kAes.
  static constexpr unsigned kNumAesRounds = 3;

  Kind kind;
  /// Constants that depend on the seed. For kMix64 and kXxh3, words[0] is XORed with the key. For
  /// kFoldedMultiply, words[0] is XORed with the key, and words[1] is XORed with the rotated key.
  /// For kAes, words[0] and words[1] are the round key, and words[2] and words[3] are the start.
  /// The low word of the round key and of the start comes first.
  std::uint64_t words[4];

  friend bool operator==(const IntegerHash&, const IntegerHash&) = default;
};

/// A hasher whose formula for integers is available to batches.
template <class H>
concept HashesIntegers = requires(const H& hasher) {
  { hasher.integer_hash() } -> std::same_as<IntegerHash>;
};

}  // namespace bloometry
