#pragma once

#include <array>
#include <cstdint>

#include "core/hash/digest.hpp"
#include "core/hash/mix.hpp"
#include "core/probe/limits.hpp"
#include "core/probe/probe_policy.hpp"
#include "core/probe/remix.hpp"
#include "variants/age_partitioned/age_partitioned_sizing.hpp"

namespace bloometry {

/// Largest number of slices of an age-partitioned filter.
inline constexpr unsigned kMaxAgeSlices = kMaxNumHashes + kMaxAgeGenerations;

/// The words of a key in a scheme, in any order. A query of an age-partitioned filter skips slices,
/// and begins at any slice of the ring.
template <WordProbePolicy P>
class SliceWords {
 public:
  SliceWords(const Digest& digest, std::uint64_t num_bits) noexcept : probes_(digest, num_bits) {}

  /// Returns word i of the scheme, for i below kMaxAgeSlices. The object stores the words before
  /// it.
  [[nodiscard]] std::uint64_t word(unsigned i) noexcept {
    while (num_known_ <= i) words_[num_known_++] = probes_.next_word();
    return words_[i];
  }

 private:
  P probes_;
  unsigned num_known_ = 0;
  std::array<std::uint64_t, kMaxAgeSlices> words_;
};

/// Powers of the multiplier of the scheme remix, modulo 2^64.
inline constexpr auto kRemixPowers = [] {
  std::array<std::uint64_t, kMaxAgeSlices> powers{1};
  for (unsigned i = 1; i < kMaxAgeSlices; ++i) powers[i] = powers[i - 1] * kRemixMultiplier;
  return powers;
}();

/// The words of the scheme remix: word i is word 0 times power i of the multiplier.
template <>
class SliceWords<RemixProbes> {
 public:
  SliceWords() = default;

  SliceWords(const Digest& digest, std::uint64_t num_bits) noexcept
      : first_(RemixProbes(digest, num_bits).next_word()) {}

  [[nodiscard]] std::uint64_t word(unsigned i) const noexcept { return first_ * kRemixPowers[i]; }

 private:
  std::uint64_t first_;
};

}  // namespace bloometry
