#pragma once

#include <array>
#include <cassert>
#include <cstdint>
#include <string_view>

#include "core/hash/digest.hpp"
#include "core/probe/probe_policy.hpp"

namespace bloometry {

/// Scheme "parquet_salts" of split-block filters: digest.lo is the 64-bit hash of the Parquet
/// specification. Its low half picks a bit in each of eight lanes of 32 bits: index i is 32 i +
/// ((low32 * salt_i) mod 2^32) >> 27. Its high half picks the block (parquet_block), so that both
/// draw on bits of their own; digest.hi is not used.
///
/// Source: Apache Parquet, BloomFilter.md, after Apache Impala; eight odd salts. With ideal low
/// halves the lanes are independent (model P); the salted products agree with that within 1e-3
/// relative (theory 6.2). Two keys with one low half in one block are one: n/z 2^-32 more.
class ParquetSaltProbes {
 public:
  static constexpr std::string_view kName = "parquet_salts";
  static constexpr ProbeModel kModel = ProbeModel::kPartitioned;
  static constexpr bool kFollowsModel = true;
  static constexpr bool kSpendsHi = false;
  static constexpr unsigned kLaneBits = 32;
  static constexpr std::array<std::uint32_t, 8> kSalts = {0x47b6137bU, 0x44974d91U, 0x8824ad5bU,
                                                          0xa2b7289dU, 0x705495c7U, 0x2df1424bU,
                                                          0x9efc4947U, 0x5c6bfb31U};
  static constexpr unsigned kNumLanes = kSalts.size();
  static constexpr unsigned kBlockBits = kNumLanes * kLaneBits;

  /// range is that of a block, kBlockBits. Has kNumLanes indices.
  constexpr ParquetSaltProbes(const Digest& digest, [[maybe_unused]] std::uint64_t range) noexcept
      : low_half_(static_cast<std::uint32_t>(digest.lo)) {
    assert(range == kBlockBits);
  }

  constexpr std::uint64_t next() noexcept {
    assert(lane_ < kNumLanes);
    const std::uint32_t bit = (low_half_ * kSalts[lane_]) >> 27U;
    return std::uint64_t{kLaneBits} * lane_++ + bit;
  }

 private:
  std::uint32_t low_half_;
  unsigned lane_ = 0;
};

static_assert(ProbePolicy<ParquetSaltProbes>);

/// The block of a key among num_blocks < 2^31: (high32 * num_blocks) >> 32.
[[nodiscard]] constexpr std::uint64_t parquet_block(const Digest& digest,
                                                    std::uint64_t num_blocks) noexcept {
  return ((digest.lo >> 32U) * num_blocks) >> 32U;
}

}  // namespace bloometry
