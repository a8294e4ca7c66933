#pragma once

#include <cstdint>

namespace bloometry {

// Always inlined: sources that are compiled for one instruction set call them too, and the linker
// must not find a copy there that it could give to others.

/// High word of the 128-bit product. The only place that names the compiler's 128-bit integer.
[[gnu::always_inline]] constexpr std::uint64_t multiply_high(std::uint64_t a,
                                                             std::uint64_t b) noexcept {
  __extension__ using Wide = unsigned __int128;
  return static_cast<std::uint64_t>((static_cast<Wide>(a) * b) >> 64);
}

/// The two words of the 128-bit product, xored: every bit of the result depends on all bits of both
/// factors. A factor of 0 gives 0, whatever the other.
[[gnu::always_inline]] constexpr std::uint64_t folded_multiply(std::uint64_t a,
                                                               std::uint64_t b) noexcept {
  return multiply_high(a, b) ^ (a * b);
}

/// Maps a uniform 64-bit word onto [0, range): floor(word * range / 2^64). Uses the word's high
/// bits.
///
/// Source: Lemire (2019), "Fast random integer generation in an interval". Cells differ in
/// probability by at most range / 2^64 relative, below 1e-8 for 2^37 bits. Never reduce one word
/// twice: the two results would be correlated.
[[gnu::always_inline]] constexpr std::uint64_t fastrange(std::uint64_t word,
                                                         std::uint64_t range) noexcept {
  return multiply_high(word, range);
}

}  // namespace bloometry
