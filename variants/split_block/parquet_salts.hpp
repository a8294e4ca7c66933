#pragma once

#include <cassert>
#include <cstdint>
#include <iterator>
#include <string_view>

#include "core/hash/digest.hpp"
#include "core/probe/probe_policy.hpp"
#include "core/probe/split_block_bits.hpp"

namespace bloometry {

/// Probe scheme "parquet_salts" of split-block filters, in which digest.lo is the 64-bit hash of
/// the Parquet specification. The low half of digest.lo selects one bit in each of eight lanes of
/// 32 bits. Index i is 32 i + (((low32 * salt_i) mod 2^32) >> 27). The high half of digest.lo
/// selects the block (split_block_of), so that block and bits depend on different bits of the hash.
/// The scheme does not use digest.hi.
///
/// Source: Apache Parquet, BloomFilter.md, after Apache Impala. The scheme uses eight odd salts.
/// The lanes of a random low half are nearly independent (model P). For 8 and more members in a
/// block, the proven upper bound of the rate is at most 2.8 % above model P, and measured rates
/// differ from model P by at most 1e-3 relative (theory 6.2). Two keys whose hashes have the same
/// low half set the same bits of a block, which adds n/z 2^-32 to the rate.
class ParquetSaltProbes {
 public:
  static constexpr std::string_view kName = "parquet_salts";
  static constexpr ProbeModel kModel = ProbeModel::kPartitioned;
  static constexpr bool kFollowsModel = true;
  static constexpr bool kUsesDigestHi = false;
  /// The patterns of all 2^32 low halves differ. The test "split_block: no two low halves set the
  /// same bits" tries all differences.
  static constexpr DigestBits kDigestBits = {.num = 32, .is_injective = true, .num_for_block = 32};
  static constexpr std::string_view kWhyNotExact =
      "the bits of a key in the eight lanes are computed from one word of 32 bits; measured rates "
      "above 1e-6 differ by less than 1e-3 from the rate of independent lanes";
  static constexpr unsigned kLaneBits = 32;
  static constexpr unsigned kNumLanes = std::size(block::kSalts);
  static constexpr unsigned kBlockBits = kNumLanes * kLaneBits;

  /// Generates kNumLanes indices. The argument `range` must be kBlockBits, the number of bits of a
  /// block.
  constexpr ParquetSaltProbes(const Digest& digest, [[maybe_unused]] std::uint64_t range) noexcept
      : low_half_(static_cast<std::uint32_t>(digest.lo)) {
    assert(range == kBlockBits);
  }

  constexpr std::uint64_t next(std::uint64_t /*range*/) noexcept {
    assert(lane_ < kNumLanes);
    const unsigned bit = block::split_block_bit(low_half_, lane_);
    return std::uint64_t{kLaneBits} * lane_++ + bit;
  }

 private:
  std::uint32_t low_half_;
  unsigned lane_ = 0;
};

static_assert(ProbePolicy<ParquetSaltProbes>);

}  // namespace bloometry
