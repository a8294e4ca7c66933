#pragma once

#include <cassert>
#include <cstdint>
#include <string_view>

#include "core/hash/digest.hpp"
#include "core/probe/lane_bits.hpp"
#include "core/probe/probe_policy.hpp"

namespace bloometry {

/// Probe scheme "lane_fields" of lanes filters. For i = 0 to 7, index i is 64 i + field i, where
/// field i consists of the bits 6i to 6i + 5 of digest.lo. The fields of a uniform word are
/// independent and uniform, so model P holds exactly. The scheme does not use the high 16 bits of
/// digest.lo. The word digest.hi selects the block.
class LaneFieldProbes {
 public:
  static constexpr std::string_view kName = "lane_fields";
  static constexpr ProbeModel kModel = ProbeModel::kPartitioned;
  static constexpr bool kFollowsModel = true;
  static constexpr bool kUsesDigestHi = false;
  static constexpr DigestBits kDigestBits = {.num = 8 * block::kLaneFieldBits, .are_fields = true};
  static constexpr unsigned kLaneBits = 64;
  static constexpr unsigned kNumLanes = block::kNumLanes;
  static constexpr unsigned kBlockBits = kNumLanes * kLaneBits;

  /// Generates kNumLanes indices. The argument `range` must be kBlockBits, the number of bits of a
  /// block.
  constexpr LaneFieldProbes(const Digest& digest, [[maybe_unused]] std::uint64_t range) noexcept
      : lo_(digest.lo) {
    assert(range == kBlockBits);
  }

  constexpr std::uint64_t next(std::uint64_t /*range*/) noexcept {
    assert(lane_ < kNumLanes);
    const unsigned bit = block::lane_bit(lo_, lane_);
    return std::uint64_t{kLaneBits} * lane_++ + bit;
  }

 private:
  std::uint64_t lo_;
  unsigned lane_ = 0;
};

static_assert(ProbePolicy<LaneFieldProbes>);

}  // namespace bloometry
