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

  /// Returns a random number in [0, range); `range` must not be 0.
  [[nodiscard]] std::uint64_t next(std::uint64_t range) noexcept {
    state_ += kGoldenGamma;
    return fastrange(mix64(state_), range);
  }

 private:
  std::uint64_t state_;
};

}  // namespace bloometry
