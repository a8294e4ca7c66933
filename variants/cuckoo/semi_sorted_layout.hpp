#pragma once

#include <cstdint>

#include "core/isa/compiled_isa.hpp"
#include "core/store/word_lanes.hpp"
#include "variants/cuckoo/semi_sorting.hpp"

namespace bloometry {
inline namespace BLOOMETRY_COMPILED_ISA {

/// Layout of a semi-sorted bucket of four fingerprints of f bits, which are sorted by their low
/// nibbles. The code of the four nibbles (semi_sorting.hpp) is in the lowest 12 bits. The rests
/// follow, the other f - 4 bits of each fingerprint. A bucket has 4 (f - 1) bits.
class SemiSortedLayout {
 public:
  /// Requires fingerprint_bits in [5, 56].
  explicit constexpr SemiSortedLayout(unsigned fingerprint_bits) noexcept
      : fingerprint_bits_(fingerprint_bits),
        rest_bits_(fingerprint_bits - semi_sorting::kNibbleBits),
        rest_mask_((std::uint64_t{1} << rest_bits_) - 1),
        lanes_(semi_sorting::kNumCells / num_words(), fingerprint_bits) {
    const unsigned num_cells = lanes_.num();
    const unsigned first_rest = semi_sorting::kNibbleBits;
    for (unsigned cell = 0; cell < num_cells; ++cell) {
      rests_ |= rest_mask_ << (first_rest + cell * rest_bits_);
    }
    if (num_cells == 1) return;
    // The second cell of each pair.
    upper_nibbles_ = 0xf0;
    upper_rests_ = rest_mask_ << (first_rest + rest_bits_);
    nibble_factor_ = (std::uint64_t{1} << rest_bits_) - 1;
    if (num_cells == 2) return;
    upper_nibbles_ |= upper_nibbles_ << 2 * fingerprint_bits;
    upper_rests_ |= upper_rests_ << 2 * fingerprint_bits;
    second_rests_ = (rest_mask_ << rest_bits_ | rest_mask_) << (first_rest + 2 * rest_bits_);
    nibble_pair_factor_ = (std::uint64_t{1} << 2 * rest_bits_) - 1;
  }

  /// Returns the number of words, 1, 2 or 4, for the four fingerprints side by side. The rests of
  /// the fingerprints of a word, and the 4 bits before them, can be read with one unaligned load of
  /// 64 bits. If there is one word, all bits of the bucket can.
  [[nodiscard]] constexpr unsigned num_words() const noexcept {
    if (fingerprint_bits_ <= 16) return 1;
    return fingerprint_bits_ <= 32 ? 2 : 4;
  }

  [[nodiscard]] constexpr std::uint64_t bucket_bits() const noexcept {
    return std::uint64_t{semi_sorting::kNumCells} * (fingerprint_bits_ - semi_sorting::kSavedBits);
  }

  [[nodiscard]] constexpr unsigned fingerprint_bits() const noexcept { return fingerprint_bits_; }

  [[nodiscard]] constexpr unsigned rest_bits() const noexcept { return rest_bits_; }

  [[nodiscard]] constexpr std::uint64_t rest_mask() const noexcept { return rest_mask_; }

  /// Returns the lanes of the fingerprints of a word.
  [[nodiscard]] constexpr const WordLanes& lanes() const noexcept { return lanes_; }

  /// Returns kNum fingerprints side by side, as many as a word has.
  /// @param nibbles the low nibbles side by side, and no other bits
  /// @param rests word with the rests side by side from bit 4 on; its other bits may have any value
  template <unsigned kNum>
  [[nodiscard, gnu::always_inline]] constexpr std::uint64_t fingerprints(
      std::uint64_t nibbles, std::uint64_t rests) const noexcept {
    rests &= rests_;
    if constexpr (kNum == 4) {
      nibbles = moved_up(nibbles, 0xff00, nibble_pair_factor_);
      rests = moved_up(rests, second_rests_, (1U << 8U) - 1);
    }
    if constexpr (kNum >= 2) {
      nibbles = moved_up(nibbles, upper_nibbles_, nibble_factor_);
      rests = moved_up(rests, upper_rests_, (1U << 4U) - 1);
    }
    return nibbles | rests;
  }

 private:
  /// Returns the word after its bits in the mask have moved up by as many bits as the factor has,
  /// all of which are 1. A product needs fewer instructions than a shift by a variable number.
  [[nodiscard, gnu::always_inline]] static constexpr std::uint64_t moved_up(
      std::uint64_t word, std::uint64_t mask, std::uint64_t factor) noexcept {
    return word + (word & mask) * factor;
  }

  unsigned fingerprint_bits_;
  unsigned rest_bits_;
  std::uint64_t rest_mask_;
  std::uint64_t rests_ = 0;         // all rests of a word, from bit 4 on
  std::uint64_t second_rests_ = 0;  // those of the second pair
  std::uint64_t upper_rests_ = 0;   // the upper one of each pair, when the pairs have moved
  std::uint64_t upper_nibbles_ = 0;
  std::uint64_t nibble_pair_factor_ = 0;
  std::uint64_t nibble_factor_ = 0;
  WordLanes lanes_;
};

}  // namespace BLOOMETRY_COMPILED_ISA

/// Returns the layout for fingerprint_bits in [5, 56], which lives until the program ends.
[[nodiscard]] const SemiSortedLayout& semi_sorted_layout(unsigned fingerprint_bits) noexcept;

}  // namespace bloometry
