#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include "core/isa/compiled_isa.hpp"
#include "core/store/prefetch.hpp"
#include "core/store/word_lanes.hpp"
#include "variants/cuckoo/semi_sorted_layout.hpp"
#include "variants/cuckoo/semi_sorting.hpp"

namespace bloometry {
inline namespace BLOOMETRY_COMPILED_ISA {

/// View of the semi-sorted buckets in the words of a BucketArray, which must outlive the view. It
/// has the functions of BucketWords. `set` sorts the bucket, so the cells can change their order.
/// Cells with the value 0 are empty and come first.
///
/// Each access reads or writes 64 bits from the byte in which its first bit lies. The padding of a
/// BucketArray follows its last cell for this reason.
template <unsigned kNumWords, class Word>
class SemiSortedBuckets {
  static_assert(std::endian::native == std::endian::little);
  static constexpr unsigned kCells = semi_sorting::kNumCells;
  static constexpr unsigned kWordCells = kCells / kNumWords;
  static constexpr std::uint64_t kCodeMask = (1U << semi_sorting::kCodeBits) - 1;
  /// Number of bits of a bucket before the word that SemiSortedLayout::fingerprints accepts.
  static constexpr unsigned kBitsBeforeRests = semi_sorting::kCodeBits - semi_sorting::kNibbleBits;

 public:
  SemiSortedBuckets(Word* words, const SemiSortedLayout& layout) noexcept
      : bytes_(reinterpret_cast<Byte*>(words)), layout_(&layout) {
    assert(layout.num_words() == kNumWords);
  }

  [[nodiscard]] static constexpr unsigned bucket_cells() noexcept { return kCells; }

  [[nodiscard]] std::uint64_t get(std::uint64_t bucket, unsigned cell) const noexcept {
    return cell_of(word(bucket, cell / kWordCells), cell);
  }

  void set(std::uint64_t bucket, unsigned cell, std::uint64_t value) noexcept {
    std::array<std::uint64_t, kCells> cells;
    for (unsigned i = 0; i < kCells; ++i) {
      cells[i] =
          i % kWordCells == 0 ? word(bucket, i / kWordCells) : cells[i - 1] >> fingerprint_bits();
    }
    for (std::uint64_t& bits : cells) bits &= lanes().lane_mask();
    cells[cell] = value;
    store(bucket, cells);
  }

  [[nodiscard]] std::uint64_t any_match(std::uint64_t bucket, std::uint64_t value,
                                        std::uint64_t limit) const noexcept {
    const std::uint64_t pattern = lanes().broadcast(value);
    std::uint64_t others = lanes().all();
    for (unsigned i = 0; i < kNumWords; ++i) {
      others &= lanes().at_least(limit, word(bucket, i) ^ pattern);
    }
    return others ^ lanes().all();
  }

  [[nodiscard]] std::uint64_t match(std::uint64_t bucket, std::uint64_t value,
                                    std::uint64_t limit) const noexcept {
    const std::uint64_t pattern = lanes().broadcast(value);
    return mask_of_cells([&](unsigned i) {
      return lanes().at_least(limit, word(bucket, i) ^ pattern) ^ lanes().all();
    });
  }

  [[nodiscard]] std::uint64_t occupied(std::uint64_t bucket) const noexcept {
    return mask_of_cells([&](unsigned i) { return lanes().at_least(1, word(bucket, i)); });
  }

  void prefetch_to_read(std::uint64_t bucket) const noexcept {
    bloometry::prefetch_to_read(bytes_ + first_bit(bucket) / 8);
  }

  void prefetch_to_write(std::uint64_t bucket) const noexcept {
    bloometry::prefetch_to_write(bytes_ + first_bit(bucket) / 8);
  }

 private:
  using Byte = std::conditional_t<std::is_const_v<Word>, const std::byte, std::byte>;

  [[nodiscard]] const WordLanes& lanes() const noexcept { return layout_->lanes(); }

  [[nodiscard]] unsigned fingerprint_bits() const noexcept { return layout_->fingerprint_bits(); }

  [[nodiscard]] std::uint64_t first_bit(std::uint64_t bucket) const noexcept {
    return bucket * layout_->bucket_bits();
  }

  /// Returns the bits from a bit of the array on, of which at least 57 are valid.
  [[nodiscard]] std::uint64_t bits_from(std::uint64_t bit) const noexcept {
    std::uint64_t word;
    std::memcpy(&word, bytes_ + bit / 8, sizeof word);
    return word >> bit % 8;
  }

  void set_bits(std::uint64_t bit, std::uint64_t mask, std::uint64_t value) noexcept {
    Byte* const address = bytes_ + bit / 8;
    std::uint64_t word;
    std::memcpy(&word, address, sizeof word);
    word ^= ((word >> bit % 8 ^ value) & mask) << bit % 8;
    std::memcpy(address, &word, sizeof word);
  }

  /// Returns word i of the bucket, with kWordCells fingerprints side by side.
  [[nodiscard, gnu::always_inline]] inline std::uint64_t word(std::uint64_t bucket,
                                                              unsigned i) const noexcept {
    const std::uint64_t bit = first_bit(bucket);
    const std::uint64_t start = bits_from(bit);
    const std::uint64_t nibbles = semi_sorting::kSortedNibbles[start & kCodeMask];
    if constexpr (kNumWords == 1) {
      return layout_->template fingerprints<kCells>(nibbles, start >> kBitsBeforeRests);
    }
    constexpr unsigned kWordNibbleBits = kWordCells * semi_sorting::kNibbleBits;
    return layout_->template fingerprints<kWordCells>(
        nibbles >> i * kWordNibbleBits & ((1U << kWordNibbleBits) - 1),
        bits_from(bit + kBitsBeforeRests + std::uint64_t{i} * kWordCells * layout_->rest_bits()));
  }

  [[nodiscard]] std::uint64_t cell_of(std::uint64_t word, unsigned cell) const noexcept {
    return word >> cell % kWordCells * fingerprint_bits() & lanes().lane_mask();
  }

  void store(std::uint64_t bucket, std::array<std::uint64_t, kCells>& cells) noexcept {
    // Rotated, so that the low nibble is the highest one.
    for (std::uint64_t& cell : cells) cell = std::rotr(cell, semi_sorting::kNibbleBits);
    sort(cells);
    const auto nibble = [&](unsigned i) { return cells[i] >> (64 - semi_sorting::kNibbleBits); };
    const std::uint64_t code = semi_sorting::code_of(nibble(0), nibble(1), nibble(2), nibble(3));
    const std::uint64_t bit = first_bit(bucket);
    const unsigned rest_bits = layout_->rest_bits();
    const std::uint64_t rest_mask = layout_->rest_mask();
    if constexpr (kNumWords == 1) {
      std::uint64_t rests = 0;
      for (unsigned i = kCells; i-- > 0;) rests = rests << rest_bits | (cells[i] & rest_mask);
      set_bits(bit, ~std::uint64_t{0} >> (64 - layout_->bucket_bits()),
               rests << semi_sorting::kCodeBits | code);
    } else {
      set_bits(bit, kCodeMask, code);
      for (unsigned i = 0; i < kCells; ++i) {
        set_bits(bit + semi_sorting::kCodeBits + std::uint64_t{i} * rest_bits, rest_mask, cells[i]);
      }
    }
  }

  /// Sorts four numbers with a network of five exchanges, without branches.
  static void sort(std::array<std::uint64_t, kCells>& cells) noexcept {
    const auto exchange = [&](unsigned i, unsigned j) {
      const std::uint64_t less = std::min(cells[i], cells[j]);
      cells[j] = std::max(cells[i], cells[j]);
      cells[i] = less;
    };
    exchange(0, 1);
    exchange(2, 3);
    exchange(0, 2);
    exchange(1, 3);
    exchange(1, 2);
  }

  /// Returns the mask of the cells that marks_of_word(i) marks in word i.
  template <class MarksOfWord>
  [[nodiscard]] std::uint64_t mask_of_cells(MarksOfWord marks_of_word) const noexcept {
    std::uint64_t mask = 0;
    for (unsigned i = 0; i < kNumWords; ++i) {
      mask |= lanes().mask_of(marks_of_word(i)) << i * kWordCells;
    }
    return mask;
  }

  Byte* bytes_;
  const SemiSortedLayout* layout_;
};

}  // namespace BLOOMETRY_COMPILED_ISA
}  // namespace bloometry
