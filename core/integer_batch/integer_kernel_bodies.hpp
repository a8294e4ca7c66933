#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "core/hash/mix.hpp"
#include "core/hash/narrow_digest.hpp"
#include "core/hash/range_reduction.hpp"
#include "core/integer_batch/integer_kernels.hpp"
#include "core/probe/split_block_bits.hpp"

/// Templates that combine a hash and a body (core/kernels/kernel_table.hpp) into kernels for
/// integer keys. Only sources of core/kernels include this header, so the rules in kernel_table.hpp
/// apply.
namespace bloometry::block {

/// Number of keys that are hashed before the first key is looked up. Other numbers were slower
/// (core/decisions.md).
inline constexpr std::size_t kIntegerChunk = 64;

/// Positions of the keys of a chunk in split blocks. For each key, `halves` contains the low half
/// of digest.lo and the block number.
struct SplitLocations {
  alignas(64) std::uint32_t halves[kIntegerChunk][2];

  [[gnu::always_inline]] inline void set(std::size_t i, Digest digest,
                                         std::uint64_t num_blocks) noexcept {
    halves[i][0] = static_cast<std::uint32_t>(digest.lo);
    halves[i][1] = static_cast<std::uint32_t>(split_block_of(digest.lo, num_blocks));
  }

  [[gnu::always_inline]] inline std::uint64_t lo(std::size_t i) const noexcept {
    return halves[i][0];
  }

  [[gnu::always_inline]] inline std::uint64_t block(std::size_t i) const noexcept {
    return halves[i][1];
  }
};

/// Positions of the keys of a chunk in a lanes filter or a blocked filter. The fields of a key are
/// in digest.lo.
struct LaneLocations {
  alignas(64) std::uint64_t los[kIntegerChunk];
  alignas(64) std::uint64_t blocks[kIntegerChunk];

  [[gnu::always_inline]] inline void set(std::size_t i, Digest digest,
                                         std::uint64_t num_blocks) noexcept {
    los[i] = digest.lo;
    blocks[i] = fastrange(digest.hi, num_blocks);
  }

  [[gnu::always_inline]] inline std::uint64_t lo(std::size_t i) const noexcept { return los[i]; }

  [[gnu::always_inline]] inline std::uint64_t block(std::size_t i) const noexcept {
    return blocks[i];
  }
};

/// Hashes integers as FoldedMultiplyHasher does. The keys are hashed one at a time, because the
/// products of this hash have 128 bits.
struct FoldedMultiplyIntegers {
  static constexpr std::size_t kWidth = 1;

  [[gnu::always_inline]] explicit FoldedMultiplyIntegers(const IntegerHash& hash) noexcept
      : first(hash.words[0]), second(hash.words[1]) {}

  [[gnu::always_inline]] inline Digest digest(std::uint64_t key) const noexcept {
    const std::uint64_t folded = folded_multiply(key ^ first, halves_swapped(key) ^ second);
    const auto [low, high] = multiply_wide(folded, kRemixMultiplier);
    return {low ^ high, low + halves_swapped(high)};
  }

  [[gnu::always_inline]] static inline std::uint64_t halves_swapped(std::uint64_t word) noexcept {
    return word << 32U | word >> 32U;
  }

  std::uint64_t first;
  std::uint64_t second;
};

/// Class template whose static functions implement the function pointers of IntegerKernels. Hash
/// hashes kWidth keys at once and has an explicit constructor with one argument, `const
/// IntegerHash&`. If kWidth is 1, Hash has the function `Digest digest(std::uint64_t key)`, which
/// hashes a key. If kWidth is above 1, Hash has the function
/// `template <bool kNeedsHi> void words(const std::uint64_t* keys, Lanes& lo, Lanes& hi)`, which
/// hashes kWidth keys.
///
/// Body has the members that KernelsOf requires, and the type `Locations`, which is SplitLocations
/// or LaneLocations. If kWidth is above 1, Body has two further members. `static constexpr bool
/// kNeedsHi` is true if the locations depend on digest.hi. `static void locate(Locations&,
/// std::size_t i, Lanes lo, Lanes hi, std::uint64_t blocks)` stores the locations of the keys in
/// the lanes, from key number i on.
template <class Hash, class Body>
struct IntegerKernelsOf {
  using Locations = typename Body::Locations;

  static void contains(const std::uint64_t* words, std::uint64_t num_blocks,
                       const IntegerHash& hash, const std::uint64_t* keys, std::size_t num_keys,
                       bool prefetches, std::uint64_t* masks) noexcept {
    if (prefetches) {
      contains_chunks<true>(words, num_blocks, hash, keys, num_keys, masks);
    } else {
      contains_chunks<false>(words, num_blocks, hash, keys, num_keys, masks);
    }
  }

  static std::uint64_t insert(std::uint64_t* words, std::uint64_t num_blocks,
                              const IntegerHash& hash, const std::uint64_t* keys,
                              std::size_t num_keys, bool prefetches) noexcept {
    if (prefetches) return insert_chunks<true>(words, num_blocks, hash, keys, num_keys);
    return insert_chunks<false>(words, num_blocks, hash, keys, num_keys);
  }

  static constexpr IntegerKernels kKernels = {contains, insert};

  /// Hashes at most kIntegerChunk keys and stores their locations.
  static void locate_keys(const IntegerHash& hash, std::uint64_t num_blocks,
                          const std::uint64_t* keys, std::size_t num_keys,
                          Locations& locations) noexcept {
    locate(Hash(hash), num_blocks, keys, num_keys, locations);
  }

 private:
  /// Calls finish(locations, later, num) for each chunk of num keys. `later` holds the locations of
  /// the next chunk; for the last chunk, `later` refers to `locations`.
  template <bool kPrefetches, class Word, class Finish>
  [[gnu::always_inline]] static inline void for_each_chunk(Word* words, std::uint64_t num_blocks,
                                                           const IntegerHash& integer_hash,
                                                           const std::uint64_t* keys,
                                                           std::size_t num_keys,
                                                           Finish finish) noexcept {
    const Hash hash(integer_hash);
    Locations locations[2];
    std::size_t num = locate(hash, num_blocks, keys, num_keys, locations[0]);
    if (kPrefetches) {
      for (std::size_t i = 0; i < num; ++i) prefetch(words, locations[0].block(i));
    }
    for (std::size_t turn = 0; num != 0; turn ^= 1) {
      keys += num;
      num_keys -= num;
      const std::size_t num_later = locate(hash, num_blocks, keys, num_keys, locations[turn ^ 1]);
      finish(locations[turn], locations[num_later == 0 ? turn : turn ^ 1], num);
      num = num_later;
    }
  }

  /// Hashes at most kIntegerChunk keys and returns the number of hashed keys. The remaining
  /// locations are those of the integer key 0, so that all locations can be prefetched.
  [[gnu::always_inline]] static inline std::size_t locate(const Hash& hash,
                                                          std::uint64_t num_blocks,
                                                          const std::uint64_t* keys,
                                                          std::size_t num_keys,
                                                          Locations& locations) noexcept {
    if (num_keys >= kIntegerChunk) {
      locate_chunk(hash, num_blocks, keys, locations);
      return kIntegerChunk;
    }
    if (num_keys != 0) {
      std::uint64_t padded[kIntegerChunk] = {};
      __builtin_memcpy(padded, keys, num_keys * sizeof *keys);
      locate_chunk(hash, num_blocks, padded, locations);
    }
    return num_keys;
  }

  [[gnu::always_inline]] static inline void locate_chunk(const Hash& hash, std::uint64_t num_blocks,
                                                         const std::uint64_t* keys,
                                                         Locations& locations) noexcept {
    for (std::size_t i = 0; i < kIntegerChunk; i += Hash::kWidth) {
      if constexpr (Hash::kWidth == 1) {
        locations.set(i, hash.digest(keys[i]), num_blocks);
      } else {
        typename Hash::Lanes lo;
        typename Hash::Lanes hi;
        hash.template words<Body::kNeedsHi>(keys + i, lo, hi);
        Body::locate(locations, i, lo, hi, num_blocks);
      }
    }
  }

  [[gnu::always_inline]] static inline void prefetch(const std::uint64_t* words,
                                                     std::uint64_t block) noexcept {
    __builtin_prefetch(words + block * Body::kWordsPerBlock, 0);
  }

  [[gnu::always_inline]] static inline void prefetch(std::uint64_t* words,
                                                     std::uint64_t block) noexcept {
    __builtin_prefetch(words + block * Body::kWordsPerBlock, 1);
  }

  template <bool kPrefetches>
  [[gnu::always_inline]] static inline void contains_chunks(
      const std::uint64_t* words, std::uint64_t num_blocks, const IntegerHash& hash,
      const std::uint64_t* keys, std::size_t num_keys, std::uint64_t* masks) noexcept {
    for_each_chunk<kPrefetches>(
        words, num_blocks, hash, keys, num_keys,
        [&](const Locations& locations, const Locations& later,
            std::size_t num) __attribute__((always_inline)) {
          std::uint64_t mask = 0;
          for (std::size_t i = num; i-- > 0;) {
            if (kPrefetches) prefetch(words, later.block(i));
            const std::uint64_t* block = words + locations.block(i) * Body::kWordsPerBlock;
            mask = 2 * mask + static_cast<std::uint64_t>(Body::contains(block, locations.lo(i)));
          }
          *masks++ = mask;
        });
  }

  template <bool kPrefetches>
  [[gnu::always_inline]] static inline std::uint64_t insert_chunks(std::uint64_t* words,
                                                                   std::uint64_t num_blocks,
                                                                   const IntegerHash& hash,
                                                                   const std::uint64_t* keys,
                                                                   std::size_t num_keys) noexcept {
    std::uint64_t num_new = 0;
    for_each_chunk<kPrefetches>(
        words, num_blocks, hash, keys, num_keys,
        [&](const Locations& locations, const Locations& later, std::size_t num)
            __attribute__((always_inline)) {
              for (std::size_t i = 0; i < num; ++i) {
                if (kPrefetches) prefetch(words, later.block(i));
                std::uint64_t* block = words + locations.block(i) * Body::kWordsPerBlock;
                num_new += static_cast<std::uint64_t>(Body::insert(block, locations.lo(i)));
              }
            });
    return num_new;
  }
};

/// Returns the kernels of a body for each IntegerHash::Kind, in the order of the kinds.
template <class Mix64, class Aes, class Xxh3, class Body>
consteval IntegerKernelsByHash integer_kernels() noexcept {
  return {IntegerKernelsOf<Mix64, Body>::kKernels,
          IntegerKernelsOf<FoldedMultiplyIntegers, Body>::kKernels,
          IntegerKernelsOf<Aes, Body>::kKernels, IntegerKernelsOf<Xxh3, Body>::kKernels};
}

/// Function that hashes a chunk of keys and stores their locations. The hash is separate from the
/// kernels in LocatedKernels. Otherwise a filter with many shapes would need kernels for each pair
/// of a shape and a hash.
using LocateKeys = void (*)(const IntegerHash& hash, std::uint64_t num_blocks,
                            const std::uint64_t* keys, std::size_t num_keys,
                            LaneLocations& locations);

template <class Mix64, class Aes, class Xxh3, class Body>
consteval std::array<LocateKeys, IntegerHash::kNumKinds> locate_keys_by_hash() noexcept {
  return {IntegerKernelsOf<Mix64, Body>::locate_keys,
          IntegerKernelsOf<FoldedMultiplyIntegers, Body>::locate_keys,
          IntegerKernelsOf<Aes, Body>::locate_keys, IntegerKernelsOf<Xxh3, Body>::locate_keys};
}

/// Function that writes the digests of keys (hash_integers in integer_kernels.hpp).
using HashIntegers = void (*)(const IntegerHash& hash, const std::uint64_t* keys,
                              std::size_t num_keys, Digest* digests);

/// Class template whose static function `hash` is a HashIntegers. Hash has the members that
/// IntegerKernelsOf requires. Store writes the digests of one call of Hash::words:
///
///     static void store(Digest* digests, Lanes lo, Lanes hi);
template <class Hash, class Store>
struct HashIntegersOf {
  static void hash(const IntegerHash& integer_hash, const std::uint64_t* keys, std::size_t num_keys,
                   Digest* digests) noexcept {
    const Hash hash(integer_hash);
    std::size_t i = 0;
    for (; i + Hash::kWidth <= num_keys; i += Hash::kWidth) hash_some(hash, keys + i, digests + i);
    if (i == num_keys) return;
    std::uint64_t padded[Hash::kWidth] = {};
    Digest last[Hash::kWidth];
    __builtin_memcpy(padded, keys + i, (num_keys - i) * sizeof *keys);
    hash_some(hash, padded, last);
    __builtin_memcpy(digests + i, last, (num_keys - i) * sizeof *digests);
  }

 private:
  /// Hashes kWidth keys.
  [[gnu::always_inline]] static inline void hash_some(const Hash& hash, const std::uint64_t* keys,
                                                      Digest* digests) noexcept {
    if constexpr (Hash::kWidth == 1) {
      *digests = hash.digest(*keys);
    } else {
      typename Hash::Lanes lo;
      typename Hash::Lanes hi;
      hash.template words<true>(keys, lo, hi);
      Store::store(digests, lo, hi);
    }
  }
};

template <class Mix64, class Aes, class Xxh3, class Store>
consteval std::array<HashIntegers, IntegerHash::kNumKinds> hash_integers_by_hash() noexcept {
  return {HashIntegersOf<Mix64, Store>::hash, HashIntegersOf<FoldedMultiplyIntegers, Store>::hash,
          HashIntegersOf<Aes, Store>::hash, HashIntegersOf<Xxh3, Store>::hash};
}

/// Kernels for a chunk of keys whose locations are known. If `later` is not null, the kernels
/// prefetch the cache lines of the locations in `later`.
struct LocatedKernels {
  /// Returns a mask whose bit i is contains(key i).
  std::uint64_t (*contains)(const std::uint64_t* words, const LaneLocations& locations,
                            std::size_t num_keys, const LaneLocations* later) noexcept;
  /// Inserts the keys in array order. Returns the number of keys for which `insert` returns true.
  std::uint64_t (*insert)(std::uint64_t* words, const LaneLocations& locations,
                          std::size_t num_keys, const LaneLocations* later) noexcept;
};

/// Class template whose static functions implement the function pointers of LocatedKernels. Body
/// has the members that KernelsOf requires.
template <class Body>
struct LocatedKernelsOf {
  static std::uint64_t contains(const std::uint64_t* words, const LaneLocations& locations,
                                std::size_t num_keys, const LaneLocations* later) noexcept {
    std::uint64_t mask = 0;
    for (std::size_t i = num_keys; i-- > 0;) {
      if (later != nullptr) __builtin_prefetch(words + later->block(i) * Body::kWordsPerBlock, 0);
      const std::uint64_t* block = words + locations.block(i) * Body::kWordsPerBlock;
      bool answer = false;
      if constexpr (Body::kHasRest) {
        answer = Body::contains_first(block, locations.lo(i));
      } else {
        answer = Body::contains(block, locations.lo(i));
      }
      mask = 2 * mask + static_cast<std::uint64_t>(answer);
    }
    if constexpr (Body::kHasRest) {
      for (std::uint64_t left = mask; left != 0; left &= left - 1) {
        const auto i = static_cast<unsigned>(__builtin_ctzll(left));
        const std::uint64_t* block = words + locations.block(i) * Body::kWordsPerBlock;
        const bool is_out = !Body::contains_rest(block, locations.lo(i));
        mask ^= static_cast<std::uint64_t>(is_out) << i;
      }
    }
    return mask;
  }

  static std::uint64_t insert(std::uint64_t* words, const LaneLocations& locations,
                              std::size_t num_keys, const LaneLocations* later) noexcept {
    std::uint64_t num_new = 0;
    for (std::size_t i = 0; i < num_keys; ++i) {
      if (later != nullptr) __builtin_prefetch(words + later->block(i) * Body::kWordsPerBlock, 1);
      std::uint64_t* block = words + locations.block(i) * Body::kWordsPerBlock;
      num_new += static_cast<std::uint64_t>(Body::insert(block, locations.lo(i)));
    }
    return num_new;
  }

  static constexpr LocatedKernels kKernels = {contains, insert};
};

}  // namespace bloometry::block
