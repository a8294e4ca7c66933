#pragma once

#include <cstdint>

#include "core/hash/mix.hpp"
#include "core/hash/range_reduction.hpp"

namespace bloometry {

/// Generator of uniform random numbers (SplitMix64; Steele, Lea, Flood 2014). Generators with equal
/// seeds return equal sequences.
class Draws {
 public:
  explicit Draws(std::uint64_t seed) noexcept : state_(seed) {}

  /// Returns a random word.
  [[nodiscard]] std::uint64_t next_word() noexcept {
    state_ += kGoldenGamma;
    return mix64(state_);
  }

  /// Returns a random number in [0, range); `range` must not be 0.
  [[nodiscard]] std::uint64_t next(std::uint64_t range) noexcept {
    return fastrange(next_word(), range);
  }

 private:
  std::uint64_t state_;
};

}  // namespace bloometry
