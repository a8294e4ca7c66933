#pragma once

#include <cstdint>

namespace bloometry {

/// Functions on sixteen 4-bit lanes in a 64-bit word. The functions process all lanes together and
/// without branches.
namespace nibbles {

inline constexpr std::uint64_t kTops = 0x8888888888888888ULL;

/// Returns a word with 15 in every lane in which x is at least y, and 0 in all other lanes.
///
/// A subtraction compares the low three bits. The subtraction cannot borrow from the next lane,
/// because the function first sets the top bit of x. If the top bits of x and y differ, the top
/// bits determine the result.
[[nodiscard]] constexpr std::uint64_t at_least(std::uint64_t x, std::uint64_t y) noexcept {
  const std::uint64_t low = (x | kTops) - (y & ~kTops);
  const std::uint64_t top = ((x & ~y) | (~(x ^ y) & low)) & kTops;
  return top | (top - (top >> 3U));
}

/// Returns the maximum of x and y in every lane.
[[nodiscard]] constexpr std::uint64_t max(std::uint64_t x, std::uint64_t y) noexcept {
  return y ^ ((x ^ y) & at_least(x, y));
}

}  // namespace nibbles
}  // namespace bloometry
