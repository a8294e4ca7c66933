#pragma once

#include <immintrin.h>

#include <cstdint>

#include "core/probe/lane_bits.hpp"
#include "core/probe/split_block_bits.hpp"

/// Bodies (core/kernels/kernel_table.hpp) for single keys, with the intrinsics of AVX-512 F, DQ,
/// BW, VL and BMI2. Only sources compiled for AVX-512 include bodies_avx512.hpp: the kernels, and
/// sources of users (core/block/inlined_avx512.hpp). Every function is always inlined, for the
/// reason in kernel_table.hpp.
///
/// A lane of 64 bits holds the data of one probe. The fields of a word are not masked, because
/// vpermq uses only 3 bits of a lane, and vprolvq uses only 6 bits.
namespace bloometry::block::avx512 {

using Lanes = __m512i;

/// Mask of all lanes, for the masked form of an intrinsic. The masked form compiles to the same
/// instruction as the plain form. For the plain form, g++ 12 prints warnings about undefined
/// vectors in its own headers (GCC bug 105593).
inline constexpr __mmask8 kAllLanes = 0xff;
inline constexpr __mmask16 kAllHalves = 0xffff;

[[gnu::always_inline]] inline Lanes broadcast(std::uint64_t word) noexcept {
  return _mm512_set1_epi64(static_cast<long long>(word));
}

/// Positions of the fields in a word of the digest, and the representation of a block in vectors.
template <unsigned kBlockBits>
struct Layout;

template <>
struct Layout<512> {
  static constexpr unsigned kFieldsPerWord = 7;
  /// A right shift by kShifts[i] moves field i to bit 0. A right shift by kWordShifts[i] moves the
  /// word number of field i to bit 0.
  alignas(64) static constexpr std::uint64_t kShifts[8] = {0, 9, 18, 27, 36, 45, 54, 63};
  alignas(64) static constexpr std::uint64_t kWordShifts[8] = {6, 15, 24, 33, 42, 51, 60, 63};
  /// Mask that selects the word numbers of all fields and some lower bits. Because of the lower
  /// bits, the extracted word numbers of a pair together give the byte offset of the pair's row in
  /// PairRows.
  static constexpr std::uint64_t kWordBits = 0x70381c0e070381ffULL;

  /// Returns all words of the block, with word i in lane i, so that a permutation looks up words by
  /// index.
  [[gnu::always_inline]] static inline Lanes load_words(const std::uint64_t* block) noexcept {
    return _mm512_loadu_si512(block);
  }

  [[gnu::always_inline]] static inline bool merge(std::uint64_t* block, Lanes mask) noexcept {
    const Lanes before = _mm512_loadu_si512(block);
    const Lanes after = _mm512_or_si512(before, mask);
    _mm512_storeu_si512(block, after);
    return _mm512_cmpneq_epi64_mask(before, after) != 0;
  }
};

template <>
struct Layout<256> {
  static constexpr unsigned kFieldsPerWord = 8;
  alignas(64) static constexpr std::uint64_t kShifts[8] = {0, 8, 16, 24, 32, 40, 48, 56};
  alignas(64) static constexpr std::uint64_t kWordShifts[8] = {6, 14, 22, 30, 38, 46, 54, 62};
  static constexpr std::uint64_t kWordBits = 0xc0c0c0c0c0c0c0dfULL;

  /// Returns two copies of the block. A permutation uses three bits as the word number, and the
  /// third bit belongs to the next field.
  [[gnu::always_inline]] static inline Lanes load_words(const std::uint64_t* block) noexcept {
    return _mm512_broadcast_i64x4(_mm256_loadu_si256(reinterpret_cast<const __m256i*>(block)));
  }

  [[gnu::always_inline]] static inline bool merge(std::uint64_t* block, Lanes mask) noexcept {
    auto* words = reinterpret_cast<__m256i*>(block);
    const __m256i before = _mm256_loadu_si256(words);
    const __m256i after = _mm256_or_si256(before, _mm512_castsi512_si256(mask));
    _mm256_storeu_si256(words, after);
    return _mm256_cmpneq_epi64_mask(before, after) != 0;
  }
};

/// Table of permutations for pairs of probes. Row `a | b << w` is for a first probe in word a and a
/// second probe in word b, with kWords = 2^w. The source of a permutation is two vectors: the bits
/// of the single probes (lanes 0 to 7) and the bits of both probes of a pair (lanes 8 to 15).
/// Element i of a row is the index of the lane that is copied to word i.
template <unsigned kWords>
struct PairRows {
  alignas(64) std::uint64_t lanes[kWords * kWords][kWords];

  consteval PairRows() : lanes{} {
    constexpr std::uint64_t kFirst = 0;
    constexpr std::uint64_t kSecond = 1;
    constexpr std::uint64_t kBoth = 8;
    constexpr std::uint64_t kNone = 9;
    for (unsigned a = 0; a < kWords; ++a) {
      for (unsigned b = 0; b < kWords; ++b) {
        std::uint64_t* row = lanes[a + b * kWords];
        for (unsigned i = 0; i < kWords; ++i) row[i] = kNone;
        row[a] = kFirst;
        row[b] = a == b ? kBoth : kSecond;
      }
    }
  }

  /// Returns the row of the pair of probes whose word numbers begin at bit log2(kWords * 8) of
  /// word_bits.
  [[gnu::always_inline]] inline Lanes row(std::uint64_t word_bits) const noexcept {
    const auto* rows = reinterpret_cast<const char*>(lanes);
    const char* row = rows + (word_bits & ((kWords * kWords - 1) * kWords * 8));
    if constexpr (kWords == 8) return _mm512_load_si512(row);
    return _mm512_castsi256_si512(_mm256_load_si256(reinterpret_cast<const __m256i*>(row)));
  }
};

template <unsigned kWords>
inline constexpr PairRows<kWords> kPairRows;

/// Table whose element lanes[count][i] is 1 if i < count, else 0. The table is in memory, because
/// the processor port that moves a constant into a vector register is the busiest port.
struct OnesTable {
  alignas(64) std::uint64_t lanes[9][8];

  consteval OnesTable() : lanes{} {
    for (unsigned count = 0; count <= 8; ++count) {
      for (unsigned i = 0; i < count; ++i) lanes[count][i] = 1;
    }
  }
};

inline constexpr OnesTable kOnes;

alignas(64) inline constexpr std::uint64_t kEvenLanes[8] = {~0ULL, 0, ~0ULL, 0, ~0ULL, 0, ~0ULL, 0};

/// Returns, in lane i < count, a word in which only the bit that field i selects is set. The other
/// lanes are 0.
template <unsigned kBlockBits>
[[gnu::always_inline]] inline Lanes bits_of(Lanes fields, unsigned count) noexcept {
  const Lanes bit_numbers =
      _mm512_maskz_srlv_epi64(kAllLanes, fields, _mm512_load_si512(Layout<kBlockBits>::kShifts));
  return _mm512_maskz_rolv_epi64(kAllLanes, _mm512_load_si512(kOnes.lanes[count]), bit_numbers);
}

/// Returns a mask whose bit i is 1 if the bit that field i selects in the block is clear.
template <unsigned kBlockBits>
[[gnu::always_inline]] inline unsigned missing_fields(Lanes words, std::uint64_t fields) noexcept {
  using Fields = Layout<kBlockBits>;
  const Lanes lanes = _mm512_set1_epi64(static_cast<long long>(fields));
  const Lanes bit_numbers =
      _mm512_maskz_srlv_epi64(kAllLanes, lanes, _mm512_load_si512(Fields::kShifts));
  const Lanes numbers =
      _mm512_maskz_srlv_epi64(kAllLanes, lanes, _mm512_load_si512(Fields::kWordShifts));
  const Lanes found = _mm512_maskz_permutexvar_epi64(kAllLanes, numbers, words);
  return _mm512_testn_epi64_mask(_mm512_maskz_rorv_epi64(kAllLanes, found, bit_numbers),
                                 _mm512_set1_epi64(1));
}

/// Returns a block in which only the bits that the first `count` fields select are set; count <=
/// num_fields. The function mask_of processes two fields at a time. A permutation by a row of
/// PairRows moves the two bits to their words. If both bits are in one word, the permutation moves
/// the OR of the bits.
template <unsigned kBlockBits>
[[gnu::always_inline]] inline Lanes mask_of(std::uint64_t fields, unsigned count,
                                            unsigned num_fields) noexcept {
  constexpr unsigned kWords = kBlockBits / 64;
  constexpr unsigned kLog2Words = kWords == 8 ? 3 : 2;
  const Lanes bits = bits_of<kBlockBits>(_mm512_set1_epi64(static_cast<long long>(fields)), count);
  const Lanes swapped = _mm512_maskz_shuffle_epi32(kAllHalves, bits, _MM_PERM_BADC);
  constexpr int kEitherWhere = 0xa8;  // (a | b) & c
  const Lanes both =
      _mm512_ternarylogic_epi64(bits, swapped, _mm512_load_si512(kEvenLanes), kEitherWhere);
  const std::uint64_t word_bits = _pext_u64(fields, Layout<kBlockBits>::kWordBits);
  Lanes mask = _mm512_setzero_si512();
  for (unsigned i = 0; i < num_fields; i += 2) {
    const Lanes row = kPairRows<kWords>.row(word_bits >> (i * kLog2Words));
    const Lanes lanes_of_pair = _mm512_or_si512(row, _mm512_set1_epi64(i));
    mask = _mm512_or_si512(mask, _mm512_permutex2var_epi64(bits, lanes_of_pair, both));
  }
  return mask;
}

/// Body of the lanes filter. A key selects one bit in each of eight lanes of 64 bits.
struct LaneFields {
  [[gnu::always_inline]] static inline bool contains(const std::uint64_t* block,
                                                     std::uint64_t lo) noexcept {
    const Lanes found =
        _mm512_maskz_rorv_epi64(kAllLanes, _mm512_loadu_si512(block), bit_numbers_of(lo));
    return _mm512_testn_epi64_mask(found, _mm512_set1_epi64(1)) == 0;
  }

  [[gnu::always_inline]] static inline bool insert(std::uint64_t* block,
                                                   std::uint64_t lo) noexcept {
    const Lanes before = _mm512_loadu_si512(block);
    const Lanes mask = _mm512_maskz_rolv_epi64(kAllLanes, _mm512_set1_epi64(1), bit_numbers_of(lo));
    const Lanes after = _mm512_or_si512(before, mask);
    _mm512_storeu_si512(block, after);
    return _mm512_cmpneq_epi64_mask(before, after) != 0;
  }

 private:
  alignas(64) static constexpr std::uint64_t kShifts[8] = {0, 6, 12, 18, 24, 30, 36, 42};

  /// Returns, in the low 6 bits of lane i, the bit number of field i. The instructions for
  /// rotations use only the low 6 bits of a lane.
  [[gnu::always_inline]] static inline Lanes bit_numbers_of(std::uint64_t lo) noexcept {
    return _mm512_maskz_srlv_epi64(kAllLanes, _mm512_set1_epi64(static_cast<long long>(lo)),
                                   _mm512_load_si512(kShifts));
  }
};

}  // namespace bloometry::block::avx512
