#pragma once

#include <cstdint>

#include "core/hash/digest.hpp"
#include "core/hash/mix.hpp"
#include "core/hash/range_reduction.hpp"

namespace bloometry {

/// Numbers that go with a key's probes but say nothing of where they land: the increments of a
/// variable-increment filter. next(range) is the next one in [0, range).
///
/// word_0 = mix64(mix64(lo + sqrt(2) constant) ^ hi) made odd, then the multiplicative sequence of
/// RemixProbes. The first word depends on both halves of the digest through a constant that no
/// probe scheme uses, so it is independent of the positions of all of them, also of those that
/// spend digest.hi. The words stay odd and their low bits cycle: fastrange takes the high bits.
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
