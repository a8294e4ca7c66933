#pragma once

#include <bit>
#include <cstdint>

/// Operations on the sixteen 4-bit counters of a word at once. Counter i is bits 4i to 4i + 3. A
/// set of counters is represented by a word in which the lowest bit of each counter of the set is
/// 1.
namespace bloometry::nibbles {

inline constexpr unsigned kMaxValue = 15;
inline constexpr std::uint64_t kAll = 0x1111111111111111ULL;

/// Returns the set of the word's counters that are not 0.
[[nodiscard]] constexpr std::uint64_t nonzero(std::uint64_t word) noexcept {
  const std::uint64_t pairs = word | word >> 1U;
  return (pairs | pairs >> 2U) & kAll;
}

/// Returns the set of the word's counters that are at their maximum.
[[nodiscard]] constexpr std::uint64_t saturated(std::uint64_t word) noexcept {
  const std::uint64_t pairs = word & word >> 1U;
  return pairs & pairs >> 2U & kAll;
}

[[nodiscard]] constexpr unsigned count(std::uint64_t set) noexcept {
  return static_cast<unsigned>(std::popcount(set));
}

}  // namespace bloometry::nibbles
