#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>

namespace bloometry {

/// How a family hashes integers, for code that hashes several of them at once: the member
/// integer_hash() of a hasher gives it, and says of which formula it is.
struct IntegerHash {
  enum class Kind : unsigned char { kMix64, kFoldedMultiply, kAes };
  static constexpr std::size_t kNumKinds = 3;
  /// Rounds of kAes.
  static constexpr unsigned kNumAesRounds = 3;

  Kind kind;
  /// What the seed makes: kMix64 and kFoldedMultiply the words that are xored to the key and to the
  /// turned key; kAes the round key and the start, low words first.
  std::uint64_t words[4];

  friend bool operator==(const IntegerHash&, const IntegerHash&) = default;
};

/// A hasher whose hash of integers batches compute themselves.
template <class H>
concept HashesIntegers = requires(const H& hasher) {
  { hasher.integer_hash() } -> std::same_as<IntegerHash>;
};

}  // namespace bloometry
