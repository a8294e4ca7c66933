#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>

#include "core/block/block_kernels.hpp"
#include "core/hash/range_reduction.hpp"
#include "core/integer_batch/integer_kernel_bodies.hpp"
#include "core/lane_stage/lane_stage_bodies.hpp"

/// Templates that make kernels, which operate on a filter, from bodies, which operate on one block.
/// Only sources of core/kernels include this header.
///
/// The kernel sources are compiled for an instruction set that the machine may lack. The object
/// file of a kernel source must not contain a function that another object file contains, because
/// the linker keeps only one copy. Every function in this header and in the bodies is therefore
/// always inlined or a template over a body. A body is a type that only one source defines. The
/// functions do not call the standard library, because other object files may contain its
/// functions.
namespace bloometry::block {

/// Class template whose static functions implement the function pointers of BlockKernels. Body
/// implements the operations on the block of a key, and has the following static members.
/// `unsigned kWordsPerBlock` is the number of words per block.
/// `std::uint64_t block_of(Digest, num_blocks)` returns the index of the key's block.
/// `bool contains(const std::uint64_t* block, std::uint64_t lo)` returns whether the block contains
/// a key. `bool kHasRest` is true if `contains` is equivalent to `contains_first && contains_rest`.
/// `bool insert(std::uint64_t* block, std::uint64_t lo)` sets the bits of a key and returns whether
/// a bit changed.
template <class Body>
struct KernelsOf {
  [[gnu::always_inline]] static inline std::uint64_t first_word(Digest digest,
                                                                std::uint64_t num_blocks) noexcept {
    return Body::block_of(digest, num_blocks) * Body::kWordsPerBlock;
  }

  static bool contains(const std::uint64_t* words, std::uint64_t num_blocks,
                       Digest digest) noexcept {
    return Body::contains(words + first_word(digest, num_blocks), digest.lo);
  }

  static bool insert(std::uint64_t* words, std::uint64_t num_blocks, Digest digest) noexcept {
    return Body::insert(words + first_word(digest, num_blocks), digest.lo);
  }

  static std::uint64_t contains_mask(const std::uint64_t* words, std::uint64_t num_blocks,
                                     const Digest* digests, std::size_t num_digests) noexcept {
    std::uint64_t mask = 0;
    for (std::size_t i = num_digests; i-- > 0;) {
      const std::uint64_t* block = words + first_word(digests[i], num_blocks);
      bool answer = false;
      if constexpr (Body::kHasRest) {
        answer = Body::contains_first(block, digests[i].lo);
      } else {
        answer = Body::contains(block, digests[i].lo);
      }
      mask = 2 * mask + static_cast<std::uint64_t>(answer);
    }
    if constexpr (Body::kHasRest) return with_rest(mask, words, num_blocks, digests);
    return mask;
  }

  static std::uint64_t insert_mask(std::uint64_t* words, std::uint64_t num_blocks,
                                   const Digest* digests, std::size_t num_digests) noexcept {
    std::uint64_t mask = 0;
    for (std::size_t i = 0; i < num_digests; ++i) {
      const bool answer = Body::insert(words + first_word(digests[i], num_blocks), digests[i].lo);
      mask |= static_cast<std::uint64_t>(answer) << i;
    }
    return mask;
  }

  static OnesInBlock insert_counted(std::uint64_t* words, std::uint64_t num_blocks,
                                    Digest digest) noexcept {
    std::uint64_t* block = words + first_word(digest, num_blocks);
    const unsigned before = num_ones(block);
    Body::insert(block, digest.lo);
    return {before, num_ones(block)};
  }

  static constexpr BlockKernels kKernels = {contains, insert, contains_mask, insert_mask,
                                            insert_counted};

 private:
  /// Returns the bits of the mask whose keys also pass contains_rest. The loop is short for
  /// nonmember keys, because few nonmember keys pass contains_first.
  [[gnu::always_inline]] static inline std::uint64_t with_rest(std::uint64_t mask,
                                                               const std::uint64_t* words,
                                                               std::uint64_t num_blocks,
                                                               const Digest* digests) noexcept {
    for (std::uint64_t left = mask; left != 0; left &= left - 1) {
      const auto i = static_cast<unsigned>(__builtin_ctzll(left));
      const std::uint64_t* block = words + first_word(digests[i], num_blocks);
      const bool is_out = !Body::contains_rest(block, digests[i].lo);
      mask ^= static_cast<std::uint64_t>(is_out) << i;
    }
    return mask;
  }

  [[gnu::always_inline]] static inline unsigned num_ones(const std::uint64_t* block) noexcept {
    int ones = 0;
    for (unsigned i = 0; i < Body::kWordsPerBlock; ++i) ones += __builtin_popcountll(block[i]);
    return static_cast<unsigned>(ones);
  }
};

/// Class template whose static functions implement the function pointers of CountingKernels. Body
/// has the members that KernelsOf requires. Body also has the static function
/// `bool erase(std::uint64_t* block, std::uint64_t lo, std::uint64_t& num_skipped)`, which erases a
/// key.
template <class Body>
struct CountingKernelsOf {
  using Others = KernelsOf<Body>;

  static bool erase(std::uint64_t* words, std::uint64_t num_blocks, Digest digest,
                    std::uint64_t& num_skipped) noexcept {
    return Body::erase(words + Others::first_word(digest, num_blocks), digest.lo, num_skipped);
  }

  static std::uint64_t erase_mask(std::uint64_t* words, std::uint64_t num_blocks,
                                  const Digest* digests, std::size_t num_digests,
                                  std::uint64_t& num_skipped) noexcept {
    std::uint64_t mask = 0;
    std::uint64_t num = 0;
    for (std::size_t i = 0; i < num_digests; ++i) {
      std::uint64_t* block = words + Others::first_word(digests[i], num_blocks);
      mask |= static_cast<std::uint64_t>(Body::erase(block, digests[i].lo, num)) << i;
    }
    num_skipped += num;
    return mask;
  }

  static constexpr CountingKernels kKernels = {Others::kKernels, erase, erase_mask};
};

/// Returns the kernels of BitFields<kBlockBits, k> for k = 1 .. kMaxBlockHashes.
template <template <unsigned, unsigned> class BitFields, unsigned kBlockBits, unsigned... kIndices>
consteval std::array<BlockKernels, sizeof...(kIndices)> kernels_by_num_hashes(
    std::integer_sequence<unsigned, kIndices...> /*zero_based*/) noexcept {
  return {KernelsOf<BitFields<kBlockBits, kIndices + 1>>::kKernels...};
}

/// Returns the LocatedKernels of BitFields<kBlockBits, k> for k = 1 .. kMaxBlockHashes.
template <template <unsigned, unsigned> class BitFields, unsigned kBlockBits, unsigned... kIndices>
consteval std::array<LocatedKernels, sizeof...(kIndices)> located_kernels_by_num_hashes(
    std::integer_sequence<unsigned, kIndices...> /*zero_based*/) noexcept {
  return {LocatedKernelsOf<BitFields<kBlockBits, kIndices + 1>>::kKernels...};
}

/// Returns the kernels of Counting<k> for k = 1 .. kMaxBlockHashes.
template <template <unsigned> class Counting, unsigned... kIndices>
consteval std::array<CountingKernels, sizeof...(kIndices)> counting_kernels_by_num_hashes(
    std::integer_sequence<unsigned, kIndices...> /*zero_based*/) noexcept {
  return {CountingKernelsOf<Counting<kIndices + 1>>::kKernels...};
}

/// All kernels of one instruction set.
struct KernelTable {
  std::array<BlockKernels, kMaxBlockHashes> bit_fields_512;
  std::array<BlockKernels, kMaxBlockHashes> bit_fields_256;
  BlockKernels split;
  BlockKernels lanes;
  std::array<CountingKernels, kMaxBlockHashes> counting;
  std::array<HashIntegers, IntegerHash::kNumKinds> hash_integers;
  IntegerKernelsByHash split_integers;
  IntegerKernelsByHash lane_integers;
  std::array<LocateKeys, IntegerHash::kNumKinds> locate_keys;
  std::array<LocatedKernels, kMaxBlockHashes> located_512;
  std::array<LocatedKernels, kMaxBlockHashes> located_256;
  LaneStageKernels lane_stages;
};

template <template <unsigned, unsigned> class BitFields, class Split, class LaneFields,
          class LaneDeriver, template <unsigned> class Counting, class DigestStore, class Mix64,
          class Aes, class Xxh3>
consteval KernelTable make_kernel_table() noexcept {
  constexpr auto kAll = std::make_integer_sequence<unsigned, kMaxBlockHashes>();
  return {kernels_by_num_hashes<BitFields, 512>(kAll),
          kernels_by_num_hashes<BitFields, 256>(kAll),
          KernelsOf<Split>::kKernels,
          KernelsOf<LaneFields>::kKernels,
          counting_kernels_by_num_hashes<Counting>(kAll),
          hash_integers_by_hash<Mix64, Aes, Xxh3, DigestStore>(),
          integer_kernels<Mix64, Aes, Xxh3, Split>(),
          integer_kernels<Mix64, Aes, Xxh3, LaneFields>(),
          locate_keys_by_hash<Mix64, Aes, Xxh3, LaneFields>(),
          located_kernels_by_num_hashes<BitFields, 512>(kAll),
          located_kernels_by_num_hashes<BitFields, 256>(kAll),
          LaneStageKernelsOf<LaneDeriver, LaneFields>::kKernels};
}

/// Tables of the instruction sets, each defined in the kernel source of its set. On architectures
/// other than x86-64, only kBaselineKernels exists.
extern const KernelTable kBaselineKernels;
extern const KernelTable kAvx2Kernels;
extern const KernelTable kAvx512Kernels;
extern const KernelTable kVaesKernels;

/// Returns the table of the instruction set isa; the machine must support isa.
[[nodiscard]] const KernelTable& kernel_table(Isa isa) noexcept;

}  // namespace bloometry::block
