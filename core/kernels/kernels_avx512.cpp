#include <cstdint>

#include "core/block/bodies_avx512.hpp"
#include "core/block/nibble_block.hpp"
#include "core/hash/xxh3_integer.hpp"
#include "core/kernels/kernel_table.hpp"
#include "core/lane_stage/lane_insert_avx2.hpp"
#include "core/probe/bit_fields.hpp"
#include "core/probe/lane_bits.hpp"
#include "core/probe/split_block_bits.hpp"

namespace bloometry::block {
namespace {

using avx512::broadcast;
using avx512::kAllLanes;
using avx512::Lanes;
using avx512::Layout;
using avx512::mask_of;
using avx512::missing_fields;

/// Body (kernel_table.hpp) of the blocked filter.
template <unsigned kBlockBits, unsigned kNumHashes>
struct BitFields {
  static constexpr unsigned kWordsPerBlock = kBlockBits / 64;
  static constexpr unsigned kFieldsPerWord = Layout<kBlockBits>::kFieldsPerWord;

  [[gnu::always_inline]] static inline std::uint64_t block_of(Digest digest,
                                                              std::uint64_t num_blocks) noexcept {
    return fastrange(digest.hi, num_blocks);
  }

  [[gnu::always_inline]] static inline bool contains(const std::uint64_t* block,
                                                     std::uint64_t lo) noexcept {
    return contains_from<0, kNumHashes>(block, lo);
  }

  /// Whether `contains` has two parts: contains_first tests the probes of the first word, and
  /// contains_rest tests the other probes.
  static constexpr bool kHasRest = kNumHashes > kFieldsPerWord;

  [[gnu::always_inline]] static inline bool contains_first(const std::uint64_t* block,
                                                           std::uint64_t lo) noexcept {
    return contains_from<0, kFieldsPerWord>(block, lo);
  }

  [[gnu::always_inline]] static inline bool contains_rest(const std::uint64_t* block,
                                                          std::uint64_t lo) noexcept {
    return contains_from<kFieldsPerWord, kNumHashes>(block, lo);
  }

  template <unsigned kFirst, unsigned kLast>
  [[gnu::always_inline]] static inline bool contains_from(const std::uint64_t* block,
                                                          std::uint64_t lo) noexcept {
    const Lanes words = Layout<kBlockBits>::load_words(block);
    unsigned missing = 0;
    for (unsigned done = kFirst; done < kLast; done += kFieldsPerWord) {
      missing |=
          missing_fields<kBlockBits>(words, BitFieldProbes::word(lo, done / kFieldsPerWord)) &
          ((1U << num_fields(done)) - 1);
    }
    return missing == 0;
  }

  [[gnu::always_inline]] static inline bool insert(std::uint64_t* block,
                                                   std::uint64_t lo) noexcept {
    Lanes mask = mask_of<kBlockBits>(lo, num_fields(0), num_fields(0));
    for (unsigned done = kFieldsPerWord; done < kNumHashes; done += kFieldsPerWord) {
      const std::uint64_t fields = BitFieldProbes::word(lo, done / kFieldsPerWord);
      mask = _mm512_or_si512(mask, mask_of<kBlockBits>(fields, num_fields(done), num_fields(done)));
    }
    return Layout<kBlockBits>::merge(block, mask);
  }

 private:
  /// Returns the number of probes in the word whose first field is probe number `done`.
  static constexpr unsigned num_fields(unsigned done) noexcept {
    return kNumHashes - done < kFieldsPerWord ? kNumHashes - done : kFieldsPerWord;
  }
};

/// Body of the split block filter, with lanes of 32 bits in 256-bit registers. Registers of 512
/// bits would not be faster than registers of 256 bits.
struct Split {
  using Locations = SplitLocations;
  static constexpr bool kNeedsHi = false;
  static constexpr bool kHasRest = false;
  static constexpr unsigned kWordsPerBlock = 4;

  [[gnu::always_inline]] static inline std::uint64_t block_of(Digest digest,
                                                              std::uint64_t num_blocks) noexcept {
    return split_block_of(digest.lo, num_blocks);
  }

  [[gnu::always_inline]] static inline bool contains(const std::uint64_t* block,
                                                     std::uint64_t lo) noexcept {
    return _mm256_testn_epi32_mask(load(block), mask_of(lo)) == 0;
  }

  [[gnu::always_inline]] static inline bool insert(std::uint64_t* block,
                                                   std::uint64_t lo) noexcept {
    const __m256i before = load(block);
    const __m256i after = _mm256_or_si256(before, mask_of(lo));
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(block), after);
    return _mm256_cmpneq_epi32_mask(before, after) != 0;
  }

  /// Stores the locations of eight keys. The block number is the high half of a 64-bit product and
  /// is stored without a shift.
  [[gnu::always_inline]] static inline void locate(Locations& locations, std::size_t i, Lanes lo,
                                                   Lanes /*hi*/,
                                                   std::uint64_t num_blocks) noexcept {
    constexpr __mmask16 kHighHalves = 0xaaaa;
    const Lanes products = _mm512_maskz_mul_epu32(
        kAllLanes, _mm512_maskz_srli_epi64(kAllLanes, lo, 32), broadcast(num_blocks));
    _mm512_storeu_si512(locations.halves[i], _mm512_mask_blend_epi32(kHighHalves, lo, products));
  }

 private:
  [[gnu::always_inline]] static inline __m256i load(const std::uint64_t* block) noexcept {
    return _mm256_loadu_si256(reinterpret_cast<const __m256i*>(block));
  }

  [[gnu::always_inline]] static inline __m256i mask_of(std::uint64_t lo) noexcept {
    const __m256i salts = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(kSalts));
    const __m256i products = _mm256_mullo_epi32(_mm256_set1_epi32(static_cast<int>(lo)), salts);
    return _mm256_sllv_epi32(_mm256_set1_epi32(1), _mm256_srli_epi32(products, 27));
  }
};

struct LaneFields : avx512::LaneFields {
  using Locations = LaneLocations;
  static constexpr bool kNeedsHi = true;
  static constexpr unsigned kWordsPerBlock = kNumLanes;
  static constexpr bool kHasRest = false;

  [[gnu::always_inline]] static inline std::uint64_t block_of(Digest digest,
                                                              std::uint64_t num_blocks) noexcept {
    return fastrange(digest.hi, num_blocks);
  }

  [[gnu::always_inline]] static inline void locate(Locations& locations, std::size_t i, Lanes lo,
                                                   Lanes hi, std::uint64_t num_blocks) noexcept {
    _mm512_storeu_si512(locations.los + i, lo);
    _mm512_storeu_si512(locations.blocks + i, blocks(hi, num_blocks));
  }

  /// Returns the high word of the product of hi and num_blocks < 2^32. The function computes the
  /// product from two products of 32-bit numbers.
  [[gnu::always_inline]] static inline Lanes blocks(Lanes hi, std::uint64_t num_blocks) noexcept {
    const Lanes range = broadcast(num_blocks);
    const Lanes low =
        _mm512_maskz_srli_epi64(kAllLanes, _mm512_maskz_mul_epu32(kAllLanes, hi, range), 32);
    const Lanes high =
        _mm512_maskz_mul_epu32(kAllLanes, _mm512_maskz_srli_epi64(kAllLanes, hi, 32), range);
    return _mm512_maskz_srli_epi64(kAllLanes, _mm512_add_epi64(low, high), 32);
  }
};

struct LaneDeriver {
  using Insert = Avx2LaneInsert;
  static constexpr std::size_t kWidth = 8;

  /// Computes stage_digest of eight keys and stores their locations.
  [[gnu::always_inline]] static inline void locate(StageLocations& locations, std::size_t i,
                                                   const std::uint64_t* los,
                                                   const std::uint64_t* his,
                                                   const LaneStage& stage) noexcept {
    const Lanes lo = _mm512_loadu_si512(los);
    const Lanes fields =
        _mm512_add_epi64(_mm512_maskz_mul_epu32(kAllLanes, lo, broadcast(stage.factors.lo)),
                         _mm512_loadu_si512(his));
    const Lanes block = _mm512_add_epi64(
        _mm512_maskz_mul_epu32(kAllLanes, _mm512_maskz_srli_epi64(kAllLanes, lo, 32),
                               broadcast(stage.factors.hi)),
        lo);
    const Lanes blocks = LaneFields::blocks(
        _mm512_maskz_rorv_epi64(kAllLanes, block, _mm512_set1_epi64(32)), stage.num_blocks);
    _mm512_storeu_si512(locations.los + i, _mm512_maskz_srli_epi64(kAllLanes, fields, 16));
    _mm512_storeu_si512(locations.offsets + i,
                        _mm512_maskz_slli_epi64(kAllLanes, blocks, kLog2BlockBytes));
  }
};

struct EightWords {
  using Lanes [[gnu::vector_size(64)]] = std::uint64_t;

  [[gnu::always_inline]] static inline Lanes load(const std::uint64_t* words) noexcept {
    return reinterpret_cast<Lanes>(_mm512_loadu_si512(words));
  }

  [[gnu::always_inline]] static inline void store(std::uint64_t* words, Lanes lanes) noexcept {
    _mm512_storeu_si512(words, reinterpret_cast<__m512i>(lanes));
  }

  [[gnu::always_inline]] static inline bool any(Lanes lanes) noexcept {
    const auto bits = reinterpret_cast<__m512i>(lanes);
    return _mm512_test_epi64_mask(bits, bits) != 0;
  }
};

/// Shifts and rotations for fields of 7 bits. A shift by kWordShifts[i] moves the word number of
/// field i to bit 0. A rotation by kNibbleTurns[i] moves the nibble number of field i to bit 2, so
/// that the low bits are four times the nibble number.
struct NibbleFields {
  alignas(64) static constexpr std::uint64_t kWordShifts[8] = {4, 11, 18, 25, 32, 39, 46, 53};
  alignas(64) static constexpr std::uint64_t kNibbleTurns[8] = {62, 5, 12, 19, 26, 33, 40, 47};
  static constexpr unsigned kMost = 8;
};

template <unsigned kNumHashes>
struct Counting : NibbleBlock<EightWords, kNumHashes> {
  /// Returns whether the key's nibbles are all above 0. For at most kMost fields, the function uses
  /// one lane per field, which needs half as many instructions as a mask of the block.
  [[gnu::always_inline]] static inline bool contains(const std::uint64_t* block,
                                                     std::uint64_t lo) noexcept {
    using Fields = NibbleFields;
    if constexpr (kNumHashes > Fields::kMost) {
      return NibbleBlock<EightWords, kNumHashes>::contains(block, lo);
    }
    const Lanes fields = _mm512_set1_epi64(static_cast<long long>(lo));
    const Lanes numbers =
        _mm512_maskz_srlv_epi64(kAllLanes, fields, _mm512_load_si512(Fields::kWordShifts));
    const Lanes words =
        _mm512_maskz_permutexvar_epi64(kAllLanes, numbers, _mm512_loadu_si512(block));
    const Lanes shifts = _mm512_and_si512(
        _mm512_maskz_rorv_epi64(kAllLanes, fields, _mm512_load_si512(Fields::kNibbleTurns)),
        _mm512_set1_epi64(60));
    const Lanes nibbles = _mm512_maskz_srlv_epi64(kAllLanes, words, shifts);
    const unsigned zero = _mm512_testn_epi64_mask(nibbles, _mm512_set1_epi64(15));
    return (zero & ((1U << kNumHashes) - 1)) == 0;
  }
};

template <unsigned kShift>
[[gnu::always_inline]] inline Lanes shifted(Lanes x) noexcept {
  return _mm512_maskz_srli_epi64(kAllLanes, x, kShift);
}

template <unsigned kShift>
[[gnu::always_inline]] inline Lanes folded(Lanes x) noexcept {
  return _mm512_xor_si512(x, shifted<kShift>(x));
}

struct DigestStore {
  /// Writes the words of eight digests in the order lo, hi, lo, hi, ...
  [[gnu::always_inline]] static inline void store(Digest* digests, Lanes lo, Lanes hi) noexcept {
    const Lanes first = _mm512_setr_epi64(0, 8, 1, 9, 2, 10, 3, 11);
    const Lanes last = _mm512_setr_epi64(4, 12, 5, 13, 6, 14, 7, 15);
    _mm512_storeu_si512(&digests[0].lo, _mm512_permutex2var_epi64(lo, first, hi));
    _mm512_storeu_si512(&digests[4].lo, _mm512_permutex2var_epi64(lo, last, hi));
  }
};

/// Computes mix64 of eight words.
struct Mix64 {
  using Lanes = __m512i;
  static constexpr std::size_t kWidth = 8;

  [[gnu::always_inline]] explicit Mix64(const IntegerHash& hash) noexcept
      : start(broadcast(hash.words[0])) {}

  template <bool kNeedsHi>
  [[gnu::always_inline]] inline void words(const std::uint64_t* keys, Lanes& lo,
                                           Lanes& hi) const noexcept {
    lo = mixed(_mm512_xor_si512(_mm512_loadu_si512(keys), start));
    hi = kNeedsHi ? mixed(_mm512_add_epi64(lo, broadcast(kRootThreeGamma))) : lo;
  }

  [[gnu::always_inline]] static inline Lanes mixed(Lanes x) noexcept {
    x = _mm512_mullo_epi64(folded<30>(x), broadcast(kMixFirst));
    x = _mm512_mullo_epi64(folded<27>(x), broadcast(kMixSecond));
    return folded<31>(x);
  }

  Lanes start;
};

/// Computes XXH3 of eight words, as in kernels_avx2.cpp.
struct Xxh3 {
  using Lanes = __m512i;
  static constexpr std::size_t kWidth = 8;

  [[gnu::always_inline]] explicit Xxh3(const IntegerHash& hash) noexcept
      : start(broadcast(hash.words[0])) {}

  template <bool kNeedsHi>
  [[gnu::always_inline]] inline void words(const std::uint64_t* keys, Lanes& lo,
                                           Lanes& hi) const noexcept {
    const Lanes x = _mm512_xor_si512(_mm512_loadu_si512(keys), start);
    const Lanes x_high = shifted<32>(x);
    const Lanes factor_low = broadcast(xxh3::kMultiplier);
    const Lanes factor_high = broadcast(xxh3::kMultiplier >> 32U);
    const Lanes middle = _mm512_add_epi64(product_of_halves(x_high, factor_low),
                                          shifted<32>(product_of_halves(x, factor_low)));
    const Lanes other = _mm512_add_epi64(product_of_halves(x, factor_high),
                                         _mm512_and_si512(middle, broadcast(0xffffffffU)));
    const Lanes low = _mm512_mullo_epi64(x, broadcast(xxh3::kMultiplier));
    Lanes high = _mm512_add_epi64(product_of_halves(x_high, factor_high),
                                  _mm512_add_epi64(shifted<32>(middle), shifted<32>(other)));
    high = _mm512_add_epi64(high, _mm512_add_epi64(low, low));
    const Lanes both = _mm512_xor_si512(low, shifted<3>(high));
    lo = folded<28>(_mm512_mullo_epi64(folded<35>(both), broadcast(xxh3::kLowMultiplier)));
    hi = kNeedsHi
             ? folded<32>(_mm512_mullo_epi64(folded<37>(high), broadcast(xxh3::kHighMultiplier)))
             : lo;
  }

  [[gnu::always_inline]] static inline Lanes product_of_halves(Lanes x, Lanes y) noexcept {
    return _mm512_maskz_mul_epu32(kAllLanes, x, y);
  }

  Lanes start;
};

/// Computes the AES hash of eight states. The functions of Aes are called only if the processor has
/// the AES instructions for 128 bits.
struct Aes {
  using Lanes = __m512i;
  static constexpr std::size_t kWidth = 8;

  [[gnu::always_inline]] explicit Aes(const IntegerHash& hash) noexcept
      : round_key(_mm_loadu_si128(reinterpret_cast<const __m128i*>(hash.words))),
        start(_mm_loadu_si128(reinterpret_cast<const __m128i*>(hash.words + 2))) {}

  template <bool kNeedsHi>
  [[gnu::always_inline]] inline void words(const std::uint64_t* keys, Lanes& lo,
                                           Lanes& hi) const noexcept {
    // The order of the keys is the order in which the unpack instructions read each quarter.
    const Lanes even = states(keys);
    const Lanes odd = states(keys + 1);
    lo = _mm512_maskz_unpacklo_epi64(kAllLanes, even, odd);
    hi = kNeedsHi ? _mm512_maskz_unpackhi_epi64(kAllLanes, even, odd) : lo;
  }

  /// Returns the states of every second key.
  [[gnu::always_inline]] inline Lanes states(const std::uint64_t* keys) const noexcept {
    const __m256i low = _mm256_set_m128i(state(keys + 2), state(keys));
    const __m256i high = _mm256_set_m128i(state(keys + 6), state(keys + 4));
    return _mm512_inserti64x4(_mm512_castsi256_si512(low), high, 1);
  }

  [[gnu::always_inline]] inline __m128i state(const std::uint64_t* key) const noexcept {
    __m128i x = _mm_xor_si128(_mm_loadl_epi64(reinterpret_cast<const __m128i*>(key)), start);
    for (unsigned i = 0; i < IntegerHash::kNumAesRounds; ++i) x = _mm_aesenc_si128(x, round_key);
    return x;
  }

  __m128i round_key;
  __m128i start;
};

/// Computes the AES hash of eight states with the AES instructions for 512 bits (VAES). The
/// instructions are inline assembly, because kernels_avx512.cpp is compiled for the set avx512,
/// which does not include VAES.
struct Vaes {
  using Lanes = __m512i;
  static constexpr std::size_t kWidth = 8;

  [[gnu::always_inline]] explicit Vaes(const IntegerHash& hash) noexcept
      : round_key(in_all_quarters(hash.words)), start(in_all_quarters(hash.words + 2)) {}

  template <bool kNeedsHi>
  [[gnu::always_inline]] inline void words(const std::uint64_t* keys, Lanes& lo,
                                           Lanes& hi) const noexcept {
    constexpr __mmask8 kLowHalves = 0x55;
    const Lanes all = _mm512_loadu_si512(keys);
    const Lanes even = hashed(_mm512_maskz_mov_epi64(kLowHalves, all));
    const Lanes odd = hashed(_mm512_maskz_unpackhi_epi64(kLowHalves, all, all));
    lo = _mm512_maskz_unpacklo_epi64(kAllLanes, even, odd);
    hi = kNeedsHi ? _mm512_maskz_unpackhi_epi64(kAllLanes, even, odd) : lo;
  }

  [[gnu::always_inline]] static inline Lanes in_all_quarters(const std::uint64_t* words) noexcept {
    return _mm512_maskz_broadcast_i32x4(0xffff,
                                        _mm_loadu_si128(reinterpret_cast<const __m128i*>(words)));
  }

  /// Returns the digests of four keys, one per 128 bits. In the argument, a key is the low half of
  /// 128 bits, and the high half is 0.
  [[gnu::always_inline]] inline Lanes hashed(Lanes keys) const noexcept {
    Lanes x = _mm512_xor_si512(keys, start);
    for (unsigned i = 0; i < IntegerHash::kNumAesRounds; ++i) {
      asm("vaesenc %[key], %[state], %[state]" : [state] "+v"(x) : [key] "v"(round_key));
    }
    return x;
  }

  Lanes round_key;
  Lanes start;
};

}  // namespace

constinit const KernelTable kAvx512Kernels =
    make_kernel_table<BitFields, Split, LaneFields, LaneDeriver, Counting, DigestStore, Mix64, Aes,
                      Xxh3>();

constinit const KernelTable kVaesKernels =
    make_kernel_table<BitFields, Split, LaneFields, LaneDeriver, Counting, DigestStore, Mix64, Vaes,
                      Xxh3>();

}  // namespace bloometry::block
