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

/// Operations of a block filter for one instruction set, one block size and one number of hashes.
/// The kernels of every instruction set return the same answers and set the same bits. `words`
/// holds num_blocks consecutive blocks and starts at a cache line; num_blocks > 0. A thread that
/// inserts needs exclusive access to the words.
struct BlockKernels {
  bool (*contains)(const std::uint64_t* words, std::uint64_t num_blocks, Digest digest) noexcept;
  /// Sets the bits of the key. Returns whether a bit changed.
  bool (*insert)(std::uint64_t* words, std::uint64_t num_blocks, Digest digest) noexcept;
  /// Looks up at most 64 digests. Returns a mask whose bit i is contains(digests[i]); the bits from
  /// num_digests on are 0.
  std::uint64_t (*contains_mask)(const std::uint64_t* words, std::uint64_t num_blocks,
                                 const Digest* digests, std::size_t num_digests) noexcept;
  /// Inserts at most 64 digests in array order. Returns a mask whose bit i is insert(digests[i]).
  std::uint64_t (*insert_mask)(std::uint64_t* words, std::uint64_t num_blocks,
                               const Digest* digests, std::size_t num_digests) noexcept;
  /// Inserts a key and returns the numbers of set bits of its block before and after the insert.
  /// The function is for filters that track their fill ratio.
  OnesInBlock (*insert_counted)(std::uint64_t* words, std::uint64_t num_blocks,
                                Digest digest) noexcept;

  friend bool operator==(const BlockKernels&, const BlockKernels&) = default;
};

/// Operations of a block filter whose cells are counters of 4 bits. A counter that reaches 15 never
/// changes again. `contains` returns whether all counters of a key are above 0. `insert` adds 1 to
/// each counter of the key and returns whether one of the counters was 0.
struct CountingKernels {
  BlockKernels kernels;
  /// Subtracts 1 from each counter of the key that is below 15 and returns true. Adds to
  /// num_skipped the number of counters of the key that are at 15. If one of the counters is 0, the
  /// function changes nothing and returns false.
  bool (*erase)(std::uint64_t* words, std::uint64_t num_blocks, Digest digest,
                std::uint64_t& num_skipped) noexcept;
  /// Erases at most 64 digests in array order. Returns a mask whose bit i is erase(digests[i]).
  std::uint64_t (*erase_mask)(std::uint64_t* words, std::uint64_t num_blocks, const Digest* digests,
                              std::size_t num_digests, std::uint64_t& num_skipped) noexcept;

  friend bool operator==(const CountingKernels&, const CountingKernels&) = default;
};

/// Returns the kernels of the blocked filter with scheme bit_fields. The `fastrange` of digest.hi
/// selects the block. The first num_hashes indices of BitFieldProbes select the bits;
/// block_layout.hpp defines the position of an index in a block. The argument isa must be one of
/// supported_isas(), and block_bits must be 256 or 512. The argument num_hashes must be in [1,
/// kMaxBlockHashes].
[[nodiscard]] const BlockKernels& bit_field_kernels(Isa isa, unsigned block_bits,
                                                    unsigned num_hashes) noexcept;

/// Returns the kernels of the blocked counting filter with scheme bit_fields and blocks of 512
/// bits. The `fastrange` of digest.hi selects the block. The distinct values among the first
/// num_hashes indices of BitFieldProbes on 128 cells select the counters. The arguments isa and
/// num_hashes have the ranges in the comment of bit_field_kernels.
[[nodiscard]] const CountingKernels& counting_kernels(Isa isa, unsigned num_hashes) noexcept;

/// Returns the kernels of the split block filter of Parquet. A block has eight lanes of 32 bits,
/// two per word; the first lane is in the word's low half. Let high(h) and low(h) be the 32-bit
/// halves of h = digest.lo. The block number is (high(h) num_blocks) >> 32. The bit number in lane
/// i is (low(h) salt[i]) >> 27. The argument num_blocks must be below 2^32.
[[nodiscard]] const BlockKernels& split_block_kernels(Isa isa) noexcept;

/// Returns the kernels of the lanes filter. A block has eight words of 64 bits. The `fastrange` of
/// digest.hi selects the block. Field i of digest.lo is the bit number in word i; the fields have 6
/// bits and are counted from the low end.
[[nodiscard]] const BlockKernels& lane_kernels(Isa isa) noexcept;

}  // namespace bloometry
