#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>

namespace bloometry {

/// The formula and the constants with which a family hashes integers, for code that hashes several
/// at once. The member integer_hash() of a hasher returns it.
struct IntegerHash {
  enum class Kind : unsigned char { kMix64, kFoldedMultiply, kAes, kXxh3 };
  static constexpr std::size_t kNumKinds = 4;
  /// Rounds of kAes.
  static constexpr unsigned kNumAesRounds = 3;

  Kind kind;
  /// Constants that depend on the seed. For kMix64, kXxh3 and kFoldedMultiply: the words that are
  /// XORed with the key and, for the last, with the rotated key. For kAes: the round key and the
  /// start, low words first.
  std::uint64_t words[4];

  friend bool operator==(const IntegerHash&, const IntegerHash&) = default;
};

/// A hasher whose formula for integers is available to batches.
template <class H>
concept HashesIntegers = requires(const H& hasher) {
  { hasher.integer_hash() } -> std::same_as<IntegerHash>;
};

}  // namespace bloometry
