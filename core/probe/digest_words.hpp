#pragma once

#include <utility>

#include "core/hash/range_reduction.hpp"
#include "core/probe/probe_policy.hpp"

namespace bloometry {

/// Scheme "digest_words", for tables of fingerprints. The first word is digest.lo, and the second
/// word is digest.hi. Further words repeat these two, so a key must not use more than two words.
/// The words are uniform and independent, and no arithmetic is needed to compute them.
///
/// A table needs at most 64 bits per range, and its rate includes equal fingerprints. Unlike
/// probes, the words of a key therefore do not cause collisions in addition to those of the
/// fingerprints.
class DigestWordProbes {
 public:
  static constexpr std::string_view kName = "digest_words";
  static constexpr ProbeModel kModel = ProbeModel::kWithReplacement;
  static constexpr bool kFollowsModel = true;
  static constexpr DigestBits kDigestBits = {.num = 128, .are_fields = true};

  constexpr DigestWordProbes(const Digest& digest, std::uint64_t /*range*/) noexcept
      : digest_(digest) {}

  constexpr std::uint64_t next_word() noexcept {
    std::swap(digest_.lo, digest_.hi);
    return digest_.hi;
  }

  constexpr std::uint64_t next(std::uint64_t range) noexcept {
    return fastrange(next_word(), range);
  }

 private:
  Digest digest_;
};

static_assert(WordProbePolicy<DigestWordProbes>);

}  // namespace bloometry
