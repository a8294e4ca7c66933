#pragma once

#include <algorithm>
#include <bit>
#include <cassert>
#include <cstdint>
#include <span>
#include <string>
#include <type_traits>
#include <utility>

#include "core/error.hpp"
#include "core/store/bucket_words.hpp"
#include "core/store/memory.hpp"
#include "core/store/prefetch.hpp"

namespace bloometry {

/// An array of num_buckets() buckets. A bucket has bucket_cells (1..64) cells of cell_bits (2..64)
/// bits each. The array is packed without gaps, in owned or borrowed memory. Cell j of bucket b is
/// cell i = b * bucket_cells + j of the array, and occupies the bits [i * cell_bits, (i+1) *
/// cell_bits) of the little-endian bit string. A cell with the value 0 is empty.
///
/// An access to a cell reads the two words at the start of the cell, so one word of padding follows
/// the array.
template <class Memory = OwnedMemory>
class BucketArray {
  static_assert(std::is_same_v<typename Memory::WordAccess, PlainAccess>,
                "cells straddle words: atomic access is not supported");

 public:
  static constexpr unsigned kMinCellBits = 2;
  static constexpr unsigned kMaxCellBits = 64;
  static constexpr unsigned kMaxBucketCells = 64;

  /// Returns the number of 64-bit words that the cells need, including padding, for callers that
  /// provide the memory.
  [[nodiscard]] static constexpr std::uint64_t num_words_for(std::uint64_t num_cells,
                                                             unsigned cell_bits) noexcept {
    return num_cells / 64 * cell_bits + (num_cells % 64 * cell_bits + 63) / 64 + 1;
  }

  /// Constructs an array of empty cells. The number of cells must be a multiple of bucket_cells.
  /// @param has_words false if the user of the cells never examines them by words
  /// @throws ConfigError if cell_bits or bucket_cells is out of range
  BucketArray(std::uint64_t num_cells, unsigned bucket_cells, unsigned cell_bits,
              const Memory& memory = {}, bool has_words = true)
      : words_(memory.allocate(num_words_for(num_cells, checked_bits(cell_bits)))),
        num_cells_(num_cells),
        bucket_cells_(checked_cells(bucket_cells)),
        cell_bits_(cell_bits),
        cell_mask_(~std::uint64_t{0} >> (64 - cell_bits)),
        view_(has_words ? view_number(bucket_cells, cell_bits) : 0),
        bucket_size_(starts_at_byte(bucket_cells, cell_bits) ? bucket_cells * cell_bits / 8
                                                             : bucket_cells * cell_bits),
        lanes_(lanes_of(view_ / 2, bucket_cells, cell_bits)) {
    assert(num_cells % bucket_cells == 0);
  }

  [[nodiscard]] std::uint64_t get(std::uint64_t bucket, unsigned cell) const noexcept {
    const Place place = place_of(bucket, cell);
    const std::uint64_t* word = words_.data() + place.word;
    // A shift by 64 would be undefined, so the second word is shifted in two steps.
    return (word[0] >> place.shift | word[1] << 1U << (63 - place.shift)) & cell_mask_;
  }

  void set(std::uint64_t bucket, unsigned cell, std::uint64_t value) noexcept {
    assert(value <= cell_mask_);
    const Place place = place_of(bucket, cell);
    const std::uint64_t change = get(bucket, cell) ^ value;
    std::uint64_t* word = words_.data() + place.word;
    word[0] ^= change << place.shift;
    word[1] ^= change >> 1U >> (63 - place.shift);
  }

  /// Returns call(buckets), where `buckets` is the view of the array with the fastest access: a
  /// BucketWords, or a BucketArray if the cells cannot be examined by words. Both have the
  /// functions get, set, match, any_match, occupied, examine and prefetch. Loops hold the view
  /// by value (core/store/memory.hpp).
  template <class Call>
  [[gnu::always_inline]] inline decltype(auto) with_words(Call call) noexcept {
    return with_words_or(call, [&] { return call(one_by_one()); });
  }

  template <class Call>
  [[gnu::always_inline]] inline decltype(auto) with_words(Call call) const noexcept {
    return with_words_or(call, [&] { return call(one_by_one()); });
  }

  /// Returns call(buckets) with a BucketWords, or otherwise() if the cells cannot be examined by
  /// words.
  template <class Call, class Otherwise>
  [[gnu::always_inline]] inline decltype(auto) with_words_or(Call call,
                                                             Otherwise otherwise) noexcept {
    return with_words_of(words_.data(), call, otherwise);
  }

  template <class Call, class Otherwise>
  [[gnu::always_inline]] inline decltype(auto) with_words_or(Call call,
                                                             Otherwise otherwise) const noexcept {
    return with_words_of(words_.data(), call, otherwise);
  }

  /// Returns a view that examines the cells one by one.
  [[nodiscard]] auto one_by_one() noexcept { return view_of(words_.data()); }

  [[nodiscard]] auto one_by_one() const noexcept { return view_of(words_.data()); }

  /// Returns a mask whose bit j is 1 if (c XOR value) < limit for the value c of cell j of the
  /// bucket. With the limit 1, these are the cells that are equal to the value. Requires limit in
  /// [1, 2^(cell_bits - 1)].
  [[nodiscard]] std::uint64_t match(std::uint64_t bucket, std::uint64_t value,
                                    std::uint64_t limit) const noexcept {
    return mask_of_cells(bucket, [&](std::uint64_t cell) { return (cell ^ value) < limit; });
  }

  /// Returns a number that is 0 if and only if match() is 0. It needs fewer instructions, and the
  /// OR of the numbers of several buckets needs no branches.
  [[nodiscard]] std::uint64_t any_match(std::uint64_t bucket, std::uint64_t value,
                                        std::uint64_t limit) const noexcept {
    return match(bucket, value, limit);
  }

  /// Returns a mask whose bit j is 1 if cell j of the bucket is not empty.
  [[nodiscard]] std::uint64_t occupied(std::uint64_t bucket) const noexcept {
    return mask_of_cells(bucket, [](std::uint64_t cell) { return cell != 0; });
  }

  /// Returns any_match() and the number of occupied cells.
  [[nodiscard]] BucketContents examine(std::uint64_t bucket, std::uint64_t value,
                                       std::uint64_t limit) const noexcept {
    return {match(bucket, value, limit),
            static_cast<std::uint64_t>(std::popcount(occupied(bucket)))};
  }

  /// Prefetches the first cache line of the bucket.
  void prefetch_to_read(std::uint64_t bucket) const noexcept {
    bloometry::prefetch_to_read(words_.data() + place_of(bucket, 0).word);
  }

  void prefetch_to_write(std::uint64_t bucket) const noexcept {
    bloometry::prefetch_to_write(words_.data() + place_of(bucket, 0).word);
  }

  /// Returns whether the array exceeds kMinPrefetchBytes, so that batches should prefetch.
  [[nodiscard]] bool should_prefetch() const noexcept {
    return words_.size() * sizeof(std::uint64_t) > kMinPrefetchBytes;
  }

  void clear() noexcept { std::fill_n(words_.data(), words_.size(), std::uint64_t{0}); }

  /// Returns the number of cells of all buckets.
  [[nodiscard]] std::uint64_t size() const noexcept { return num_cells_; }

  [[nodiscard]] std::uint64_t num_buckets() const noexcept { return num_cells_ / bucket_cells_; }

  [[nodiscard]] unsigned bucket_cells() const noexcept { return bucket_cells_; }

  [[nodiscard]] unsigned cell_bits() const noexcept { return cell_bits_; }

  [[nodiscard]] std::uint64_t num_bits() const noexcept { return num_cells_ * cell_bits_; }

  /// Calls visit(value) for every cell that is not empty, in the order of the buckets and cells.
  template <class Visit>
  void for_each_occupied(Visit visit) const {
    for (std::uint64_t bucket = 0; bucket < num_buckets(); ++bucket) {
      for (unsigned cell = 0; cell < bucket_cells_; ++cell) {
        const std::uint64_t value = get(bucket, cell);
        if (value != 0) visit(value);
      }
    }
  }

  [[nodiscard]] std::uint64_t count_occupied() const noexcept {
    std::uint64_t num = 0;
    for_each_occupied([&](std::uint64_t /*value*/) { ++num; });
    return num;
  }

  /// Returns all words of the array. The bits after the last cell are 0.
  [[nodiscard]] std::span<const std::uint64_t> all_words() const noexcept {
    return {words_.data(), words_.size()};
  }

  [[nodiscard]] std::span<std::uint64_t> all_words() noexcept {
    return {words_.data(), words_.size()};
  }

  friend bool operator==(const BucketArray& a, const BucketArray& b) noexcept {
    return a.num_cells_ == b.num_cells_ && a.bucket_cells_ == b.bucket_cells_ &&
           a.cell_bits_ == b.cell_bits_ &&
           std::equal(a.words_.data(), a.words_.data() + a.words_.size(), b.words_.data());
  }

 private:
  struct Place {
    std::uint64_t word;
    unsigned shift;
  };

  static unsigned checked_bits(unsigned cell_bits) {
    if (cell_bits < kMinCellBits || cell_bits > kMaxCellBits) {
      throw ConfigError("cell_bits", "must be in [2, 64], got " + std::to_string(cell_bits));
    }
    return cell_bits;
  }

  static unsigned checked_cells(unsigned bucket_cells) {
    if (bucket_cells < 1 || bucket_cells > kMaxBucketCells) {
      throw ConfigError("bucket_cells", "must be in [1, 64], got " + std::to_string(bucket_cells));
    }
    return bucket_cells;
  }

  template <class Word, class Call, class Otherwise>
  [[gnu::always_inline]] inline decltype(auto) with_words_of(Word* words, Call& call,
                                                             Otherwise& otherwise) const noexcept {
    if (view_ == kView<1, true>) [[likely]]
      return call(words_view<1, true>(words));
    if (view_ == kView<2, true>) return call(words_view<2, true>(words));
    if (view_ == kView<4, true>) return call(words_view<4, true>(words));
    if (view_ == kView<1, false>) return call(words_view<1, false>(words));
    if (view_ == kView<2, false>) return call(words_view<2, false>(words));
    return otherwise();
  }

  template <unsigned kNumWords, bool kStartsAtByte, class Word>
  [[nodiscard, gnu::always_inline]] inline auto words_view(Word* words) const noexcept {
    return BucketWords<kNumWords, kStartsAtByte, Word>(words, bucket_size_, cell_bits_, lanes_);
  }

  template <class Word>
  [[nodiscard]] auto view_of(Word* words) const noexcept {
    using View = ViewMemory<Word, PlainAccess>;
    return BucketArray<View>(num_cells_, bucket_cells_, cell_bits_, View{{words, words_.size()}});
  }

  static constexpr bool starts_at_byte(unsigned bucket_cells, unsigned cell_bits) noexcept {
    return bucket_cells * cell_bits % 8 == 0;
  }

  /// Number of the view BucketWords<kNumWords, kStartsAtByte>, for which an access has to compare
  /// one number.
  template <unsigned kNumWords, bool kStartsAtByte>
  static constexpr unsigned kView = 2 * kNumWords + (kStartsAtByte ? 1 : 0);

  /// Returns the kView of the buckets, which is below 2 if the cells are examined one by one.
  static constexpr unsigned view_number(unsigned bucket_cells, unsigned cell_bits) noexcept {
    return 2 * num_bucket_words(bucket_cells, cell_bits) +
           (starts_at_byte(bucket_cells, cell_bits) ? 1 : 0);
  }

  /// Returns the lanes of the cells of a word, if there are words.
  static WordLanes lanes_of(unsigned num_words, unsigned bucket_cells,
                            unsigned cell_bits) noexcept {
    return num_words == 0 ? WordLanes(1, 1) : WordLanes(bucket_cells / num_words, cell_bits);
  }

  [[nodiscard]] Place place_of(std::uint64_t bucket, unsigned cell) const noexcept {
    assert(bucket < num_buckets() && cell < bucket_cells_);
    const std::uint64_t bit = (bucket * bucket_cells_ + cell) * cell_bits_;
    return {bit / 64, static_cast<unsigned>(bit % 64)};
  }

  template <class Holds>
  [[nodiscard]] std::uint64_t mask_of_cells(std::uint64_t bucket, Holds holds) const noexcept {
    std::uint64_t mask = 0;
    for (unsigned cell = 0; cell < bucket_cells_; ++cell) {
      mask |= static_cast<std::uint64_t>(holds(get(bucket, cell))) << cell;
    }
    return mask;
  }

  typename Memory::Words words_;
  std::uint64_t num_cells_;
  unsigned bucket_cells_;
  unsigned cell_bits_;
  std::uint64_t cell_mask_;
  unsigned view_;
  unsigned bucket_size_;  // in bytes if buckets start at bytes, and otherwise in bits
  WordLanes lanes_;       // of a word
};

}  // namespace bloometry
