#include <immintrin.h>

#include <cstddef>
#include <cstdint>

#include "core/hash/mix.hpp"
#include "core/store/word_lanes.hpp"
#include "variants/cuckoo/cuckoo_lookup.hpp"

namespace bloometry {
namespace {

/// Four words, one per key. AVX2 has no product of words, only of their low halves.
using Lanes = __m256i;

constexpr std::size_t kKeysOfALookup = 4;

[[gnu::always_inline]] inline Lanes broadcast(std::uint64_t word) noexcept {
  return _mm256_set1_epi64x(static_cast<long long>(word));
}

/// Returns the high words of the products of each word and a factor below 2^32.
[[gnu::always_inline]] inline Lanes high_products_of_half(Lanes words, Lanes factor) noexcept {
  const Lanes low = _mm256_srli_epi64(_mm256_mul_epu32(words, factor), 32);
  const Lanes high = _mm256_mul_epu32(_mm256_srli_epi64(words, 32), factor);
  return _mm256_srli_epi64(_mm256_add_epi64(low, high), 32);
}

/// Returns the low words of the products of each number below 2^32 and the factor.
[[gnu::always_inline]] inline Lanes products_of_half(Lanes numbers, std::uint64_t factor) noexcept {
  const Lanes high = _mm256_mul_epu32(numbers, broadcast(factor >> 32U));
  return _mm256_add_epi64(_mm256_mul_epu32(numbers, broadcast(factor)),
                          _mm256_slli_epi64(high, 32));
}

/// Returns the low words of the products of each word and the factor.
[[gnu::always_inline]] inline Lanes products(Lanes words, std::uint64_t factor) noexcept {
  const Lanes high = _mm256_mul_epu32(_mm256_srli_epi64(words, 32), broadcast(factor));
  return _mm256_add_epi64(products_of_half(words, factor), _mm256_slli_epi64(high, 32));
}

/// Lookup of four keys in a cuckoo table (CuckooLookup).
class CuckooFourKeys {
 public:
  [[gnu::always_inline]] explicit CuckooFourKeys(const CuckooTable& table) noexcept
      : bytes_(reinterpret_cast<const char*>(table.words)),
        num_buckets_(broadcast(table.num_buckets)),
        half_the_buckets_(broadcast(table.num_buckets / 2)),
        num_fingerprints_(broadcast(table.num_fingerprints)),
        cells_(table.bucket_cells, table.cell_bits) {}

  /// Returns a mask whose bit i is 1 if the table contains key i.
  [[gnu::always_inline]] inline unsigned operator()(const Digest* digests) const noexcept {
    const Lanes even = two_digests(digests);
    const Lanes odd = two_digests(digests + 1);
    const Lanes buckets = high_products_of_half(_mm256_unpacklo_epi64(even, odd), num_buckets_);
    const Lanes fingerprints = _mm256_add_epi64(
        high_products_of_half(_mm256_unpackhi_epi64(even, odd), num_fingerprints_), broadcast(1));
    const Lanes patterns = products_of_half(fingerprints, cells_.broadcast(1));
    const Lanes found = _mm256_or_si256(matches_in(buckets, patterns),
                                        matches_in(partners(buckets, fingerprints), patterns));
    const Lanes is_absent =
        _mm256_cmpeq_epi64(_mm256_and_si256(found, broadcast(cells_.all())), broadcast(0));
    return 0xfU ^ static_cast<unsigned>(_mm256_movemask_pd(_mm256_castsi256_pd(is_absent)));
  }

 private:
  /// Returns digests[0] and digests[2].
  [[gnu::always_inline]] static inline Lanes two_digests(const Digest* digests) noexcept {
    const auto* const first = reinterpret_cast<const __m128i*>(digests);
    return _mm256_inserti128_si256(_mm256_castsi128_si256(_mm_loadu_si128(first)),
                                   _mm_loadu_si128(first + 2), 1);
  }

  /// Returns CuckooDesign::partner of each bucket and fingerprint.
  [[gnu::always_inline]] inline Lanes partners(Lanes buckets, Lanes fingerprints) const noexcept {
    const Lanes halves = high_products_of_half(mixed(fingerprints), half_the_buckets_);
    const Lanes sums = _mm256_add_epi64(_mm256_add_epi64(halves, halves), broadcast(1));
    const Lanes differences = _mm256_sub_epi64(sums, buckets);
    const Lanes are_negative = _mm256_cmpgt_epi64(broadcast(0), differences);
    return _mm256_add_epi64(differences, _mm256_and_si256(are_negative, num_buckets_));
  }

  /// Returns mix64 of each number below 2^32.
  [[gnu::always_inline]] static inline Lanes mixed(Lanes x) noexcept {
    x = products_of_half(_mm256_xor_si256(x, _mm256_srli_epi64(x, 30)), kMixFirst);
    x = products(_mm256_xor_si256(x, _mm256_srli_epi64(x, 27)), kMixSecond);
    return _mm256_xor_si256(x, _mm256_srli_epi64(x, 31));
  }

  /// Returns WordLanes::any_below of the difference of each bucket and its pattern.
  [[gnu::always_inline]] inline Lanes matches_in(Lanes buckets, Lanes patterns) const noexcept {
    const Lanes bits = _mm256_mul_epu32(buckets, broadcast(cells_.num_bits()));
    const Lanes shifts = _mm256_and_si256(bits, broadcast(7));
    const Lanes words = words_at(_mm256_srli_epi64(bits, 3));
    const Lanes differences = _mm256_xor_si256(_mm256_srlv_epi64(words, shifts), patterns);
    return _mm256_andnot_si256(differences,
                               _mm256_sub_epi64(differences, broadcast(cells_.broadcast(1))));
  }

  /// Returns the words of 64 bits at the byte offsets. On Zen 4, a gather needs twice the
  /// instructions. The asm statement keeps the offsets in memory: otherwise g++ extracts each from
  /// the vector.
  [[gnu::always_inline]] inline Lanes words_at(Lanes bytes) const noexcept {
    alignas(32) std::uint64_t offsets[kKeysOfALookup];
    _mm256_store_si256(reinterpret_cast<Lanes*>(offsets), bytes);
    asm("" : "+m"(offsets));
    const auto two = [&](unsigned i) __attribute__((always_inline)) {
      const auto word = [&](unsigned j) __attribute__((always_inline)) {
        return _mm_loadl_epi64(reinterpret_cast<const __m128i*>(bytes_ + offsets[j]));
      };
      return _mm_unpacklo_epi64(word(i), word(i + 1));
    };
    return _mm256_inserti128_si256(_mm256_castsi128_si256(two(0)), two(2), 1);
  }

  const char* bytes_;
  Lanes num_buckets_;
  Lanes half_the_buckets_;
  Lanes num_fingerprints_;
  WordLanes cells_;
};

}  // namespace

void cuckoo_lookup_avx2(const CuckooTable& table, const Digest* digests, std::size_t num_keys,
                        std::uint64_t* masks) noexcept {
  const CuckooFourKeys keys(table);
  for (; num_keys >= 64; num_keys -= 64) {
    std::uint64_t mask = 0;
    for (unsigned i = 0; i < 64; i += kKeysOfALookup, digests += kKeysOfALookup) {
      mask |= std::uint64_t{keys(digests)} << i;
    }
    *masks++ = mask;
  }
  if (num_keys == 0) return;
  std::uint64_t mask = 0;
  for (std::size_t i = 0; i < num_keys; i += kKeysOfALookup) {
    Digest some[kKeysOfALookup] = {};
    const std::size_t num_some = num_keys - i < kKeysOfALookup ? num_keys - i : kKeysOfALookup;
    __builtin_memcpy(some, digests + i, num_some * sizeof *digests);
    mask |= std::uint64_t{keys(some) & ((1U << num_some) - 1)} << i;
  }
  *masks = mask;
}

}  // namespace bloometry
