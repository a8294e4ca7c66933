#pragma once

#include <array>
#include <cstdint>

/// Codes of the sorted low nibbles of four fingerprints (Fan, Andersen, Kaminsky, Mitzenmacher
/// 2014, section 5.2). There are C(19, 4) = 3,876 multisets of four nibbles, so a code needs 12
/// bits instead of 16.
namespace bloometry::semi_sorting {

inline constexpr unsigned kNumCells = 4;
inline constexpr unsigned kNibbleBits = 4;
inline constexpr unsigned kCodeBits = 12;
inline constexpr unsigned kNumCodes = 3876;

/// Bits of memory that a cell does not need, because the nibbles are sorted.
inline constexpr unsigned kSavedBits = 1;

/// The sorted nibbles of each code. The smallest nibble is in the lowest bits. The codes from
/// kNumCodes on do not occur. They have the nibbles of code 0, so that a damaged table is not read
/// out of bounds.
extern const std::array<std::uint16_t, 1U << kCodeBits> kSortedNibbles;

/// kCodeTerms[i][x] is C(x + i, i + 1), the number of multisets of i + 1 nibbles below x.
inline constexpr auto kCodeTerms = [] {
  std::array<std::array<std::uint16_t, 16>, kNumCells> terms{};
  for (unsigned x = 0; x < 16; ++x) terms[0][x] = static_cast<std::uint16_t>(x);
  for (unsigned i = 1; i < kNumCells; ++i) {
    for (unsigned x = 1; x < 16; ++x) {
      terms[i][x] = static_cast<std::uint16_t>(terms[i][x - 1] + terms[i - 1][x]);
    }
  }
  return terms;
}();

/// Returns the code of four nibbles in ascending order, in [0, kNumCodes). The code of four zeros
/// is 0.
///
/// Source: the combinatorial number system (Knuth, The Art of Computer Programming 4A, 7.2.1.3).
[[nodiscard]] constexpr unsigned code_of(std::uint64_t a, std::uint64_t b, std::uint64_t c,
                                         std::uint64_t d) noexcept {
  return unsigned{kCodeTerms[0][a]} + kCodeTerms[1][b] + kCodeTerms[2][c] + kCodeTerms[3][d];
}

}  // namespace bloometry::semi_sorting
