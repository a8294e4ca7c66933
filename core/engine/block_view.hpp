#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "core/block/block_layout.hpp"
#include "core/store/memory.hpp"
#include "core/store/nibble_counters.hpp"

/// Views of blocks for the hooks of a design for BlockFilter. The layout is defined in
/// core/block/block_layout.hpp.
namespace bloometry {

/// View of one block, whose cells are bits or counters of 4 bits.
template <unsigned kCellBits, class WordAccess, class Word>
class BlockView {
  using Layout = BlockLayout<kCellBits>;

 public:
  explicit BlockView(Word* words) noexcept : words_(words) {}

  /// Sets bit f. Returns a non-zero value if the bit was clear before.
  std::uint64_t set(std::uint64_t f) const noexcept {
    const std::uint64_t bit = mask_of(f);
    return ~WordAccess::fetch_or(words_[word_of(f)], bit) & bit;
  }

  [[nodiscard]] bool test(std::uint64_t f) const noexcept { return get(f) != 0; }

  /// Returns the value of cell f.
  [[nodiscard]] std::uint64_t get(std::uint64_t f) const noexcept {
    constexpr std::uint64_t kMax = (std::uint64_t{1} << kCellBits) - 1;
    return (WordAccess::load(words_[word_of(f)]) >> Layout::shift_of(f)) & kMax;
  }

  /// Returns word w of the block, for updates of all cells of the word at once.
  [[nodiscard]] Word& word(std::size_t w) const noexcept { return words_[w]; }

  /// Returns a mask of a block of 512 bits in which the lowest bit of each cell at one of the
  /// positions is 1. Element w is the mask of word w.
  [[nodiscard]] static std::array<std::uint64_t, 8> select(auto&& positions) noexcept {
    std::array<std::uint64_t, 8> selected{};
    for (const std::uint64_t f : positions) selected[word_of(f)] |= mask_of(f);
    return selected;
  }

 private:
  [[nodiscard]] static std::uint64_t word_of(std::uint64_t f) noexcept {
    return Layout::word_of(f);
  }

  /// Returns a word in which only the lowest bit of cell f is set.
  [[nodiscard]] static std::uint64_t mask_of(std::uint64_t f) noexcept {
    return std::uint64_t{1} << Layout::shift_of(f);
  }

  Word* words_;
};

/// View of all blocks of a filter, for the computation of the filter's rate.
template <unsigned kCellBits, class WordAccess>
class BlocksView {
 public:
  BlocksView(std::span<const std::uint64_t> words, unsigned words_per_block) noexcept
      : words_(words), words_per_block_(words_per_block) {}

  [[nodiscard]] std::span<const std::uint64_t> words() const noexcept { return words_; }

  [[nodiscard]] std::uint64_t size() const noexcept { return words_.size() / words_per_block_; }

  /// Histogram whose element x is the number of blocks with x non-zero cells, for x from 0 to the
  /// number of cells per block.
  class Histogram {
   public:
    explicit Histogram(std::size_t block_cells) noexcept : size_(block_cells + 1) {}

    std::uint64_t& operator[](unsigned x) noexcept { return blocks_with_[x]; }

    [[nodiscard]] operator std::span<const std::uint64_t>() const noexcept {
      return {blocks_with_.data(), size_};
    }

   private:
    std::array<std::uint64_t, 512 + 1> blocks_with_{};
    std::size_t size_;
  };

  [[nodiscard]] Histogram num_by_fill() const noexcept {
    Histogram histogram(words_per_block_ * BlockLayout<kCellBits>::kCellsPerWord);
    for (std::size_t first = 0; first < words_.size(); first += words_per_block_) {
      ++histogram[num_set(words_.data() + first)];
    }
    return histogram;
  }

 private:
  [[nodiscard]] unsigned num_set(const std::uint64_t* block) const noexcept {
    unsigned num = 0;
    for (unsigned w = 0; w < words_per_block_; ++w) {
      const std::uint64_t word = WordAccess::load(block[w]);
      num += nibbles::count(kCellBits == 1 ? word : nibbles::nonzero(word));
    }
    return num;
  }

  std::span<const std::uint64_t> words_;
  unsigned words_per_block_;
};

}  // namespace bloometry
