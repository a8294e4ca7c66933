#pragma once

#include <cstddef>
#include <cstdint>

#include "core/block/block_layout.hpp"
#include "core/hash/digest.hpp"
#include "core/isa/isa.hpp"

namespace bloometry {

/// Number of set bits of a block before and after an insert.
struct OnesInBlock {
  unsigned before = 0;
  unsigned after = 0;

  friend bool operator==(const OnesInBlock&, const OnesInBlock&) = default;
};

/// Operations of a filter of blocks for one instruction set, one block size and one number of
/// hashes. Every instruction set returns the same answers and sets the same bits. `words` holds
/// num_blocks blocks, one after the other, and starts at a cache line; num_blocks > 0. Not safe for
/// concurrent insert.
struct BlockKernels {
  bool (*contains)(const std::uint64_t* words, std::uint64_t num_blocks, Digest digest) noexcept;
  /// Sets the bits of the key. Returns whether a bit changed.
  bool (*insert)(std::uint64_t* words, std::uint64_t num_blocks, Digest digest) noexcept;
  /// Returns a mask. Bit i is contains(digests[i]) and bits from num_digests on are 0. Accepts at
  /// most 64 digests.
  std::uint64_t (*contains_mask)(const std::uint64_t* words, std::uint64_t num_blocks,
                                 const Digest* digests, std::size_t num_digests) noexcept;
  /// Inserts at most 64 digests in their order. Returns a mask whose bit i is insert(digests[i]).
  std::uint64_t (*insert_mask)(std::uint64_t* words, std::uint64_t num_blocks,
                               const Digest* digests, std::size_t num_digests) noexcept;
  /// Inserts a key and returns the number of set bits of its block before and after the insert.
  /// Filters that track their fill ratio call this function.
  OnesInBlock (*insert_counted)(std::uint64_t* words, std::uint64_t num_blocks,
                                Digest digest) noexcept;

  friend bool operator==(const BlockKernels&, const BlockKernels&) = default;
};

/// Operations of a filter of blocks with counters. A counter has 4 bits and stays at 15 once it
/// reaches 15. contains returns whether all counters of a key are above 0. insert adds 1 to each
/// counter of the key and returns whether one of them was 0.
struct CountingKernels {
  BlockKernels kernels;
  /// Subtracts 1 from each counter of the key and returns true. If one of the counters is 0, it
  /// does not change any counter and returns false. Adds the number of counters that stayed at 15
  /// to num_skipped.
  bool (*erase)(std::uint64_t* words, std::uint64_t num_blocks, Digest digest,
                std::uint64_t& num_skipped) noexcept;
  /// Erases at most 64 digests in their order. Returns a mask whose bit i is erase(digests[i]).
  std::uint64_t (*erase_mask)(std::uint64_t* words, std::uint64_t num_blocks, const Digest* digests,
                              std::size_t num_digests, std::uint64_t& num_skipped) noexcept;

  friend bool operator==(const CountingKernels&, const CountingKernels&) = default;
};

/// Returns the kernels of the blocked filter with scheme bit_fields. fastrange of digest.hi selects
/// the block. The bits are the first num_hashes indices of BitFieldProbes; block_layout.hpp defines
/// their places. isa is one of supported_isas, block_bits is 256 or 512, and num_hashes is at least
/// 1 and at most kMaxBlockHashes.
[[nodiscard]] const BlockKernels& bit_field_kernels(Isa isa, unsigned block_bits,
                                                    unsigned num_hashes) noexcept;

/// Returns the kernels of the blocked counting filter with scheme bit_fields and blocks of 512
/// bits. fastrange of digest.hi selects the block. The counters are the distinct ones among the
/// first num_hashes indices of BitFieldProbes on 128 cells. isa and num_hashes are as in
/// bit_field_kernels.
[[nodiscard]] const CountingKernels& counting_kernels(Isa isa, unsigned num_hashes) noexcept;

/// Returns the kernels of the split block filter of Parquet. A block has eight lanes of 32 bits,
/// two per word; the first lane is in the word's low half. Let high(h) and low(h) be the halves of
/// h = digest.lo. The block is (high(h) num_blocks) >> 32. The bit of lane i is (low(h) salt[i]) >>
/// 27. num_blocks < 2^32.
[[nodiscard]] const BlockKernels& split_block_kernels(Isa isa) noexcept;

/// Returns the kernels of the lanes filter. A block has eight words of 64 bits. fastrange of
/// digest.hi selects the block. Field i of 6 bits of digest.lo, counted from the low end, is the
/// bit number in word i.
[[nodiscard]] const BlockKernels& lane_kernels(Isa isa) noexcept;

}  // namespace bloometry
