#pragma once

#include <cstdint>

namespace bloometry {

/// Sixteen 4-bit lanes in a 64-bit word, all treated at once and without branches.
namespace nibbles {

inline constexpr std::uint64_t kTops = 0x8888888888888888ULL;

/// 15 in every lane of x that is at least y's.
///
/// The low three bits are compared by a subtraction that cannot borrow from the next lane, since
/// the top bit of x is set first; the top bits then decide unless they are equal.
[[nodiscard]] constexpr std::uint64_t at_least(std::uint64_t x, std::uint64_t y) noexcept {
  const std::uint64_t low = (x | kTops) - (y & ~kTops);
  const std::uint64_t top = ((x & ~y) | (~(x ^ y) & low)) & kTops;
  return top | (top - (top >> 3U));
}

/// The greater in every lane.
[[nodiscard]] constexpr std::uint64_t max(std::uint64_t x, std::uint64_t y) noexcept {
  return y ^ ((x ^ y) & at_least(x, y));
}

}  // namespace nibbles
}  // namespace bloometry
