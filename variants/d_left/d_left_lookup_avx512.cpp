#include <cstddef>
#include <cstdint>

#include "core/store/bucket_words.hpp"
#include "variants/d_left/d_left_key_pairs_avx512.hpp"
#include "variants/d_left/d_left_lookup.hpp"

namespace bloometry {
namespace {

using namespace d_left;

/// Lookup of eight keys in a table for which fits_one_vector() is true.
template <bool kIsNarrow>
class DLeftPairedKeys {
 public:
  [[gnu::always_inline]] explicit DLeftPairedKeys(const DLeftTable& table) noexcept
      : table_(table), keys_(table) {}

  /// Returns a mask whose bit i is 1 if the table contains key i.
  [[gnu::always_inline]] inline unsigned operator()(const Digest* digests) const noexcept {
    const Lanes fingerprints = keys_.fingerprints(digests);
    unsigned found = 0;
#pragma GCC unroll 4
    for (unsigned p = 0; p < kNumPairs; ++p) {
      const auto pair = keys_.pair(fingerprints, p);
      const StoredLanes bytes(pair.bytes);
      for (unsigned k = 0; k < 2; ++k) {
        const unsigned matches = keys_.matches(keys_.words(bytes.from(4 * k)), pair.patterns, k);
        found |= (matches != 0 ? 1U : 0U) << (2 * p + k);
      }
    }
    return found;
  }

  /// Prefetches the buckets of eight keys.
  [[gnu::always_inline]] inline void prefetch(const Digest* digests) const noexcept {
    prefetch_buckets<0>(keys_, table_, digests);
  }

 private:
  DLeftTable table_;
  KeyPairs<kIsNarrow> keys_;
};

/// Lookup of eight keys in any other d-left table (DLeftLookup). A bucket of eight cells has as
/// many bytes as a cell has bits.
template <bool kIsNarrow>
class DLeftEightKeys {
  using Products = d_left::Products<kIsNarrow>;

 public:
  [[gnu::always_inline]] explicit DLeftEightKeys(const DLeftTable& table) noexcept
      : table_(table),
        cell_bits_(table.remainder_bits + table.counter_bits),
        num_words_(num_bucket_words(kDLeftBucketCells, cell_bits_)),
        cells_(kDLeftBucketCells / num_words_, cell_bits_),
        max_count_((std::uint64_t{1} << table.counter_bits) - 1) {}

  /// Returns a mask whose bit i is 1 if the table contains key i.
  [[gnu::always_inline]] inline unsigned operator()(const Digest* digests) const noexcept {
    const Lanes fingerprints =
        Products::fingerprints(digests, table_.permutations->num_fingerprints());
    unsigned found = 0;
    for (unsigned i = 0; i < table_.num_subtables; ++i) {
      found |= contained_in(i, images(i, fingerprints));
    }
    return found;
  }

  /// Prefetches the buckets of eight keys.
  [[gnu::always_inline]] inline void prefetch(const Digest* digests) const noexcept {
    const Lanes fingerprints =
        Products::fingerprints(digests, table_.permutations->num_fingerprints());
    for (unsigned i = 0; i < table_.num_subtables; ++i) {
      alignas(64) std::uint64_t bytes[kKeysOfALookup];
      _mm512_store_si512(bytes, bytes_of(i, images(i, fingerprints)));
      for (const std::uint64_t byte : bytes) {
        __builtin_prefetch(reinterpret_cast<const char*>(table_.words) + byte, 0);
      }
    }
  }

 private:
  /// Returns the byte offsets of the buckets in subtable i.
  [[gnu::always_inline]] inline Lanes bytes_of(unsigned i, Lanes images) const noexcept {
    const Lanes buckets = _mm512_add_epi64(
        broadcast(i * table_.num_buckets),
        _mm512_maskz_srlv_epi64(kAllLanes, images, broadcast(table_.remainder_bits)));
    return Products::low_words(buckets, broadcast(cell_bits_));
  }

  /// Returns DLeftPermutations::image(i, fingerprint) of each fingerprint.
  [[gnu::always_inline]] inline Lanes images(unsigned i, Lanes fingerprints) const noexcept {
    const DLeftPermutations::Factor& factor = table_.permutations->factor(i);
    return Products::images(fingerprints, broadcast(factor.value), broadcast(factor.quotient),
                            broadcast(table_.permutations->num_fingerprints()));
  }

  /// Returns a mask of the keys whose bucket in subtable i contains their remainder.
  [[gnu::always_inline]] inline unsigned contained_in(unsigned i, Lanes images) const noexcept {
    const Lanes remainder_mask = broadcast((std::uint64_t{1} << table_.remainder_bits) - 1);
    const Lanes values =
        _mm512_or_si512(_mm512_maskz_sllv_epi64(kAllLanes, _mm512_and_si512(images, remainder_mask),
                                                broadcast(table_.counter_bits)),
                        broadcast(max_count_));
    const Lanes patterns = _mm512_mullo_epi64(values, broadcast(cells_.broadcast(1)));
    const Lanes bytes = bytes_of(i, images);
    const Lanes all = broadcast(cells_.all());
    Lanes others = all;
    for (unsigned w = 0; w < num_words_; ++w) {
      others = _mm512_and_si512(others, others_in(w, bytes, patterns));
    }
    return _mm512_cmpneq_epi64_mask(others, all);
  }

  /// Returns for each bucket a word with the marks of the cells of word w that do not match the
  /// pattern.
  [[gnu::always_inline]] inline Lanes others_in(unsigned w, Lanes bytes,
                                                Lanes patterns) const noexcept {
    const unsigned bit = w * cells_.num_bits();
    const Lanes words = words_at(reinterpret_cast<const char*>(table_.words) + bit / 8, bytes);
    const Lanes shifts = broadcast(bit % 8);
    return at_least(cells_, max_count_,
                    _mm512_xor_si512(_mm512_maskz_srlv_epi64(kAllLanes, words, shifts), patterns));
  }

  DLeftTable table_;
  unsigned cell_bits_;
  unsigned num_words_;
  WordLanes cells_;
  std::uint64_t max_count_;
};

/// Number of keys between a prefetch and the lookup. The images of a key are then computed twice,
/// but the loads of one group of eight keys do not keep the memory busy.
constexpr std::size_t kKeysAhead = 2 * kKeysOfALookup;

template <class Keys>
[[gnu::always_inline]] inline void look_up(const DLeftTable& table, const Digest* digests,
                                           std::size_t num_keys, std::uint64_t* masks) noexcept {
  const Keys keys(table);
  if (!table.prefetches) return look_up_eight_by_eight(digests, num_keys, masks, keys);
  std::size_t next = 0;
  const auto prefetch_next = [&]() __attribute__((always_inline)) {
    if (next + kKeysOfALookup <= num_keys) keys.prefetch(digests + next);
    next += kKeysOfALookup;
  };
  while (next < kKeysAhead) prefetch_next();
  look_up_eight_by_eight(
      digests, num_keys, masks, [&](const Digest* eight) __attribute__((always_inline)) {
        prefetch_next();
        return keys(eight);
      });
}

}  // namespace

void d_left_lookup_avx512(const DLeftTable& table, const Digest* digests, std::size_t num_keys,
                          std::uint64_t* masks) noexcept {
  if (fits_one_vector(table)) {
    is_narrow(table) ? look_up<DLeftPairedKeys<true>>(table, digests, num_keys, masks)
                     : look_up<DLeftPairedKeys<false>>(table, digests, num_keys, masks);
  } else {
    is_narrow(table) ? look_up<DLeftEightKeys<true>>(table, digests, num_keys, masks)
                     : look_up<DLeftEightKeys<false>>(table, digests, num_keys, masks);
  }
}

}  // namespace bloometry
