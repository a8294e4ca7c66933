#include <cstddef>
#include <cstdint>

#include "core/block/table_lookup_avx512.hpp"
#include "core/hash/mix.hpp"
#include "core/store/word_lanes.hpp"
#include "variants/cuckoo/cuckoo_lookup.hpp"

namespace bloometry {
namespace {

using namespace block::avx512;

/// Lookup of eight keys in a cuckoo table (CuckooLookup).
class CuckooEightKeys {
 public:
  [[gnu::always_inline]] explicit CuckooEightKeys(const CuckooTable& table) noexcept
      : words_(table.words),
        num_buckets_(broadcast(table.num_buckets)),
        half_the_buckets_(broadcast(table.num_buckets / 2)),
        num_fingerprints_(broadcast(table.num_fingerprints)),
        cells_(table.bucket_cells, table.cell_bits) {}

  /// Returns a mask whose bit i is 1 if the table contains key i.
  [[gnu::always_inline]] inline unsigned operator()(const Digest* digests) const noexcept {
    const Lanes buckets = high_products_of_half(words_of<0>(digests), num_buckets_);
    const Lanes fingerprints = _mm512_add_epi64(
        high_products_of_half(words_of<1>(digests), num_fingerprints_), broadcast(1));
    const Lanes patterns = _mm512_mullo_epi64(fingerprints, broadcast(cells_.broadcast(1)));
    const Lanes others = _mm512_and_si512(others_in(buckets, patterns),
                                          others_in(partners(buckets, fingerprints), patterns));
    const Lanes all = broadcast(cells_.all());
    return _mm512_cmpneq_epi64_mask(_mm512_and_si512(others, all), all);
  }

 private:
  /// Returns CuckooDesign::partner of each bucket and fingerprint.
  [[gnu::always_inline]] inline Lanes partners(Lanes buckets, Lanes fingerprints) const noexcept {
    const Lanes halves = high_products_of_half(mixed(fingerprints), half_the_buckets_);
    const Lanes sums = _mm512_add_epi64(_mm512_add_epi64(halves, halves), broadcast(1));
    const Lanes differences = _mm512_sub_epi64(sums, buckets);
    return _mm512_mask_add_epi64(differences, _mm512_movepi64_mask(differences), differences,
                                 num_buckets_);
  }

  /// Returns mix64 of each word.
  [[gnu::always_inline]] static inline Lanes mixed(Lanes x) noexcept {
    x = _mm512_mullo_epi64(_mm512_xor_si512(x, shifted_right<30>(x)), broadcast(kMixFirst));
    x = _mm512_mullo_epi64(_mm512_xor_si512(x, shifted_right<27>(x)), broadcast(kMixSecond));
    return _mm512_xor_si512(x, shifted_right<31>(x));
  }

  /// Returns for each bucket a word with the marks of the cells that differ from the pattern.
  [[gnu::always_inline]] inline Lanes others_in(Lanes buckets, Lanes patterns) const noexcept {
    const Lanes bits = product_of_halves(buckets, broadcast(cells_.num_bits()));
    const Lanes words = words_at(words_, shifted_right<3>(bits));
    const Lanes shifts = _mm512_and_si512(bits, broadcast(7));
    return at_least(cells_, 1,
                    _mm512_xor_si512(_mm512_maskz_srlv_epi64(kAllLanes, words, shifts), patterns));
  }

  const std::uint64_t* words_;
  Lanes num_buckets_;
  Lanes half_the_buckets_;
  Lanes num_fingerprints_;
  WordLanes cells_;
};

}  // namespace

void cuckoo_lookup_avx512(const CuckooTable& table, const Digest* digests, std::size_t num_keys,
                          std::uint64_t* masks) noexcept {
  look_up_eight_by_eight(digests, num_keys, masks, CuckooEightKeys(table));
}

}  // namespace bloometry
