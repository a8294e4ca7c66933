#pragma once

#include <cstdint>

#include "core/hash/digest.hpp"
#include "core/hash/mix.hpp"
#include "core/hash/range_reduction.hpp"

namespace bloometry {

/// Generator of numbers that are independent of the positions of a key's probes. A
/// variable-increment filter uses the numbers as increments. The function next(range) returns the
/// next number in [0, range).
///
/// The first word is mix64(mix64(lo + sqrt(2) constant) ^ hi) made odd. The other words form the
/// multiplicative sequence of RemixProbes. The first word is computed from both halves of the
/// digest with a constant that the probe schemes do not use. The increments are therefore
/// independent of the positions of all schemes, including schemes that use digest.hi. All words are
/// odd, and their low bits have short periods. The function next() therefore uses only the high
/// bits, by fastrange.
class IncrementWords {
 public:
  explicit constexpr IncrementWords(const Digest& digest) noexcept
      : word_(mix64(mix64(digest.lo + kRootTwoGamma) ^ digest.hi) | 1U) {}

  constexpr std::uint64_t next(std::uint64_t range) noexcept {
    const std::uint64_t word = word_;
    word_ *= kRemixMultiplier;
    return fastrange(word, range);
  }

 private:
  std::uint64_t word_;
};

}  // namespace bloometry
