#pragma once

#include <cstdint>

namespace bloometry {

// The functions in range_reduction.hpp are always inlined, because sources that are compiled for
// one instruction set also call them. Otherwise the linker could use the copy from such a source in
// all other sources.

/// 128-bit product of two words. Use WideProduct in code that needs both words, because g++ 12
/// multiplies twice if each word has its own expression.
struct WideProduct {
  std::uint64_t low;
  std::uint64_t high;
};

/// Returns the 128-bit product of a and b. All other code uses multiply_wide instead of the
/// compiler's 128-bit integer type.
[[gnu::always_inline]] constexpr WideProduct multiply_wide(std::uint64_t a,
                                                           std::uint64_t b) noexcept {
  __extension__ using Wide = unsigned __int128;
  const Wide product = static_cast<Wide>(a) * b;
  return {static_cast<std::uint64_t>(product), static_cast<std::uint64_t>(product >> 64)};
}

[[gnu::always_inline]] constexpr std::uint64_t multiply_high(std::uint64_t a,
                                                             std::uint64_t b) noexcept {
  return multiply_wide(a, b).high;
}

/// Returns the XOR of the two words of the 128-bit product of a and b. Every bit of the result
/// depends on all bits of both factors. If one factor is 0, the result is 0.
[[gnu::always_inline]] constexpr std::uint64_t folded_multiply(std::uint64_t a,
                                                               std::uint64_t b) noexcept {
  const WideProduct product = multiply_wide(a, b);
  return product.low ^ product.high;
}

/// Maps a uniform 64-bit word onto [0, range): floor(word * range / 2^64). Uses the high bits of
/// the word.
///
/// Source: Lemire (2019), "Fast random integer generation in an interval". The relative difference
/// between the probabilities of two cells is at most range / 2^64, which is below 1e-8 for 2^37
/// bits. Do not reduce the same word twice, because the two results would be correlated.
[[gnu::always_inline]] constexpr std::uint64_t fastrange(std::uint64_t word,
                                                         std::uint64_t range) noexcept {
  return multiply_high(word, range);
}

}  // namespace bloometry
