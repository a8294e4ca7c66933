#pragma once

#include <bit>
#include <cassert>
#include <cstdint>

#include "core/hash/digest.hpp"
#include "core/hash/mix.hpp"
#include "core/hash/range_reduction.hpp"
#include "core/probe/probe_policy.hpp"

/// Where a key's cells are in a filter of blocks: which block, and where in it. Shared by all
/// blocked filters, so that a vector body written for one layout serves all of them.
namespace bloometry {

/// Most probes of a key in a block: more help nobody below 26 bits a key.
inline constexpr unsigned kMaxBlockHashes = 16;

/// Part number of the block index (core/probe/README.md): above any stage's.
inline constexpr std::uint64_t kBlockPart = std::uint64_t{1} << 33U;

/// The word from which a key's block is drawn, independent of its probes in the block: digest.hi
/// where the scheme leaves it alone, else a word mixed from it. One word reduced twice, once for
/// the block and once in it, raised the rate of other libraries from 0.99 % to 1.74 % at 1e8 keys.
template <class Probes>
[[nodiscard]] constexpr std::uint64_t block_word(const Digest& digest) noexcept {
  if constexpr (kUsesDigestHi<Probes>) return remix(digest, kBlockPart).hi;
  return digest.hi;
}

/// num_blocks blocks of W = 2^w words of 64 bits, one after the other; a block has 64 W / kCellBits
/// cells. Cell f of a block is its bits from f kCellBits on, counted from the low end of its first
/// word: the high w bits of an index name the word, or w + 1 a half word, and the low ones the cell
/// in it, so that vectors of 64 and of 32 bits a lane take both without masks.
template <unsigned kCellBits>
class BlockLayout {
 public:
  static constexpr unsigned kCellsPerWord = 64 / kCellBits;

  /// block_cells is a multiple of kCellsPerWord by a power of two.
  constexpr BlockLayout(std::uint64_t num_blocks, unsigned block_cells) noexcept
      : num_blocks_(num_blocks),
        log2_words_(static_cast<unsigned>(std::countr_zero(block_cells / kCellsPerWord))) {
    assert(std::has_single_bit(block_cells / kCellsPerWord));
  }

  /// Number of the first word of the block that a word of block_word falls in.
  [[nodiscard]] constexpr std::uint64_t first_word(std::uint64_t word) const noexcept {
    return first_word_of(fastrange(word, num_blocks_));
  }

  /// Number of the first word of block b.
  [[nodiscard]] constexpr std::uint64_t first_word_of(std::uint64_t b) const noexcept {
    return b << log2_words_;
  }

  /// Which word of the block cell f is in.
  [[nodiscard]] static constexpr std::uint64_t word_of(std::uint64_t f) noexcept {
    return f / kCellsPerWord;
  }

  /// Lowest bit of cell f in its word.
  [[nodiscard]] static constexpr unsigned shift_of(std::uint64_t f) noexcept {
    return static_cast<unsigned>(f % kCellsPerWord) * kCellBits;
  }

  [[nodiscard]] constexpr std::uint64_t num_blocks() const noexcept { return num_blocks_; }

  [[nodiscard]] constexpr unsigned words_per_block() const noexcept { return 1U << log2_words_; }

  [[nodiscard]] constexpr unsigned block_cells() const noexcept {
    return kCellsPerWord << log2_words_;
  }

  friend constexpr bool operator==(const BlockLayout&, const BlockLayout&) = default;

 private:
  std::uint64_t num_blocks_;
  unsigned log2_words_;
};

}  // namespace bloometry
