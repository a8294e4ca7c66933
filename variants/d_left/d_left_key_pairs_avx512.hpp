#pragma once

#include <cstddef>
#include <cstdint>

#include "core/block/table_lookup_avx512.hpp"
#include "core/store/word_lanes.hpp"
#include "variants/d_left/d_left_lookup.hpp"
#include "variants/d_left/d_left_sizing.hpp"

namespace bloometry::d_left {

using namespace block::avx512;

inline constexpr unsigned kNumPairs = kKeysOfALookup / 2;
inline constexpr unsigned kPairLanes = 8;

/// Fingerprints of eight keys in a d-left table, and the keys' images (DLeftPermutations). If
/// kIsNarrow is true, the numbers of fingerprints and of buckets are below 2^32, and products of
/// 32-bit numbers suffice.
template <bool kIsNarrow>
struct Products {
  /// Returns the fingerprints of eight keys.
  [[gnu::always_inline]] static inline Lanes fingerprints(const Digest* digests,
                                                          std::uint64_t num_fingerprints) noexcept {
    return high_words(words_of<0>(digests), broadcast(num_fingerprints));
  }

  /// Returns the images of the fingerprints, each under the permutation of its lane. For `rest` in
  /// [0, 2 N), the remainder is the smaller one of `rest` and `rest` - N, because a difference
  /// below 0 is a large unsigned number.
  [[gnu::always_inline]] static inline Lanes images(Lanes fingerprints, Lanes values,
                                                    Lanes quotients,
                                                    Lanes num_fingerprints) noexcept {
    const Lanes multiples = high_words(quotients, fingerprints);
    const Lanes rest =
        _mm512_sub_epi64(low_words(fingerprints, values), low_words(multiples, num_fingerprints));
    return _mm512_maskz_min_epu64(kAllLanes, rest, _mm512_sub_epi64(rest, num_fingerprints));
  }

  /// Returns the high words of the products of the words and the factors.
  [[gnu::always_inline]] static inline Lanes high_words(Lanes words, Lanes factors) noexcept {
    return kIsNarrow ? high_products_of_half(words, factors) : high_products(words, factors);
  }

  /// Returns the low words of the products. The factors are below 2^32 if kIsNarrow is true.
  [[gnu::always_inline]] static inline Lanes low_words(Lanes x, Lanes y) noexcept {
    return kIsNarrow ? product_of_halves(x, y) : _mm512_mullo_epi64(x, y);
  }
};

/// Whether the numbers of fingerprints and of buckets are below 2^32.
[[gnu::always_inline]] inline bool is_narrow(const DLeftTable& table) noexcept {
  const std::uint64_t num_all_buckets = table.num_subtables * table.num_buckets;
  return (num_all_buckets | table.permutations->num_fingerprints()) >> 32U == 0;
}

/// Lanes in memory. The asm statement keeps them there: otherwise g++ extracts each lane from the
/// vector, which needs more instructions than a store and loads.
class StoredLanes {
 public:
  [[gnu::always_inline]] explicit StoredLanes(Lanes lanes) noexcept {
    _mm512_store_si512(lanes_, lanes);
    asm("" : "+m"(lanes_));
  }

  /// Returns the lanes from number i on.
  [[gnu::always_inline]] inline const std::uint64_t* from(unsigned i) const noexcept {
    return lanes_ + i;
  }

 private:
  alignas(64) std::uint64_t lanes_[kPairLanes];
};

/// Candidate buckets in a table for which fits_one_vector() is true. The two words of a bucket have
/// four cells each. In a vector of two keys, lane 4 k + i belongs to key k and subtable i. In a
/// vector of the words of one key, lane 2 i + w is word w of the bucket in subtable i. The lanes of
/// subtables that do not exist refer to bucket 0 of the table.
template <bool kIsNarrow>
class KeyPairs {
  using Products = d_left::Products<kIsNarrow>;

 public:
  /// Where the remainders of two keys may be.
  struct Pair {
    Lanes bytes;     ///< byte offsets of the buckets
    Lanes patterns;  ///< four equal cells, of the remainder above a counter at its maximum
  };

  [[gnu::always_inline]] explicit KeyPairs(const DLeftTable& table) noexcept
      : bytes_(reinterpret_cast<const char*>(table.words)),
        cells_(kDLeftBucketCells / 2, table.remainder_bits + table.counter_bits),
        max_count_((std::uint64_t{1} << table.counter_bits) - 1),
        num_fingerprints_(table.permutations->num_fingerprints()),
        remainder_bits_(broadcast(table.remainder_bits)),
        counter_bits_(broadcast(table.counter_bits)),
        remainder_mask_(
            broadcast(((std::uint64_t{1} << table.remainder_bits) - 1) << table.counter_bits)),
        existing_(static_cast<__mmask8>((1U << 2 * table.num_subtables) - 1)) {
    const unsigned bucket_bytes = kDLeftBucketCells * cell_bits() / 8;
    alignas(64) std::uint64_t lanes[4][kPairLanes] = {};
    for (unsigned lane = 0; lane < kPairLanes; ++lane) {
      const unsigned i = lane % 4;
      // An unsigned byte of a word of the bucket, for a permutation of bytes.
      const std::uint64_t first_byte = lane % 2 * cells_.num_bits() / 8;
      lanes[3][lane] = 0x0706050403020100U + first_byte * 0x0101010101010101U;
      if (i >= table.num_subtables) continue;
      lanes[0][lane] = table.permutations->factor(i).value;
      lanes[1][lane] = table.permutations->factor(i).quotient;
      lanes[2][lane] = i * table.num_buckets * bucket_bytes;
    }
    factors_ = _mm512_load_si512(lanes[0]);
    quotients_ = _mm512_load_si512(lanes[1]);
    first_bytes_ = _mm512_load_si512(lanes[2]);
    bytes_of_words_ = _mm512_load_si512(lanes[3]);
    const auto shift = static_cast<long long>(cells_.num_bits() % 8);
    shifts_of_words_ = _mm512_setr_epi64(0, shift, 0, shift, 0, shift, 0, shift);
    bucket_bytes_ = broadcast(bucket_bytes);
  }

  [[gnu::always_inline]] inline const WordLanes& cells() const noexcept { return cells_; }

  [[gnu::always_inline]] inline unsigned cell_bits() const noexcept {
    return cells_.num_bits() / cells_.num();
  }

  [[gnu::always_inline]] inline std::uint64_t max_count() const noexcept { return max_count_; }

  [[gnu::always_inline]] inline __mmask8 existing() const noexcept { return existing_; }

  [[gnu::always_inline]] inline Lanes fingerprints(const Digest* digests) const noexcept {
    return Products::fingerprints(digests, num_fingerprints_);
  }

  /// Returns the candidates of the keys 2 p and 2 p + 1.
  [[gnu::always_inline]] inline Pair pair(Lanes fingerprints, unsigned p) const noexcept {
    const Lanes keys = _mm512_add_epi64(_mm512_setr_epi64(0, 0, 0, 0, 1, 1, 1, 1),
                                        broadcast(std::uint64_t{2} * p));
    const Lanes images =
        Products::images(_mm512_maskz_permutexvar_epi64(kAllLanes, keys, fingerprints), factors_,
                         quotients_, broadcast(num_fingerprints_));
    const Lanes buckets = _mm512_maskz_srlv_epi64(kAllLanes, images, remainder_bits_);
    const Lanes remainders = _mm512_and_si512(
        _mm512_maskz_sllv_epi64(kAllLanes, images, counter_bits_), remainder_mask_);
    return {_mm512_add_epi64(Products::low_words(buckets, bucket_bytes_), first_bytes_),
            _mm512_mullo_epi64(_mm512_or_si512(remainders, broadcast(max_count_)),
                               broadcast(cells_.broadcast(1)))};
  }

  /// Returns the words of the buckets of a key. The bits above the cells belong to other cells.
  /// @param bytes byte offsets of four buckets
  [[gnu::always_inline]] inline Lanes words(const std::uint64_t* bytes) const noexcept {
    const auto bucket = [&](unsigned i) __attribute__((always_inline)) {
      return reinterpret_cast<const __m128i*>(bytes_ + bytes[i]);
    };
    const auto two = [&](unsigned i) __attribute__((always_inline)) {
      return _mm256_inserti128_si256(_mm256_castsi128_si256(_mm_loadu_si128(bucket(i))),
                                     _mm_loadu_si128(bucket(i + 1)), 1);
    };
    const Lanes buckets = _mm512_inserti64x4(_mm512_castsi256_si512(two(0)), two(2), 1);
    if (cells_.num_bits() == 64) return buckets;
    constexpr __mmask64 kAllBytes = ~__mmask64{0};
    return _mm512_maskz_srlv_epi64(kAllLanes,
                                   _mm512_maskz_shuffle_epi8(kAllBytes, buckets, bytes_of_words_),
                                   shifts_of_words_);
  }

  /// Returns a mask of the words that contain the remainder of key k of the pair.
  [[gnu::always_inline]] inline unsigned matches(Lanes words, Lanes patterns,
                                                 unsigned k) const noexcept {
    const Lanes subtables = _mm512_add_epi64(_mm512_setr_epi64(0, 0, 1, 1, 2, 2, 3, 3),
                                             broadcast(std::uint64_t{4} * k));
    const Lanes differences =
        _mm512_xor_si512(words, _mm512_maskz_permutexvar_epi64(kAllLanes, subtables, patterns));
    const Lanes below = _mm512_maskz_andnot_epi64(
        kAllLanes, differences,
        _mm512_sub_epi64(differences, broadcast(cells_.broadcast(max_count_))));
    return _mm512_mask_test_epi64_mask(existing_, below, broadcast(cells_.all()));
  }

 private:
  const char* bytes_;
  WordLanes cells_;  // of a word
  std::uint64_t max_count_;
  std::uint64_t num_fingerprints_;
  Lanes remainder_bits_;
  Lanes counter_bits_;
  Lanes remainder_mask_;
  __mmask8 existing_;  // the words of subtables that exist
  Lanes factors_;
  Lanes quotients_;
  Lanes first_bytes_;  // byte offsets of the subtables
  Lanes bytes_of_words_;
  Lanes shifts_of_words_;
  Lanes bucket_bytes_;
};

/// Prefetches the candidate buckets of eight keys.
template <int kForWrite, bool kIsNarrow>
[[gnu::always_inline]] inline void prefetch_buckets(const KeyPairs<kIsNarrow>& keys,
                                                    const DLeftTable& table,
                                                    const Digest* digests) noexcept {
  const Lanes fingerprints = keys.fingerprints(digests);
  for (unsigned p = 0; p < kNumPairs; ++p) {
    const StoredLanes bytes(keys.pair(fingerprints, p).bytes);
    for (unsigned k = 0; k < 2; ++k) {
      for (unsigned i = 0; i < table.num_subtables; ++i) {
        __builtin_prefetch(reinterpret_cast<const char*>(table.words) + bytes.from(4 * k)[i],
                           kForWrite);
      }
    }
  }
}

}  // namespace bloometry::d_left
