#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

/// Probabilities of the blocks of a filter. A word of w bits selects the block (word z) >> w of z
/// blocks (hash/range_reduction.hpp), so that the probabilities differ unless z is a power of two.
namespace bloometry {

/// Blocks of a filter that have the same probability.
struct BlockGroup {
  double num_blocks;           ///< number of blocks in the group
  double share;                ///< probability that a key falls into the group
  double inverse_probability;  ///< 1/P(a key falls into a given block of the group)
};

/// The numbers of words that select the blocks. Each of z blocks has floor or ceil of 2^w/z words.
class BlockWords {
 public:
  BlockWords(double num_word_bits, std::uint64_t num_blocks) noexcept;

  /// Returns -log2 of the probability that two keys fall into the same block.
  [[nodiscard]] double collision_bits() const noexcept;

  /// Returns one group if all blocks have as many words, otherwise the blocks with fewer words and
  /// the blocks with one word more. Blocks without words are omitted.
  [[nodiscard]] std::vector<BlockGroup> groups() const;

 private:
  double num_words_;
  double num_blocks_;
  double few_;       // words of a block, rounded down
  double num_many_;  // blocks with one word more
};

/// Returns one group with all blocks.
[[nodiscard]] std::vector<BlockGroup> equal_blocks(std::uint64_t num_blocks);

/// Returns the mean of at(j) over the number j of keys in the block of a query, for n keys. The
/// requirements on at(j) are those of poisson_mean_of.
[[nodiscard]] double mean_over_blocks(std::span<const BlockGroup> groups, std::uint64_t n,
                                      const std::function<double(std::uint64_t)>& at);

}  // namespace bloometry
