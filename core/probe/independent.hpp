#pragma once

#include "core/hash/mix.hpp"
#include "core/hash/range_reduction.hpp"
#include "core/probe/probe_policy.hpp"

namespace bloometry {

/// Scheme "independent", in which every probe is a separate 64-bit mix of the whole digest, reduced
/// by fastrange. The scheme `independent` is the reference for the other schemes, because it
/// follows model W as closely as a deterministic function can. The scheme uses digest.lo and
/// digest.hi.
class IndependentProbes {
 public:
  static constexpr std::string_view kName = "independent";
  static constexpr ProbeModel kModel = ProbeModel::kWithReplacement;
  static constexpr bool kFollowsModel = true;
  static constexpr FoldRule kFold = FoldRule::kFastrange;

  constexpr IndependentProbes(const Digest& digest, std::uint64_t /*range*/) noexcept
      : state_(digest.lo), key_(digest.hi) {}

  constexpr std::uint64_t next_word() noexcept {
    state_ += kGoldenGamma;
    return mix64(mix64(state_) ^ key_);
  }

  constexpr std::uint64_t next(std::uint64_t range) noexcept {
    return fastrange(next_word(), range);
  }

 private:
  std::uint64_t state_;
  std::uint64_t key_;
};

static_assert(WordProbePolicy<IndependentProbes>);

}  // namespace bloometry
