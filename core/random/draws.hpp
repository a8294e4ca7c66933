#pragma once

#include <cstdint>

#include "core/hash/mix.hpp"
#include "core/hash/range_reduction.hpp"

namespace bloometry {

/// A generator of uniform random numbers; equal seeds give equal sequences (SplitMix64: Steele,
/// Lea, Flood 2014).
class Draws {
 public:
  explicit Draws(std::uint64_t seed) noexcept : state_(seed) {}

  /// Returns the next draw from [0, range), range > 0.
  [[nodiscard]] std::uint64_t next(std::uint64_t range) noexcept {
    state_ += kGoldenGamma;
    return fastrange(mix64(state_), range);
  }

 private:
  std::uint64_t state_;
};

}  // namespace bloometry
