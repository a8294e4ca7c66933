#pragma once

#include <cstddef>
#include <cstdint>

#include "core/block/bodies_avx512.hpp"
#include "core/hash/digest.hpp"
#include "core/store/word_lanes.hpp"

/// Common parts of lookups of eight keys at once in tables of fingerprints, with AVX-512. A lane
/// of 64 bits holds the data of one key. Only sources compiled for AVX-512 include
/// table_lookup_avx512.hpp. Every function is always inlined, for the reason in
/// core/kernels/kernel_table.hpp.
namespace bloometry::block::avx512 {

inline constexpr std::size_t kKeysOfALookup = 8;

template <unsigned kShift>
[[gnu::always_inline]] inline Lanes shifted_right(Lanes x) noexcept {
  return _mm512_maskz_srli_epi64(kAllLanes, x, kShift);
}

/// Returns the words lo (kWord = 0) or hi (kWord = 1) of eight digests.
template <unsigned kWord>
[[gnu::always_inline]] inline Lanes words_of(const Digest* digests) noexcept {
  const Lanes places =
      _mm512_add_epi64(_mm512_setr_epi64(0, 2, 4, 6, 8, 10, 12, 14), broadcast(kWord));
  return _mm512_permutex2var_epi64(_mm512_loadu_si512(digests), places,
                                   _mm512_loadu_si512(digests + 4));
}

/// Returns the product of the low halves of x and y.
[[gnu::always_inline]] inline Lanes product_of_halves(Lanes x, Lanes y) noexcept {
  return _mm512_maskz_mul_epu32(kAllLanes, x, y);
}

/// Returns the high words of the products of each word and a factor below 2^32.
[[gnu::always_inline]] inline Lanes high_products_of_half(Lanes words, Lanes factor) noexcept {
  const Lanes low = shifted_right<32>(product_of_halves(words, factor));
  const Lanes high = product_of_halves(shifted_right<32>(words), factor);
  return shifted_right<32>(_mm512_add_epi64(low, high));
}

/// Returns the high words of the products of each word and its factor.
[[gnu::always_inline]] inline Lanes high_products(Lanes words, Lanes factor_low) noexcept {
  const Lanes factor_high = shifted_right<32>(factor_low);
  const Lanes words_high = shifted_right<32>(words);
  const Lanes middle = _mm512_add_epi64(product_of_halves(words_high, factor_low),
                                        shifted_right<32>(product_of_halves(words, factor_low)));
  const Lanes other = _mm512_add_epi64(product_of_halves(words, factor_high),
                                       _mm512_and_si512(middle, broadcast(0xffffffffU)));
  return _mm512_add_epi64(product_of_halves(words_high, factor_high),
                          _mm512_add_epi64(shifted_right<32>(middle), shifted_right<32>(other)));
}

/// Returns the words of 64 bits at the byte offsets.
[[gnu::always_inline]] inline Lanes words_at(const void* start, Lanes bytes) noexcept {
  return _mm512_mask_i64gather_epi64(broadcast(0), kAllLanes, bytes, start, 1);
}

/// Returns the marks of WordLanes::at_least(limit, word) of each word. The other bits of the result
/// may have any value.
[[gnu::always_inline]] inline Lanes at_least(const WordLanes& cells, std::uint64_t limit,
                                             Lanes words) noexcept {
  const Lanes lower_bits = broadcast(cells.all() - cells.broadcast(1));
  const Lanes addends = broadcast(cells.all() - cells.broadcast(limit));
  return _mm512_or_si512(_mm512_add_epi64(_mm512_and_si512(words, lower_bits), addends), words);
}

/// Sets bit i mod 64 of masks[i / 64] to the answer for key i. The mask bits after the last key
/// are 0. The function contains(digests) returns the answers for eight keys, one per bit.
template <class Contains>
[[gnu::always_inline]] inline void look_up_eight_by_eight(const Digest* digests,
                                                          std::size_t num_keys,
                                                          std::uint64_t* masks,
                                                          const Contains& contains) noexcept {
  std::uint64_t mask = 0;
  std::size_t i = 0;
  for (; i + kKeysOfALookup <= num_keys; i += kKeysOfALookup) {
    mask |= static_cast<std::uint64_t>(contains(digests + i)) << i % 64;
    if (i % 64 != 64 - kKeysOfALookup) continue;
    *masks++ = mask;
    mask = 0;
  }
  if (i != num_keys) {
    Digest padded[kKeysOfALookup] = {};
    __builtin_memcpy(padded, digests + i, (num_keys - i) * sizeof *digests);
    const unsigned is_key = (1U << (num_keys - i)) - 1;
    mask |= static_cast<std::uint64_t>(contains(padded) & is_key) << i % 64;
  }
  if (num_keys % 64 != 0) *masks = mask;
}

}  // namespace bloometry::block::avx512
