#pragma once

#include <cstddef>
#include <cstdint>

#include "core/block/block_layout.hpp"
#include "core/hash/digest.hpp"
#include "core/isa/isa.hpp"

namespace bloometry {

/// Set bits of a block before an insert and after it.
struct OnesInBlock {
  unsigned before = 0;
  unsigned after = 0;

  friend bool operator==(const OnesInBlock&, const OnesInBlock&) = default;
};

/// What a filter of blocks does with a key, written for one instruction set, one size of block and
/// one number of hashes; every instruction set gives the same answers and leaves the same bits.
/// `words` holds num_blocks blocks, one after the other, and starts at a cache line; num_blocks >
/// 0. Not safe for concurrent insert.
struct BlockKernels {
  bool (*contains)(const std::uint64_t* words, std::uint64_t num_blocks, Digest digest) noexcept;
  /// Whether some bit changed.
  bool (*insert)(std::uint64_t* words, std::uint64_t num_blocks, Digest digest) noexcept;
  /// Bit i: contains(digests[i]); at most 64 digests, bits past them are 0.
  std::uint64_t (*contains_mask)(const std::uint64_t* words, std::uint64_t num_blocks,
                                 const Digest* digests, std::size_t num_digests) noexcept;
  /// Bit i: insert(digests[i]), in their order.
  std::uint64_t (*insert_mask)(std::uint64_t* words, std::uint64_t num_blocks,
                               const Digest* digests, std::size_t num_digests) noexcept;
  /// insert that counts, for a filter that watches its fill.
  OnesInBlock (*insert_counted)(std::uint64_t* words, std::uint64_t num_blocks,
                                Digest digest) noexcept;

  friend bool operator==(const BlockKernels&, const BlockKernels&) = default;
};

/// The same with counters, 4 bits each and sticky at 15: contains says whether all counters of a
/// key are above 0, insert adds one to each and says whether one was 0.
struct CountingKernels {
  BlockKernels kernels;
  /// Takes one off each counter of the key, or, if one is 0, changes nothing; returns whether it
  /// did. Adds to num_skipped how many decrements were left out at 15.
  bool (*erase)(std::uint64_t* words, std::uint64_t num_blocks, Digest digest,
                std::uint64_t& num_skipped) noexcept;
  /// Bit i: erase(digests[i]), in their order.
  std::uint64_t (*erase_mask)(std::uint64_t* words, std::uint64_t num_blocks, const Digest* digests,
                              std::size_t num_digests, std::uint64_t& num_skipped) noexcept;

  friend bool operator==(const CountingKernels&, const CountingKernels&) = default;
};

/// Kernels of the blocked filter with scheme bit_fields: the block is fastrange of digest.hi, the
/// bits are the first num_hashes indices of BitFieldProbes, placed as block_layout.hpp says.
/// isa is one of supported_isas; block_bits 256 or 512; num_hashes in [1, kMaxBlockHashes].
[[nodiscard]] const BlockKernels& bit_field_kernels(Isa isa, unsigned block_bits,
                                                    unsigned num_hashes) noexcept;

/// Kernels of the blocked counting filter with scheme bit_fields: blocks of 512 bits, the block as
/// above, the distinct ones of the first num_hashes indices of BitFieldProbes on 128 cells. isa and
/// num_hashes as above.
[[nodiscard]] const CountingKernels& counting_kernels(Isa isa, unsigned num_hashes) noexcept;

/// Kernels of the split block filter of Parquet: blocks of eight lanes of 32 bits, two a word, the
/// first in the word's low half. Of h = digest.lo the high half chooses the block,
/// ((h >> 32) num_blocks) >> 32, and the low half a bit of each lane i: (low(h) salt[i]) >> 27.
/// num_blocks < 2^32.
[[nodiscard]] const BlockKernels& split_block_kernels(Isa isa) noexcept;

/// Kernels of the lanes filter: blocks of eight words of 64 bits, the block fastrange of digest.hi,
/// the bit of word i in it field i of 6 bits of digest.lo, the lowest first.
[[nodiscard]] const BlockKernels& lane_kernels(Isa isa) noexcept;

}  // namespace bloometry
