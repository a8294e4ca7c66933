#pragma once

#include "core/hash/mix.hpp"
#include "core/hash/range_reduction.hpp"
#include "core/probe/probe_policy.hpp"

namespace bloometry {

/// Default scheme, "remix". The word word_0 is digest.lo made odd, and word_{i+1} is word_i times
/// an odd constant modulo 2^64. The function fastrange reduces each word. The scheme needs one
/// multiplication per word. In simulations, the probes cannot be distinguished from independent
/// probes (theory 1.7).
///
/// The scheme uses digest.lo only. All words are odd, and the low bits of the words have short
/// periods. Use only the high bits of a word.
class RemixProbes {
 public:
  static constexpr std::string_view kName = "remix";
  static constexpr ProbeModel kModel = ProbeModel::kWithReplacement;
  static constexpr bool kFollowsModel = true;
  static constexpr FoldRule kFold = FoldRule::kFastrange;
  static constexpr bool kUsesDigestHi = false;
  static constexpr DigestBits kDigestBits = {.num = 63};  // bit 0 of the first word is always 1

  constexpr RemixProbes(const Digest& digest, std::uint64_t /*range*/) noexcept
      : word_(digest.lo | 1U) {}

  constexpr std::uint64_t next_word() noexcept {
    const std::uint64_t word = word_;
    word_ *= kRemixMultiplier;
    return word;
  }

  constexpr std::uint64_t next(std::uint64_t range) noexcept {
    return fastrange(next_word(), range);
  }

 private:
  std::uint64_t word_;
};

static_assert(WordProbePolicy<RemixProbes>);

}  // namespace bloometry
