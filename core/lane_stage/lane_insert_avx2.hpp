#pragma once

#include <immintrin.h>

#include <cstdint>

#include "core/lane_stage/lane_stage.hpp"
#include "core/probe/lane_bits.hpp"

/// Insert into a block of a lanes filter with AVX2. Only the kernel sources of the instruction sets
/// that have AVX2 include this header, so the rules in kernel_table.hpp apply.
namespace bloometry::block {

struct Avx2LaneInsert {
  using Half = __m256i;

  [[gnu::always_inline]] static inline LaneInsert insert(std::uint64_t* block,
                                                         std::uint64_t lo) noexcept {
    alignas(32) static constexpr std::uint64_t kLeftShifts[8] = {58, 52, 46, 40, 34, 28, 22, 16};
    const Half fields = _mm256_set1_epi64x(static_cast<long long>(lo));
    const Half low = load(block);
    const Half high = load(block + 4);
    const Half low_bits = mask_of(fields, load(kLeftShifts));
    const Half high_bits = mask_of(fields, load(kLeftShifts + 4));
    store(block, _mm256_or_si256(low, low_bits));
    store(block + 4, _mm256_or_si256(high, high_bits));

    // A lane of low_new and high_new is -1 if the key's bit in the lane was clear, else 0.
    const Half low_new = _mm256_cmpeq_epi64(_mm256_and_si256(low, low_bits), zero());
    const Half high_new = _mm256_cmpeq_epi64(_mm256_and_si256(high, high_bits), zero());
    const Half low_sums = num_set(low);
    const Half high_sums = num_set(high);
    const Half before = _mm256_mul_epu32(low_sums, high_sums);
    const Half after = _mm256_mul_epu32(_mm256_sub_epi64(low_sums, low_new),
                                        _mm256_sub_epi64(high_sums, high_new));
    // The lanes of `fours` alternate between products of `before` and products of `after`.
    const Half fours = _mm256_mul_epu32(_mm256_unpacklo_epi64(before, after),
                                        _mm256_unpackhi_epi64(before, after));
    const __m128i products =
        _mm_mul_epu32(_mm256_castsi256_si128(fours), _mm256_extracti128_si256(fours, 1));
    const int new_lanes = _mm256_movemask_pd(_mm256_castsi256_pd(low_new)) << 4U |
                          _mm256_movemask_pd(_mm256_castsi256_pd(high_new));
    return {static_cast<std::uint64_t>(_mm_cvtsi128_si64(products)),
            static_cast<std::uint64_t>(_mm_extract_epi64(products, 1)),
            static_cast<unsigned>(__builtin_popcount(static_cast<unsigned>(new_lanes)))};
  }

 private:
  [[gnu::always_inline]] static inline Half load(const std::uint64_t* words) noexcept {
    return _mm256_loadu_si256(reinterpret_cast<const Half*>(words));
  }

  [[gnu::always_inline]] static inline void store(std::uint64_t* words, Half half) noexcept {
    _mm256_storeu_si256(reinterpret_cast<Half*>(words), half);
  }

  [[gnu::always_inline]] static inline Half zero() noexcept { return _mm256_setzero_si256(); }

  [[gnu::always_inline]] static inline Half mask_of(Half fields, Half left_shifts) noexcept {
    const Half bits = _mm256_srli_epi64(_mm256_sllv_epi64(fields, left_shifts), 58);
    return _mm256_sllv_epi64(_mm256_set1_epi64x(1), bits);
  }

  /// Returns the number of set bits of each lane. The function looks up the number of set bits of
  /// each half byte and adds these numbers.
  [[gnu::always_inline]] static inline Half num_set(Half lanes) noexcept {
    const Half counts = _mm256_setr_epi8(0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4,  //
                                         0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4);
    const Half half_byte = _mm256_set1_epi8(15);
    const Half low = _mm256_shuffle_epi8(counts, _mm256_and_si256(lanes, half_byte));
    const Half high =
        _mm256_shuffle_epi8(counts, _mm256_and_si256(_mm256_srli_epi64(lanes, 4), half_byte));
    return _mm256_sad_epu8(_mm256_add_epi8(low, high), zero());
  }
};

}  // namespace bloometry::block
