#pragma once

#include "core/probe/double_hashing.hpp"

namespace bloometry {

/// Triple hashing modulo range. The index of probe i is a + i b + c i (i - 1) / 2. The words a, b
/// and c are derived from digest.lo, digest.hi and a mix of both words.
///
/// Source: Dillinger, Manolios (2004), "Bloom filters in probabilistic verification". At n = 100, k
/// = 14, m = 2048, the rate is 37 % above the rate of model W (theory 1.7). The scheme is for study
/// only.
class TripleModProbes {
 public:
  static constexpr std::string_view kName = "triple_mod";
  static constexpr ProbeModel kModel = ProbeModel::kWithReplacement;
  static constexpr bool kFollowsModel = false;
  static constexpr FoldRule kFold = FoldRule::kModulo;

  constexpr TripleModProbes(const Digest& digest, std::uint64_t range) noexcept
      : index_(digest.lo % range),
        stride_(digest.hi % range),
        change_(mix64(mix64(digest.lo + kGoldenGamma) ^ digest.hi) % range) {}

  constexpr std::uint64_t next(std::uint64_t range) noexcept {
    const std::uint64_t index = index_;
    index_ = add_modulo(index_, stride_, range);
    stride_ = add_modulo(stride_, change_, range);
    return index;
  }

 private:
  std::uint64_t index_;
  std::uint64_t stride_;
  std::uint64_t change_;
};

static_assert(ProbePolicy<TripleModProbes>);

}  // namespace bloometry
