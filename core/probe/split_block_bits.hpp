#pragma once

#include <cstdint>

namespace bloometry::block {

/// Multipliers (salts) of the eight lanes of a split block. Source: Apache Parquet's format
/// specification, "Bloom Filter".
inline constexpr std::uint32_t kSalts[8] = {0x47b6137b, 0x44974d91, 0x8824ad5b, 0xa2b7289d,
                                            0x705495c7, 0x2df1424b, 0x9efc4947, 0x5c6bfb31};

/// Returns the block number of a hash; num_blocks < 2^31. The function split_block_bit returns the
/// bit number of a hash in a lane. Both functions follow Parquet's specification. The functions are
/// always inlined, because a copy compiled for one instruction set must not be used for another.
[[gnu::always_inline]] constexpr std::uint64_t split_block_of(std::uint64_t hash,
                                                              std::uint64_t num_blocks) noexcept {
  return ((hash >> 32U) * num_blocks) >> 32U;
}

[[gnu::always_inline]] constexpr unsigned split_block_bit(std::uint64_t hash,
                                                          unsigned lane) noexcept {
  return (static_cast<std::uint32_t>(hash) * kSalts[lane]) >> 27U;
}

}  // namespace bloometry::block
