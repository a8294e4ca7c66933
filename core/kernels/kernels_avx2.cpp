#include "core/block/bodies_avx2.hpp"
#include "core/block/nibble_block.hpp"
#include "core/hash/xxh3_integer.hpp"
#include "core/kernels/kernel_table.hpp"
#include "core/lane_stage/lane_insert_avx2.hpp"
#include "core/probe/bit_fields.hpp"
#include "core/probe/lane_bits.hpp"
#include "core/probe/split_block_bits.hpp"

// Kernels for AVX2 and BMI2. A lane of 32 bits holds the data of one probe. A block is eight or
// sixteen words of 32 bits. The high bits of a field select the word and the low 5 bits select the
// bit in the word.
namespace bloometry::block {
namespace {

using avx2::Fields512;
using avx2::Lanes;
using avx2::load;
using avx2::merge;
using avx2::store;

/// Returns 1 in the first `count` of eight lanes and 0 in the others.
[[gnu::always_inline]] inline Lanes ones(unsigned count) noexcept {
  const Lanes lanes = _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7);
  return _mm256_srli_epi32(_mm256_cmpgt_epi32(_mm256_set1_epi32(static_cast<int>(count)), lanes),
                           31);
}

template <unsigned kBlockBits>
struct Layout : Fields512 {};

template <>
struct Layout<256> {
  static constexpr unsigned kFieldsPerWord = 8;

  [[gnu::always_inline]] static inline Lanes spread(std::uint64_t fields) noexcept {
    return _mm256_cvtepu8_epi32(_mm_cvtsi64_si128(static_cast<long long>(fields)));
  }

  [[gnu::always_inline]] static inline Lanes look_up(const std::uint64_t* block,
                                                     Lanes fields) noexcept {
    return _mm256_permutevar8x32_epi32(load(block), _mm256_srli_epi32(fields, 5));
  }
};

/// Table of blocks; row f is a block in which only bit f is set.
template <unsigned kBlockBits>
struct BitRows {
  alignas(64) std::uint64_t rows[kBlockBits][kBlockBits / 64];

  consteval BitRows() : rows{} {
    for (unsigned f = 0; f < kBlockBits; ++f) rows[f][f / 64] = std::uint64_t{1} << (f % 64);
  }
};

template <unsigned kBlockBits>
constexpr BitRows<kBlockBits> kBits;

template <unsigned kBlockBits, unsigned kNumHashes>
struct BitFields {
  using BlockLayout = Layout<kBlockBits>;
  static constexpr unsigned kWordsPerBlock = kBlockBits / 64;
  static constexpr unsigned kFieldsPerWord = BlockLayout::kFieldsPerWord;

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
    bool all = true;
    for (unsigned done = kFirst; done < kLast; done += kFieldsPerWord) {
      const Lanes fields = BlockLayout::spread(BitFieldProbes::word(lo, done / kFieldsPerWord));
      const Lanes bits = _mm256_sllv_epi32(ones(fields_from(done)),
                                           _mm256_and_si256(fields, _mm256_set1_epi32(31)));
      all &= _mm256_testc_si256(BlockLayout::look_up(block, fields), bits) != 0;
    }
    return all;
  }

  [[gnu::always_inline]] static inline bool insert(std::uint64_t* block,
                                                   std::uint64_t lo) noexcept {
    Lanes masks[kBlockBits / 256] = {};
    for (unsigned done = 0; done < kNumHashes; done += kFieldsPerWord) {
      const std::uint64_t fields = BitFieldProbes::word(lo, done / kFieldsPerWord);
      for (unsigned i = 0; i < fields_from(done); ++i) {
        const std::uint64_t index = (fields >> (i * kFieldBits)) % kBlockBits;
        for (unsigned half = 0; half < kBlockBits / 256; ++half) {
          masks[half] =
              _mm256_or_si256(masks[half], load(kBits<kBlockBits>.rows[index] + 4 * half));
        }
      }
    }
    bool changed = false;
    for (unsigned half = 0; half < kBlockBits / 256; ++half) {
      changed |= merge(block + 4 * half, masks[half]);
    }
    return changed;
  }

 private:
  static constexpr unsigned kFieldBits = kBlockBits == 512 ? 9 : 8;

  /// Returns the number of probes in the word whose first field is probe number `done`.
  static constexpr unsigned fields_from(unsigned done) noexcept {
    return kNumHashes - done < kFieldsPerWord ? kNumHashes - done : kFieldsPerWord;
  }
};

struct Split : avx2::Split {
  using Locations = SplitLocations;
  static constexpr bool kNeedsHi = false;
  static constexpr unsigned kWordsPerBlock = 4;
  static constexpr bool kHasRest = false;

  [[gnu::always_inline]] static inline std::uint64_t block_of(Digest digest,
                                                              std::uint64_t num_blocks) noexcept {
    return split_block_of(digest.lo, num_blocks);
  }

  /// Stores the locations of four keys. The block number is the high half of a 64-bit product and
  /// is stored without a shift.
  [[gnu::always_inline]] static inline void locate(Locations& locations, std::size_t i, Lanes lo,
                                                   Lanes /*hi*/,
                                                   std::uint64_t num_blocks) noexcept {
    const Lanes products = _mm256_mul_epu32(_mm256_srli_epi64(lo, 32),
                                            _mm256_set1_epi64x(static_cast<long long>(num_blocks)));
    store(locations.halves[i], _mm256_blend_epi32(lo, products, 0xaa));
  }
};

struct LaneFields : avx2::LaneFields {
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
    store(locations.los + i, lo);
    store(locations.blocks + i, blocks(hi, num_blocks));
  }

  /// Returns the high word of the product of hi and num_blocks < 2^32. The function computes the
  /// product from two products of 32-bit numbers.
  [[gnu::always_inline]] static inline Lanes blocks(Lanes hi, std::uint64_t num_blocks) noexcept {
    const Lanes range = _mm256_set1_epi64x(static_cast<long long>(num_blocks));
    const Lanes low = _mm256_srli_epi64(_mm256_mul_epu32(hi, range), 32);
    const Lanes high = _mm256_mul_epu32(_mm256_srli_epi64(hi, 32), range);
    return _mm256_srli_epi64(_mm256_add_epi64(low, high), 32);
  }
};

struct LaneDeriver {
  using Insert = Avx2LaneInsert;
  static constexpr std::size_t kWidth = 4;

  /// Computes stage_digest of four keys and stores their locations.
  [[gnu::always_inline]] static inline void locate(StageLocations& locations, std::size_t i,
                                                   const std::uint64_t* los,
                                                   const std::uint64_t* his,
                                                   const LaneStage& stage) noexcept {
    const Lanes lo = load(los);
    const Lanes fields = _mm256_add_epi64(
        _mm256_mul_epu32(lo, _mm256_set1_epi64x(static_cast<long long>(stage.factors.lo))),
        load(his));
    const Lanes block = _mm256_add_epi64(
        _mm256_mul_epu32(_mm256_srli_epi64(lo, 32),
                         _mm256_set1_epi64x(static_cast<long long>(stage.factors.hi))),
        lo);
    store(locations.los + i, _mm256_srli_epi64(fields, 16));
    store(locations.offsets + i,
          _mm256_slli_epi64(LaneFields::blocks(_mm256_shuffle_epi32(block, 0xb1), stage.num_blocks),
                            kLog2BlockBytes));
  }
};

struct FourWords {
  using Lanes [[gnu::vector_size(32)]] = std::uint64_t;

  [[gnu::always_inline]] static inline Lanes load(const std::uint64_t* words) noexcept {
    return reinterpret_cast<Lanes>(_mm256_loadu_si256(reinterpret_cast<const __m256i*>(words)));
  }

  [[gnu::always_inline]] static inline void store(std::uint64_t* words, Lanes lanes) noexcept {
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(words), reinterpret_cast<__m256i>(lanes));
  }

  [[gnu::always_inline]] static inline bool any(Lanes lanes) noexcept {
    const auto bits = reinterpret_cast<__m256i>(lanes);
    return _mm256_testz_si256(bits, bits) == 0;
  }
};

template <unsigned kNumHashes>
using Counting = NibbleBlock<FourWords, kNumHashes>;

[[gnu::always_inline]] inline Lanes broadcast(std::uint64_t word) noexcept {
  return _mm256_set1_epi64x(static_cast<long long>(word));
}

/// Returns the product of each lane and the factor, modulo 2^64. The result is the product of the
/// low halves plus 2^32 times the sum of the two products of a low and a high half.
[[gnu::always_inline]] inline Lanes product(Lanes x, std::uint64_t factor) noexcept {
  const Lanes crossed = _mm256_mullo_epi32(x, broadcast(factor << 32U | factor >> 32U));
  const Lanes high = _mm256_add_epi32(crossed, _mm256_slli_epi64(crossed, 32));
  return _mm256_add_epi64(_mm256_mul_epu32(x, broadcast(factor)),
                          _mm256_and_si256(high, broadcast(~std::uint64_t{0} << 32U)));
}

template <unsigned kShift>
[[gnu::always_inline]] inline Lanes folded(Lanes x) noexcept {
  return _mm256_xor_si256(x, _mm256_srli_epi64(x, kShift));
}

struct DigestStore {
  /// Writes the words of four digests in the order lo, hi, lo, hi, ...
  [[gnu::always_inline]] static inline void store(Digest* digests, Lanes lo, Lanes hi) noexcept {
    const Lanes even = _mm256_unpacklo_epi64(lo, hi);
    const Lanes odd = _mm256_unpackhi_epi64(lo, hi);
    avx2::store(&digests[0].lo, _mm256_permute2x128_si256(even, odd, 0x20));
    avx2::store(&digests[2].lo, _mm256_permute2x128_si256(even, odd, 0x31));
  }
};

/// Computes mix64 of four words.
struct Mix64 {
  using Lanes = __m256i;
  static constexpr std::size_t kWidth = 4;

  [[gnu::always_inline]] explicit Mix64(const IntegerHash& hash) noexcept
      : start(broadcast(hash.words[0])) {}

  template <bool kNeedsHi>
  [[gnu::always_inline]] inline void words(const std::uint64_t* keys, Lanes& lo,
                                           Lanes& hi) const noexcept {
    lo = mixed(_mm256_xor_si256(load(keys), start));
    hi = kNeedsHi ? mixed(_mm256_add_epi64(lo, broadcast(kRootThreeGamma))) : lo;
  }

  [[gnu::always_inline]] static inline Lanes mixed(Lanes x) noexcept {
    return folded<31>(product(folded<27>(product(folded<30>(x), kMixFirst)), kMixSecond));
  }

  Lanes start;
};

/// Computes XXH3 of four words. The product of 128 bits needs four products of 64 bits. Each word
/// of the digest needs one more product.
struct Xxh3 {
  using Lanes = __m256i;
  static constexpr std::size_t kWidth = 4;

  [[gnu::always_inline]] explicit Xxh3(const IntegerHash& hash) noexcept
      : start(broadcast(hash.words[0])) {}

  template <bool kNeedsHi>
  [[gnu::always_inline]] inline void words(const std::uint64_t* keys, Lanes& lo,
                                           Lanes& hi) const noexcept {
    const Lanes x = _mm256_xor_si256(load(keys), start);
    const Lanes x_high = _mm256_srli_epi64(x, 32);
    const Lanes factor_low = broadcast(xxh3::kMultiplier);
    const Lanes factor_high = broadcast(xxh3::kMultiplier >> 32U);
    const Lanes low_low = _mm256_mul_epu32(x, factor_low);
    // The sums `middle` and `other` do not overflow, because a product of two halves is at most
    // (2^32 - 1)^2.
    const Lanes middle =
        _mm256_add_epi64(_mm256_mul_epu32(x_high, factor_low), _mm256_srli_epi64(low_low, 32));
    const Lanes other = _mm256_add_epi64(_mm256_mul_epu32(x, factor_high),
                                         _mm256_and_si256(middle, broadcast(0xffffffffU)));
    const Lanes low = _mm256_blend_epi32(low_low, _mm256_slli_epi64(other, 32), 0xaa);
    Lanes high = _mm256_add_epi64(
        _mm256_mul_epu32(x_high, factor_high),
        _mm256_add_epi64(_mm256_srli_epi64(middle, 32), _mm256_srli_epi64(other, 32)));
    high = _mm256_add_epi64(high, _mm256_slli_epi64(low, 1));
    const Lanes both = _mm256_xor_si256(low, _mm256_srli_epi64(high, 3));
    lo = folded<28>(product(folded<35>(both), xxh3::kLowMultiplier));
    hi = kNeedsHi ? folded<32>(product(folded<37>(high), xxh3::kHighMultiplier)) : lo;
  }

  Lanes start;
};

/// Computes the AES hash of four states. The functions of Aes are called only if the processor has
/// the AES instructions.
struct Aes {
  using Lanes = __m256i;
  static constexpr std::size_t kWidth = 4;

  [[gnu::always_inline]] explicit Aes(const IntegerHash& hash) noexcept
      : round_key(_mm_loadu_si128(reinterpret_cast<const __m128i*>(hash.words))),
        start(_mm_loadu_si128(reinterpret_cast<const __m128i*>(hash.words + 2))) {}

  template <bool kNeedsHi>
  [[gnu::always_inline]] inline void words(const std::uint64_t* keys, Lanes& lo,
                                           Lanes& hi) const noexcept {
    // The order of the keys is the order in which the unpack instructions read each half.
    const Lanes even = _mm256_set_m128i(state(keys + 2), state(keys));
    const Lanes odd = _mm256_set_m128i(state(keys + 3), state(keys + 1));
    lo = _mm256_unpacklo_epi64(even, odd);
    hi = kNeedsHi ? _mm256_unpackhi_epi64(even, odd) : lo;
  }

  [[gnu::always_inline]] inline __m128i state(const std::uint64_t* key) const noexcept {
    __m128i x = _mm_xor_si128(_mm_loadl_epi64(reinterpret_cast<const __m128i*>(key)), start);
    for (unsigned i = 0; i < IntegerHash::kNumAesRounds; ++i) x = _mm_aesenc_si128(x, round_key);
    return x;
  }

  __m128i round_key;
  __m128i start;
};

}  // namespace

constinit const KernelTable kAvx2Kernels =
    make_kernel_table<BitFields, Split, LaneFields, LaneDeriver, Counting, DigestStore, Mix64, Aes,
                      Xxh3>();

}  // namespace bloometry::block
