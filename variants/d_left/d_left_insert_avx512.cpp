#include <bit>
#include <cstring>

#include "variants/d_left/d_left_insert.hpp"
#include "variants/d_left/d_left_key_pairs_avx512.hpp"

namespace bloometry {
namespace {

using namespace d_left;

/// Inserts keys into the table one after the other. The candidates of eight keys are computed at
/// once, before the first insert.
template <bool kIsNarrow>
class Inserter {
 public:
  [[gnu::always_inline]] Inserter(const DLeftTable& table, std::uint64_t* words) noexcept
      : keys_(table), bytes_(reinterpret_cast<char*>(words)) {}

  /// Inserts keys, and returns how many.
  [[gnu::always_inline]] inline std::size_t operator()(const Digest* digests,
                                                       std::size_t num_keys) noexcept {
    const Lanes fingerprints = keys_.fingerprints(digests);
#pragma GCC unroll 4
    for (unsigned p = 0; p < kNumPairs; ++p) {
      const auto pair = keys_.pair(fingerprints, p);
      const StoredLanes bytes(pair.bytes);
      const StoredLanes patterns(pair.patterns);
      for (unsigned k = 0; k < 2; ++k) {
        if (2 * p + k == num_keys) return num_keys;
        const Lanes words = keys_.words(bytes.from(4 * k));
        if (keys_.matches(words, pair.patterns, k) != 0) return 2 * p + k;
        if (!insert_new(bytes.from(4 * k), patterns.from(4 * k), words)) return 2 * p + k;
      }
    }
    return num_keys;
  }

 private:
  /// Inserts a key whose remainder is not in the table. Returns false if all candidate
  /// buckets are full.
  /// @param words words of the candidate buckets
  [[gnu::always_inline]] inline bool insert_new(const std::uint64_t* bytes,
                                                const std::uint64_t* patterns,
                                                Lanes words) noexcept {
    const WordLanes& cells = keys_.cells();
    const Lanes occupied = _mm512_and_si512(at_least(cells, 1, words), broadcast(cells.all()));
    const std::uint64_t least = least_load(occupied);
    if (least / kSubtables >= kDLeftBucketCells) return false;
    const auto i = static_cast<unsigned>(least % kSubtables);
    const StoredLanes marks(occupied);
    const std::uint64_t free_in_first = *marks.from(2 * i) ^ cells.all();
    const std::uint64_t free_in_other = *marks.from(2 * i + 1) ^ cells.all();
    const std::uint64_t free = free_in_first != 0 ? free_in_first : free_in_other;
    const unsigned first_bit = free_in_first != 0 ? 0 : cells.num_bits();
    // The mark of a cell is its highest bit.
    const unsigned bit =
        first_bit + static_cast<unsigned>(std::countr_zero(free)) - (keys_.cell_bits() - 1);
    fill_cell(8 * bytes[i] + bit, (patterns[i] & cells.lane_mask()) - keys_.max_count() + 1);
    return true;
  }

  static constexpr std::uint64_t kSubtables = 4;

  /// Returns kSubtables times the number of occupied cells of the candidate bucket with the fewest,
  /// plus its subtable, which is the first one of several.
  [[gnu::always_inline]] inline std::uint64_t least_load(Lanes occupied) const noexcept {
    const WordLanes& cells = keys_.cells();
    const unsigned cell_bits = keys_.cell_bits();
    // As WordLanes::sum, for each word.
    const Lanes ones = _mm512_maskz_srlv_epi64(kAllLanes, occupied, broadcast(cell_bits - 1));
    const Lanes sums = _mm512_and_si512(
        _mm512_maskz_srlv_epi64(kAllLanes, _mm512_mullo_epi64(ones, broadcast(cells.broadcast(1))),
                                broadcast(cells.num_bits() - cell_bits)),
        broadcast(cells.lane_mask()));
    const Lanes swapped = _mm512_maskz_shuffle_epi32(kAllHalves, sums, _MM_PERM_BADC);
    const Lanes loads =
        _mm512_add_epi64(_mm512_maskz_slli_epi64(kAllLanes, _mm512_add_epi64(sums, swapped), 2),
                         _mm512_setr_epi64(0, 0, 1, 1, 2, 2, 3, 3));
    // A subtable that does not exist has the largest load.
    const Lanes existing =
        _mm512_mask_mov_epi64(broadcast(~std::uint64_t{0}), keys_.existing(), loads);
    const __m256i of_two = _mm256_min_epu64(_mm512_castsi512_si256(existing),
                                            _mm512_maskz_extracti64x4_epi64(0xf, existing, 1));
    const __m128i of_one =
        _mm_min_epu64(_mm256_castsi256_si128(of_two), _mm256_extracti128_si256(of_two, 1));
    return static_cast<std::uint64_t>(_mm_cvtsi128_si64(of_one));
  }

  /// Writes the value into an empty cell that begins at a bit of the table. The cell has at most 16
  /// bits, and the padding of the table follows its last cell.
  [[gnu::always_inline]] inline void fill_cell(std::uint64_t bit, std::uint64_t value) noexcept {
    char* const address = bytes_ + bit / 8;
    std::uint32_t word;
    std::memcpy(&word, address, sizeof word);
    word |= static_cast<std::uint32_t>(value << bit % 8);
    std::memcpy(address, &word, sizeof word);
  }

  KeyPairs<kIsNarrow> keys_;
  char* bytes_;
};

template <bool kIsNarrow>
std::size_t insert_new(const DLeftTable& table, std::uint64_t* words, const Digest* digests,
                       std::size_t num_keys) noexcept {
  Inserter<kIsNarrow> insert(table, words);
  std::size_t i = 0;
  for (; i + kKeysOfALookup <= num_keys; i += kKeysOfALookup) {
    const std::size_t num_inserted = insert(digests + i, kKeysOfALookup);
    if (num_inserted != kKeysOfALookup) return i + num_inserted;
  }
  if (i == num_keys) return i;
  Digest padded[kKeysOfALookup] = {};
  std::memcpy(padded, digests + i, (num_keys - i) * sizeof *digests);
  return i + insert(padded, num_keys - i);
}

template <bool kIsNarrow>
void prefetch(const DLeftTable& table, const Digest* digests, std::size_t num_keys) noexcept {
  const KeyPairs<kIsNarrow> keys(table);
  for (std::size_t i = 0; i + kKeysOfALookup <= num_keys; i += kKeysOfALookup) {
    prefetch_buckets<1>(keys, table, digests + i);
  }
}

}  // namespace

DLeftInserts d_left_inserts_avx512(const DLeftTable& table) noexcept {
  if (is_narrow(table)) return {insert_new<true>, prefetch<true>};
  return {insert_new<false>, prefetch<false>};
}

}  // namespace bloometry
