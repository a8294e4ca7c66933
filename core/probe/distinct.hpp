#pragma once

#include <algorithm>
#include <array>
#include <cassert>

#include "core/probe/independent.hpp"
#include "core/probe/limits.hpp"

namespace bloometry {

/// Scheme "distinct" (model D) with independent probes and without repeated positions. If a
/// position was already used for the key, the scheme draws another position, so the first k
/// positions are a uniform k-subset (Bloom 1970). The scheme requires k <= range and k <=
/// kMaxNumHashes. The filter's constructor checks both conditions.
class DistinctProbes {
 public:
  static constexpr std::string_view kName = "distinct";
  static constexpr ProbeModel kModel = ProbeModel::kDistinct;
  static constexpr bool kFollowsModel = true;
  /// A filter with the scheme `distinct` cannot be folded, because the range determines which words
  /// give equal positions and are drawn again.
  static constexpr FoldRule kFold = FoldRule::kNone;

  constexpr DistinctProbes(const Digest& digest, std::uint64_t range) noexcept
      : words_(digest, range) {}

  constexpr std::uint64_t next(std::uint64_t range) noexcept {
    assert(num_drawn_ < drawn_.size() && num_drawn_ < range);
    std::uint64_t index = words_.next(range);
    while (was_drawn(index)) index = words_.next(range);
    drawn_[num_drawn_++] = index;
    return index;
  }

 private:
  [[nodiscard]] constexpr bool was_drawn(std::uint64_t index) const noexcept {
    return std::find(drawn_.begin(), drawn_.begin() + num_drawn_, index) !=
           drawn_.begin() + num_drawn_;
  }

  IndependentProbes words_;
  std::array<std::uint64_t, kMaxNumHashes> drawn_{};
  unsigned num_drawn_ = 0;
};

static_assert(ProbePolicy<DistinctProbes>);

}  // namespace bloometry
