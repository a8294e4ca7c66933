#pragma once

#include <cstddef>
#include <cstdint>

#include "core/block/block_layout.hpp"
#include "core/hash/range_reduction.hpp"
#include "core/probe/bit_fields.hpp"

/// Body of the blocked counting filter for every instruction set. Only the kernel sources of the
/// instruction sets include this header. Everything in the header is a template over a type that
/// only one source defines (core/kernels/kernel_table.hpp).
namespace bloometry::block {

/// Table of blocks; row f is a block of 128 nibbles in which nibble f is 1 and the other nibbles
/// are 0.
template <class Vector>
struct NibbleRows {
  static constexpr unsigned kNumNibbles = 128;
  alignas(64) std::uint64_t rows[kNumNibbles][8];

  consteval NibbleRows() : rows{} {
    for (unsigned f = 0; f < kNumNibbles; ++f) rows[f][f / 16] = std::uint64_t{1} << (f % 16 * 4);
  }
};

template <class Vector>
constexpr NibbleRows<Vector> kNibbleRows;

/// Body for blocks of 512 bits. The first kNumHashes fields of BitFieldProbes select the key's
/// nibbles among the 128 nibbles of the block. The functions process the whole block at once and do
/// not branch on the positions of the nibbles. Two equal fields select one nibble, which is counted
/// only once.
///
/// Vector has the type Lanes, a vector of 64-bit words with the built-in operators of the compiler.
/// Vector also has the static functions `Lanes load(const std::uint64_t*)` and
/// `void store(std::uint64_t*, Lanes)`. The static function `bool any(Lanes)` of Vector returns
/// whether any bit is set.
template <class Vector, unsigned kNumHashes>
struct NibbleBlock {
  static constexpr unsigned kWordsPerBlock = 8;
  static constexpr bool kHasRest = false;

  [[gnu::always_inline]] static inline std::uint64_t block_of(Digest digest,
                                                              std::uint64_t num_blocks) noexcept {
    return fastrange(digest.hi, num_blocks);
  }

  /// Returns whether the key's nibbles are all above 0.
  [[gnu::always_inline]] static inline bool contains(const std::uint64_t* block,
                                                     std::uint64_t lo) noexcept {
    const Mask mask(lo);
    Lanes zero{};
    for (unsigned i = 0; i < kNumParts; ++i) zero |= mask.part[i] & ~nonzero(load(block, i));
    return !Vector::any(zero);
  }

  /// Adds 1 to each of the key's nibbles that is below 15. Returns whether at least one of the
  /// key's nibbles was 0.
  [[gnu::always_inline]] static inline bool insert(std::uint64_t* block,
                                                   std::uint64_t lo) noexcept {
    const Mask mask(lo);
    Lanes zero{};
    for (unsigned i = 0; i < kNumParts; ++i) {
      const Lanes before = load(block, i);
      zero |= mask.part[i] & ~nonzero(before);
      store(block, i, before + (mask.part[i] & ~saturated(before)));
    }
    return Vector::any(zero);
  }

  /// Subtracts 1 from each of the key's nibbles that is below 15 and returns true. Adds to
  /// num_skipped the number of nibbles of the key that are at 15. If one of the nibbles is 0, the
  /// function changes nothing and returns false.
  [[gnu::always_inline]] static inline bool erase(std::uint64_t* block, std::uint64_t lo,
                                                  std::uint64_t& num_skipped) noexcept {
    const Mask mask(lo);
    Lanes before[kNumParts];
    Lanes stuck[kNumParts];
    Lanes zero{};
    Lanes some_stuck{};
    for (unsigned i = 0; i < kNumParts; ++i) {
      before[i] = load(block, i);
      zero |= mask.part[i] & ~nonzero(before[i]);
      stuck[i] = mask.part[i] & saturated(before[i]);
      some_stuck |= stuck[i];
    }
    if (Vector::any(zero)) return false;
    for (unsigned i = 0; i < kNumParts; ++i) {
      store(block, i, before[i] - (mask.part[i] & ~stuck[i]));
    }
    if (Vector::any(some_stuck)) [[unlikely]] {
      for (unsigned i = 0; i < kNumParts; ++i) num_skipped += num_ones(stuck[i]);
    }
    return true;
  }

 private:
  using Lanes = typename Vector::Lanes;
  static constexpr unsigned kWordsPerPart = sizeof(Lanes) / sizeof(std::uint64_t);
  static constexpr unsigned kNumParts = kWordsPerBlock / kWordsPerPart;
  static constexpr unsigned kFieldBits = 7;
  static constexpr unsigned kFieldsPerWord = 64 / kFieldBits;

  /// Block in which the key's nibbles are 1 and the other nibbles are 0.
  struct Mask {
    [[gnu::always_inline]] inline explicit Mask(std::uint64_t lo) noexcept {
      std::uint64_t fields = 0;
      for (unsigned i = 0; i < kNumHashes; ++i) {
        if (i % kFieldsPerWord == 0) fields = BitFieldProbes::word(lo, i / kFieldsPerWord);
        const std::uint64_t* row = row_of(fields, i % kFieldsPerWord);
        for (unsigned j = 0; j < kNumParts; ++j) part[j] |= load(row, j);
      }
    }

    /// Returns the row of the table for field i of the word. The byte offset of the row is the
    /// value of the field times the size of a row, computed by one shift and one AND.
    [[gnu::always_inline]] static inline const std::uint64_t* row_of(std::uint64_t fields,
                                                                     unsigned i) noexcept {
      constexpr unsigned kLog2RowBytes = 6;
      constexpr std::uint64_t kOffsets = std::uint64_t{127} << kLog2RowBytes;
      const unsigned first = i * kFieldBits;
      const std::uint64_t offset =
          (first < kLog2RowBytes ? fields << kLog2RowBytes : fields >> (first - kLog2RowBytes)) &
          kOffsets;
      const auto* rows = reinterpret_cast<const char*>(kNibbleRows<Vector>.rows);
      return reinterpret_cast<const std::uint64_t*>(rows + offset);
    }

    Lanes part[kNumParts] = {};
  };

  [[gnu::always_inline]] static inline Lanes load(const std::uint64_t* block,
                                                  unsigned part) noexcept {
    return Vector::load(block + part * kWordsPerPart);
  }

  [[gnu::always_inline]] static inline void store(std::uint64_t* block, unsigned part,
                                                  Lanes lanes) noexcept {
    Vector::store(block + part * kWordsPerPart, lanes);
  }

  /// Returns lanes in which the lowest bit of each nibble is set if the nibble of the argument is
  /// not 0. The other bits of a nibble are unspecified, because the callers use only the lowest
  /// bit.
  [[gnu::always_inline]] static inline Lanes nonzero(Lanes lanes) noexcept {
    const Lanes pairs = lanes | lanes >> 1;
    return pairs | pairs >> 2;
  }

  [[gnu::always_inline]] static inline Lanes saturated(Lanes lanes) noexcept {
    const Lanes pairs = lanes & lanes >> 1;
    return pairs & pairs >> 2;
  }

  [[gnu::always_inline]] static inline std::uint64_t num_ones(Lanes lanes) noexcept {
    std::uint64_t num = 0;
    for (unsigned i = 0; i < kWordsPerPart; ++i) {
      num += static_cast<std::uint64_t>(__builtin_popcountll(lanes[i]));
    }
    return num;
  }
};

}  // namespace bloometry::block
