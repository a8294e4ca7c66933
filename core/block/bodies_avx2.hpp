#pragma once

#include <immintrin.h>

#include <cstdint>

#include "core/probe/lane_bits.hpp"
#include "core/probe/split_block_bits.hpp"

/// Bodies (core/kernels/kernel_table.hpp) for single keys, with the intrinsics of AVX2. Only
/// sources compiled for AVX2 include bodies_avx2.hpp: the kernels, and sources of users
/// (core/block/inlined_avx2.hpp). Every function is always inlined, for the reason in
/// kernel_table.hpp.
namespace bloometry::block::avx2 {

using Lanes = __m256i;

[[gnu::always_inline]] inline Lanes load(const void* address) noexcept {
  return _mm256_loadu_si256(static_cast<const Lanes*>(address));
}

[[gnu::always_inline]] inline void store(void* address, Lanes lanes) noexcept {
  _mm256_storeu_si256(static_cast<Lanes*>(address), lanes);
}

/// Replaces the 256 bits at the address by their OR with the mask. Returns whether a bit changed.
[[gnu::always_inline]] inline bool merge(void* address, Lanes mask) noexcept {
  const Lanes before = load(address);
  _mm256_storeu_si256(static_cast<Lanes*>(address), _mm256_or_si256(before, mask));
  return _mm256_testc_si256(before, mask) == 0;
}

/// Operations on fields of 9 bits, seven per word, for blocks of 512 bits.
struct Fields512 {
  static constexpr unsigned kFieldsPerWord = 7;

  /// Returns field i in the low 9 bits of lane i. The higher bits of lane i contain other fields.
  [[gnu::always_inline]] static inline Lanes spread(std::uint64_t fields) noexcept {
    const Lanes bytes = _mm256_shuffle_epi8(
        _mm256_set1_epi64x(static_cast<long long>(fields)),
        _mm256_setr_epi8(0, 1, -1, -1, 1, 2, -1, -1, 2, 3, -1, -1, 3, 4, -1, -1, 4, 5, -1, -1, 5, 6,
                         -1, -1, 6, 7, -1, -1, 7, -1, -1, -1));
    return _mm256_srlv_epi32(bytes, _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7));
  }

  /// Returns, in lane i, the 32-bit word that field i selects. Bit 8 of a field selects the half of
  /// the block.
  [[gnu::always_inline]] static inline Lanes look_up(const std::uint64_t* block,
                                                     Lanes fields) noexcept {
    const Lanes numbers = _mm256_srli_epi32(fields, 5);
    const Lanes low = _mm256_permutevar8x32_epi32(load(block), numbers);
    const Lanes high = _mm256_permutevar8x32_epi32(load(block + 4), numbers);
    return _mm256_castps_si256(
        _mm256_blendv_ps(_mm256_castsi256_ps(low), _mm256_castsi256_ps(high),
                         _mm256_castsi256_ps(_mm256_slli_epi32(fields, 31 - 8))));
  }
};

/// Body of the split block filter. A key selects one bit in each of eight lanes of 32 bits.
struct Split {
  [[gnu::always_inline]] static inline bool contains(const std::uint64_t* block,
                                                     std::uint64_t lo) noexcept {
    return _mm256_testc_si256(load(block), mask_of(lo)) != 0;
  }

  [[gnu::always_inline]] static inline bool insert(std::uint64_t* block,
                                                   std::uint64_t lo) noexcept {
    return merge(block, mask_of(lo));
  }

 private:
  [[gnu::always_inline]] static inline Lanes mask_of(std::uint64_t lo) noexcept {
    const Lanes salts = _mm256_loadu_si256(reinterpret_cast<const Lanes*>(kSalts));
    const Lanes products = _mm256_mullo_epi32(_mm256_set1_epi32(static_cast<int>(lo)), salts);
    return _mm256_sllv_epi32(_mm256_set1_epi32(1), _mm256_srli_epi32(products, 27));
  }
};

/// Body of the lanes filter. A key selects one bit in each of eight lanes of 64 bits.
struct LaneFields {
  [[gnu::always_inline]] static inline bool contains(const std::uint64_t* block,
                                                     std::uint64_t lo) noexcept {
    const Lanes low = _mm256_srlv_epi64(load(block), bits_of(lo, kLeftShifts));
    const Lanes high = _mm256_srlv_epi64(load(block + 4), bits_of(lo, kLeftShifts + 4));
    return _mm256_testc_si256(_mm256_and_si256(low, high), _mm256_set1_epi64x(1)) != 0;
  }

  [[gnu::always_inline]] static inline bool insert(std::uint64_t* block,
                                                   std::uint64_t lo) noexcept {
    const Lanes before_low = load(block);
    const Lanes before_high = load(block + 4);
    const Lanes low = mask_of(lo, kLeftShifts);
    const Lanes high = mask_of(lo, kLeftShifts + 4);
    store(block, _mm256_or_si256(before_low, low));
    store(block + 4, _mm256_or_si256(before_high, high));
    const Lanes clear = _mm256_or_si256(_mm256_andnot_si256(before_low, low),
                                        _mm256_andnot_si256(before_high, high));
    return _mm256_testz_si256(clear, clear) == 0;
  }

 private:
  /// Element i is the left shift that moves field i to the high end of a word.
  alignas(32) static constexpr std::uint64_t kLeftShifts[8] = {58, 52, 46, 40, 34, 28, 22, 16};

  /// Returns the key's bit numbers in four lanes.
  [[gnu::always_inline]] static inline Lanes bits_of(std::uint64_t lo,
                                                     const std::uint64_t* left_shifts) noexcept {
    const Lanes fields = _mm256_set1_epi64x(static_cast<long long>(lo));
    return _mm256_srli_epi64(_mm256_sllv_epi64(fields, load(left_shifts)), 64 - kLaneFieldBits);
  }

  [[gnu::always_inline]] static inline Lanes mask_of(std::uint64_t lo,
                                                     const std::uint64_t* left_shifts) noexcept {
    return _mm256_sllv_epi64(_mm256_set1_epi64x(1), bits_of(lo, left_shifts));
  }
};

}  // namespace bloometry::block::avx2
