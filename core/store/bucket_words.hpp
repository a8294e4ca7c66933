#pragma once

#include <algorithm>
#include <bit>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include "core/isa/compiled_isa.hpp"
#include "core/store/prefetch.hpp"
#include "core/store/word_lanes.hpp"

namespace bloometry {
inline namespace BLOOMETRY_COMPILED_ISA {

/// Returns the number of words, 1, 2 or 4, into which the cells of a bucket are divided so that one
/// unaligned load of 64 bits reads all cells of a word. Returns 0 if no such number exists.
[[nodiscard]] constexpr unsigned num_bucket_words(unsigned bucket_cells,
                                                  unsigned cell_bits) noexcept {
  for (const unsigned num_words : {1U, 2U, 4U}) {
    const unsigned word_cells = bucket_cells / num_words;
    if (bucket_cells % num_words != 0 || word_cells > cell_bits) continue;
    // A word begins at a multiple of word_bits, and therefore up to most_shift bits after the first
    // bit of a byte.
    const unsigned word_bits = word_cells * cell_bits;
    const unsigned most_shift = 8U - std::min(8U, word_bits & (0U - word_bits));
    const bool lanes_can_count = cell_bits > 6 || bucket_cells < 1U << cell_bits;
    if (word_bits + most_shift <= 64 && lanes_can_count) return num_words;
  }
  return 0;
}

/// Result of BucketArray::examine.
struct BucketContents {
  std::uint64_t any_match;  ///< not 0 if and only if a cell matches
  std::uint64_t num_occupied;
};

/// View of the buckets of a BucketArray, which must outlive the view. Each function examines all
/// cells of a word at once, and returns the same result as the function of BucketArray, which
/// examines cell by cell. Loops hold the view by value (core/store/memory.hpp).
///
/// Each access reads 64 bits, and a write stores 64 bits, from the byte in which its first cell
/// begins. The padding of a BucketArray follows its last cell for this reason.
template <unsigned kNumWords, bool kStartsAtByte, class Word>
class BucketWords {
  // A byte offset into 64-bit words equals a bit offset only if the low byte comes first.
  static_assert(std::endian::native == std::endian::little);
  static_assert(kNumWords == 1 || kNumWords == 2 || kNumWords == 4);

 public:
  /// @param bucket_size size of a bucket, in bytes if kStartsAtByte is true, and otherwise in bits
  /// @param word_lanes lanes for the cells of one of the kNumWords words of a bucket
  BucketWords(Word* words, std::uint64_t bucket_size, unsigned cell_bits,
              const WordLanes& word_lanes) noexcept
      : bytes_(reinterpret_cast<Byte*>(words)),
        bucket_size_(bucket_size),
        cell_bits_(cell_bits),
        lanes_(word_lanes) {
    assert(kNumWords * word_lanes.num_bits() == (kStartsAtByte ? 8 * bucket_size : bucket_size));
  }

  [[nodiscard]] unsigned bucket_cells() const noexcept { return kNumWords * lanes_.num(); }

  [[nodiscard]] std::uint64_t get(std::uint64_t bucket, unsigned cell) const noexcept {
    const std::uint64_t bit = first_bit(bucket) + cell * cell_bits_;
    return load(bytes_ + bit / 8) >> bit % 8 & lanes_.lane_mask();
  }

  void set(std::uint64_t bucket, unsigned cell, std::uint64_t value) noexcept {
    const std::uint64_t bit = first_bit(bucket) + cell * cell_bits_;
    Byte* const address = bytes_ + bit / 8;
    std::uint64_t word = load(address);
    word ^= ((word >> bit % 8 ^ value) & lanes_.lane_mask()) << bit % 8;
    std::memcpy(address, &word, sizeof word);
  }

  [[nodiscard]] std::uint64_t any_match(std::uint64_t bucket, std::uint64_t value,
                                        std::uint64_t limit) const noexcept {
    const std::uint64_t pattern = lanes_.broadcast(value);
    std::uint64_t found = 0;
    for (unsigned i = 0; i < kNumWords; ++i) {
      found |= lanes_.any_below(limit, word(bucket, i) ^ pattern);
    }
    return found & lanes_.all();
  }

  [[nodiscard]] std::uint64_t match(std::uint64_t bucket, std::uint64_t value,
                                    std::uint64_t limit) const noexcept {
    const std::uint64_t pattern = lanes_.broadcast(value);
    return mask_of_cells([&](unsigned i) {
      return lanes_.at_least(limit, word(bucket, i) ^ pattern) ^ lanes_.all();
    });
  }

  [[nodiscard]] std::uint64_t occupied(std::uint64_t bucket) const noexcept {
    return mask_of_cells([&](unsigned i) { return lanes_.at_least(1, word(bucket, i)); });
  }

  [[nodiscard]] BucketContents examine(std::uint64_t bucket, std::uint64_t value,
                                       std::uint64_t limit) const noexcept {
    const std::uint64_t pattern = lanes_.broadcast(value);
    std::uint64_t found = 0;
    std::uint64_t counts = 0;
    for (unsigned i = 0; i < kNumWords; ++i) {
      const std::uint64_t cells = word(bucket, i);
      found |= lanes_.any_below(limit, cells ^ pattern);
      counts += lanes_.ones(lanes_.at_least(1, cells));
    }
    return {found & lanes_.all(), lanes_.sum(counts)};
  }

  void prefetch_to_read(std::uint64_t bucket) const noexcept {
    bloometry::prefetch_to_read(first_byte(bucket));
  }

  void prefetch_to_write(std::uint64_t bucket) const noexcept {
    bloometry::prefetch_to_write(first_byte(bucket));
  }

 private:
  using Byte = std::conditional_t<std::is_const_v<Word>, const std::byte, std::byte>;

  static std::uint64_t load(const std::byte* address) noexcept {
    std::uint64_t word;
    std::memcpy(&word, address, sizeof word);
    return word;
  }

  [[nodiscard]] std::uint64_t first_bit(std::uint64_t bucket) const noexcept {
    return bucket * (kStartsAtByte ? 8 * bucket_size_ : bucket_size_);
  }

  /// Returns the address of the byte in which the bucket begins.
  [[nodiscard]] Byte* first_byte(std::uint64_t bucket) const noexcept {
    if constexpr (kStartsAtByte) return bytes_ + bucket * bucket_size_;
    return bytes_ + first_bit(bucket) / 8;
  }

  /// Returns word i of the bucket. The bits above its cells belong to other cells.
  [[nodiscard]] std::uint64_t word(std::uint64_t bucket, unsigned i) const noexcept {
    const std::uint64_t bit_of_bucket = i * lanes_.num_bits();
    if constexpr (kStartsAtByte) {
      const std::uint64_t word = load(first_byte(bucket) + bit_of_bucket / 8);
      return i == 0 ? word : word >> bit_of_bucket % 8;
    }
    const std::uint64_t bit = first_bit(bucket) + bit_of_bucket;
    return load(bytes_ + bit / 8) >> bit % 8;
  }

  /// Returns the mask of the cells that marks_of_word(i) marks in word i.
  template <class MarksOfWord>
  [[nodiscard]] std::uint64_t mask_of_cells(MarksOfWord marks_of_word) const noexcept {
    std::uint64_t mask = 0;
    for (unsigned i = 0; i < kNumWords; ++i) {
      mask |= lanes_.mask_of(marks_of_word(i)) << i * lanes_.num();
    }
    return mask;
  }

  Byte* bytes_;
  std::uint64_t bucket_size_;
  unsigned cell_bits_;
  WordLanes lanes_;
};

}  // namespace BLOOMETRY_COMPILED_ISA
}  // namespace bloometry
