#include <cstddef>
#include <cstdint>

#include "core/block/bodies_avx512.hpp"
#include "core/hash/mix.hpp"
#include "variants/standard/remix_insert.hpp"

namespace bloometry {
namespace {

/// Insert with the scheme remix for AVX-512 (RemixInsert). The function `insert` first computes and
/// stores the positions of all keys, eight keys at a time. Then the function sets the bits of one
/// key after the other.
struct Avx512RemixInsert {
  static std::uint64_t insert(std::uint64_t* words, std::uint64_t num_bits, unsigned num_hashes,
                              const Digest* digests, std::size_t num_keys,
                              bool prefetches) noexcept {
    Positions positions;
    for (std::size_t i = 0; i < num_keys; i += kWidth) {
      const std::size_t num = num_keys - i < kWidth ? num_keys - i : kWidth;
      Digest padded[kWidth] = {};
      if (num < kWidth) __builtin_memcpy(padded, digests + i, num * sizeof *digests);
      positions.locate(i, num < kWidth ? padded : digests + i, num_bits, num_hashes);
      if (prefetches) positions.prefetch(i, num, words, num_hashes);
    }
    std::uint64_t mask = 0;
    for (std::size_t i = 0; i < num_keys; ++i) {
      mask |= static_cast<std::uint64_t>(positions.set(i, words, num_hashes)) << i;
    }
    return mask;
  }

 private:
  static constexpr std::size_t kWidth = 8;

  struct Positions {
    /// For each probe and key, the index of the word, and the mask of the bit in the word.
    alignas(64) std::uint32_t words[kMostRemixHashes][kMostRemixKeys];
    alignas(64) std::uint64_t bits[kMostRemixHashes][kMostRemixKeys];

    /// Computes the positions of keys i to i + 7 as RemixProbes does. Because num_bits is below
    /// 2^32, the high word of a product needs only two products of 32-bit numbers.
    [[gnu::always_inline]] inline void locate(std::size_t i, const Digest* digests,
                                              std::uint64_t num_bits,
                                              unsigned num_hashes) noexcept {
      using block::avx512::broadcast;
      using block::avx512::kAllLanes;
      const block::avx512::Lanes one = broadcast(1);
      const block::avx512::Lanes range = broadcast(num_bits);
      block::avx512::Lanes word = _mm512_or_si512(los(digests), one);
      for (unsigned j = 0; j < num_hashes; ++j) {
        const block::avx512::Lanes low =
            shifted<32>(_mm512_maskz_mul_epu32(kAllLanes, word, range));
        const block::avx512::Lanes high =
            _mm512_maskz_mul_epu32(kAllLanes, shifted<32>(word), range);
        const block::avx512::Lanes position = shifted<32>(_mm512_add_epi64(low, high));
        _mm256_store_si256(reinterpret_cast<__m256i*>(words[j] + i),
                           _mm512_maskz_cvtepi64_epi32(kAllLanes, shifted<6>(position)));
        _mm512_store_si512(
            bits[j] + i,
            _mm512_maskz_sllv_epi64(kAllLanes, one, _mm512_and_si512(position, broadcast(63))));
        word = _mm512_mullo_epi64(word, broadcast(kRemixMultiplier));
      }
    }

    /// Returns the words lo of eight digests.
    [[gnu::always_inline]] static inline block::avx512::Lanes los(const Digest* digests) noexcept {
      return _mm512_permutex2var_epi64(_mm512_loadu_si512(digests),
                                       _mm512_setr_epi64(0, 2, 4, 6, 8, 10, 12, 14),
                                       _mm512_loadu_si512(digests + 4));
    }

    template <unsigned kShift>
    [[gnu::always_inline]] static inline block::avx512::Lanes shifted(
        block::avx512::Lanes x) noexcept {
      return _mm512_maskz_srli_epi64(block::avx512::kAllLanes, x, kShift);
    }

    /// Prefetches the words of `num` keys, beginning with key `first`.
    [[gnu::always_inline]] inline void prefetch(std::size_t first, std::size_t num,
                                                const std::uint64_t* array,
                                                unsigned num_hashes) const noexcept {
      for (std::size_t i = first; i < first + num; ++i) {
        for (unsigned j = 0; j < num_hashes; ++j) __builtin_prefetch(array + words[j][i], 1);
      }
    }

    /// Sets the bits of key i. Returns whether a bit changed. If one of the first three bits
    /// changed, the function sets the other bits without a test, as StandardDesign::insert does.
    [[gnu::always_inline]] inline bool set(std::size_t i, std::uint64_t* array,
                                           unsigned num_hashes) const noexcept {
      std::uint64_t changed = 0;
      unsigned j = 0;
      for (; j < 3 && j < num_hashes; ++j) changed |= set_one(j, i, array);
      if (changed != 0) {
        for (; j < num_hashes; ++j) array[words[j][i]] |= bits[j][i];
      } else {
        for (; j < num_hashes; ++j) changed |= set_one(j, i, array);
      }
      return changed != 0;
    }

    /// Sets bit j of key i. Returns a non-zero value if the bit was clear before, and 0 otherwise.
    [[gnu::always_inline]] inline std::uint64_t set_one(unsigned j, std::size_t i,
                                                        std::uint64_t* array) const noexcept {
      std::uint64_t& word = array[words[j][i]];
      const std::uint64_t changed = bits[j][i] & ~word;
      word |= bits[j][i];
      return changed;
    }
  };
};

}  // namespace

std::uint64_t remix_insert_avx512(std::uint64_t* words, std::uint64_t num_bits, unsigned num_hashes,
                                  const Digest* digests, std::size_t num_keys,
                                  bool prefetches) noexcept {
  return Avx512RemixInsert::insert(words, num_bits, num_hashes, digests, num_keys, prefetches);
}

}  // namespace bloometry
