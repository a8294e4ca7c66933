#pragma once

#include <cstdint>

namespace bloometry::block {

/// Number of lanes per block. A lane is one word of 64 bits, so a block is a cache line.
inline constexpr unsigned kNumLanes = 8;
inline constexpr unsigned kLaneFieldBits = 6;

/// Returns the position of a key's bit in a lane. The position is field `lane` of digest.lo; the
/// fields have 6 bits and are counted from the low end. The function lane_bit is always inlined,
/// because a copy compiled for one instruction set must not be used for another.
[[gnu::always_inline]] constexpr unsigned lane_bit(std::uint64_t lo, unsigned lane) noexcept {
  return static_cast<unsigned>(lo >> (kLaneFieldBits * lane)) % 64;
}

}  // namespace bloometry::block
