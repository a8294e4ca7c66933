#include "core/block/nibble_block.hpp"
#include "core/hash/aes_rounds.hpp"
#include "core/hash/narrow_digest.hpp"
#include "core/hash/xxh3_integer.hpp"
#include "core/kernels/kernel_table.hpp"
#include "core/probe/bit_fields.hpp"
#include "core/probe/lane_bits.hpp"
#include "core/probe/split_block_bits.hpp"

// Kernels in plain C++ without branches, for every processor.
namespace bloometry::block {
namespace {

template <unsigned kBlockBits, unsigned kNumHashes>
struct BitFields {
  static constexpr unsigned kWordsPerBlock = kBlockBits / 64;
  static constexpr unsigned kFieldBits = kBlockBits == 512 ? 9 : 8;
  static constexpr unsigned kFieldsPerWord = 64 / kFieldBits;

  [[gnu::always_inline]] static inline std::uint64_t block_of(Digest digest,
                                                              std::uint64_t num_blocks) noexcept {
    return fastrange(digest.hi, num_blocks);
  }

  [[gnu::always_inline]] static inline bool contains(const std::uint64_t* block,
                                                     std::uint64_t lo) noexcept {
    return contains_from<0, kNumHashes>(block, lo);
  }

  /// True if `contains` equals `contains_first && contains_rest`. contains_first tests the probes
  /// of the first word, and contains_rest tests the other probes.
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
    std::uint64_t all = 1;
    std::uint64_t fields = lo;
    for (unsigned i = kFirst; i < kLast; ++i, fields >>= kFieldBits) {
      if (i % kFieldsPerWord == 0) fields = BitFieldProbes::word(lo, i / kFieldsPerWord);
      all &= block[word_of(fields)] >> (fields % 64);
    }
    return all != 0;
  }

  [[gnu::always_inline]] static inline bool insert(std::uint64_t* block,
                                                   std::uint64_t lo) noexcept {
    std::uint64_t changed = 0;
    std::uint64_t fields = lo;
    for (unsigned i = 0; i < kNumHashes; ++i, fields >>= kFieldBits) {
      if (i % kFieldsPerWord == 0) fields = BitFieldProbes::word(lo, i / kFieldsPerWord);
      std::uint64_t& word = block[word_of(fields)];
      const std::uint64_t bit = std::uint64_t{1} << (fields % 64);
      changed |= bit & ~word;
      word |= bit;
    }
    return changed != 0;
  }

 private:
  [[gnu::always_inline]] static inline std::uint64_t word_of(std::uint64_t field) noexcept {
    return field / 64 % kWordsPerBlock;
  }
};

struct Split {
  using Locations = SplitLocations;
  static constexpr unsigned kWordsPerBlock = 4;
  static constexpr bool kHasRest = false;

  [[gnu::always_inline]] static inline std::uint64_t block_of(Digest digest,
                                                              std::uint64_t num_blocks) noexcept {
    return split_block_of(digest.lo, num_blocks);
  }

  [[gnu::always_inline]] static inline bool contains(const std::uint64_t* block,
                                                     std::uint64_t lo) noexcept {
    std::uint64_t missing = 0;
    for (unsigned i = 0; i < kWordsPerBlock; ++i) missing |= bits_of_word(lo, i) & ~block[i];
    return missing == 0;
  }

  [[gnu::always_inline]] static inline bool insert(std::uint64_t* block,
                                                   std::uint64_t lo) noexcept {
    std::uint64_t changed = 0;
    for (unsigned i = 0; i < kWordsPerBlock; ++i) {
      const std::uint64_t bits = bits_of_word(lo, i);
      changed |= bits & ~block[i];
      block[i] |= bits;
    }
    return changed != 0;
  }

 private:
  [[gnu::always_inline]] static inline std::uint64_t bits_of_word(std::uint64_t lo,
                                                                  unsigned i) noexcept {
    return std::uint64_t{1} << split_block_bit(lo, 2 * i) |
           std::uint64_t{1} << (32 + split_block_bit(lo, 2 * i + 1));
  }
};

struct LaneFields {
  using Locations = LaneLocations;
  static constexpr unsigned kWordsPerBlock = kNumLanes;
  static constexpr bool kHasRest = false;

  [[gnu::always_inline]] static inline std::uint64_t block_of(Digest digest,
                                                              std::uint64_t num_blocks) noexcept {
    return fastrange(digest.hi, num_blocks);
  }

  [[gnu::always_inline]] static inline bool contains(const std::uint64_t* block,
                                                     std::uint64_t lo) noexcept {
    std::uint64_t all = 1;
    for (unsigned i = 0; i < kNumLanes; ++i) all &= block[i] >> lane_bit(lo, i);
    return all != 0;
  }

  [[gnu::always_inline]] static inline bool insert(std::uint64_t* block,
                                                   std::uint64_t lo) noexcept {
    std::uint64_t changed = 0;
    for (unsigned i = 0; i < kNumLanes; ++i) {
      const std::uint64_t bit = std::uint64_t{1} << lane_bit(lo, i);
      changed |= bit & ~block[i];
      block[i] |= bit;
    }
    return changed != 0;
  }
};

struct LaneDeriver {
  using Insert = PlainLaneInsert;
  static constexpr std::size_t kWidth = 1;

  [[gnu::always_inline]] static inline void locate(StageLocations& locations, std::size_t i,
                                                   const std::uint64_t* lo, const std::uint64_t* hi,
                                                   const LaneStage& stage) noexcept {
    const Digest digest = stage_digest({*lo, *hi}, stage.factors);
    locations.los[i] = digest.lo;
    locations.offsets[i] = fastrange(digest.hi, stage.num_blocks) << kLog2BlockBytes;
  }
};

/// Operations on vectors of two words, which every x86-64 processor and most other processors
/// support.
struct TwoWords {
  using Lanes [[gnu::vector_size(16)]] = std::uint64_t;

  [[gnu::always_inline]] static inline Lanes load(const std::uint64_t* words) noexcept {
    Lanes lanes;
    __builtin_memcpy(&lanes, words, sizeof lanes);
    return lanes;
  }

  [[gnu::always_inline]] static inline void store(std::uint64_t* words, Lanes lanes) noexcept {
    __builtin_memcpy(words, &lanes, sizeof lanes);
  }

  [[gnu::always_inline]] static inline bool any(Lanes lanes) noexcept {
    return (lanes[0] | lanes[1]) != 0;
  }
};

template <unsigned kNumHashes>
using Counting = NibbleBlock<TwoWords, kNumHashes>;

/// Empty class, because the hashes of the baseline process one key at a time and do not store
/// lanes.
struct DigestStore {};

/// Mix64, Xxh3 and Aes hash integers as the hash families do.
struct Mix64 {
  static constexpr std::size_t kWidth = 1;

  explicit Mix64(const IntegerHash& hash) noexcept : start(hash.words[0]) {}

  [[nodiscard]] Digest digest(std::uint64_t key) const noexcept {
    return digest_of_64_bits(mix64(key ^ start));
  }

  std::uint64_t start;
};

struct Xxh3 {
  static constexpr std::size_t kWidth = 1;

  explicit Xxh3(const IntegerHash& hash) noexcept : start(hash.words[0]) {}

  [[nodiscard]] Digest digest(std::uint64_t key) const noexcept {
    return xxh3::integer_digest(key, start);
  }

  std::uint64_t start;
};

struct Aes {
  static constexpr std::size_t kWidth = 1;

  explicit Aes(const IntegerHash& hash) noexcept
      : round_key{hash.words[0], hash.words[1]}, start{hash.words[2], hash.words[3]} {}

  [[nodiscard]] Digest digest(std::uint64_t key) const noexcept {
    const AesState state =
        aes_rounds(AesState{key, 0} ^ start, round_key, IntegerHash::kNumAesRounds);
    return {state.lo, state.hi};
  }

  AesState round_key;
  AesState start;
};

}  // namespace

constinit const KernelTable kBaselineKernels =
    make_kernel_table<BitFields, Split, LaneFields, LaneDeriver, Counting, DigestStore, Mix64, Aes,
                      Xxh3>();

}  // namespace bloometry::block
