#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>

#include "core/contract/filter.hpp"
#include "core/hash/digest.hpp"
#include "core/hash/integer_hash.hpp"

namespace bloometry {

/// Kind of operation on a chunk of keys. Cache lines are prefetched for reading if the operation is
/// kQuery, and for writing if it is kUpdate.
enum class Access { kQuery, kUpdate };

/// Largest number of keys per chunk for inserts and erases, which is the number of bits of a mask.
inline constexpr std::size_t kMaxChunkKeys = 64;

/// Largest number of keys per chunk for queries.
inline constexpr std::size_t kMaxQueryKeys = 256;

/// A filter that processes chunks of keys. A chunk has at most kUpdateKeys keys for inserts and
/// erases, unless the filter has a number kEraseKeys of keys for erases, which is not larger, and
/// at most kQueryKeys keys for queries. An operation on a chunk is faster than operations on single
/// keys, returns the same answers and changes the same cells. BatchAccess lists the functions of a
/// BatchFilter.
template <class F>
concept BatchFilter = Filter<F> && F::kUpdateKeys <= kMaxChunkKeys&& F::kQueryKeys <=
                          kMaxQueryKeys&& F::kQueryKeys % kMaxChunkKeys ==
                      0;

/// Access to the chunk functions of a BatchFilter, for code that processes many keys
/// (core/engine/batch.hpp) and for filters that are built from other filters. Users of filters call
/// Keyed or AnyFilter instead.
struct BatchAccess {
  /// Returns whether the filter is larger than the caches, so that prefetching saves time.
  template <BatchFilter F>
  [[nodiscard]] static bool should_prefetch(const F& filter) noexcept {
    return filter.should_prefetch();
  }

  /// Prefetches, without blocking, the first cache lines that an operation on a chunk accesses for
  /// the key.
  template <BatchFilter F>
  static void prefetch(const F& filter, const Digest& digest, Access access) noexcept {
    filter.prefetch(digest, access);
  }

  /// Whether the filter F prefetches for whole chunks.
  template <BatchFilter F>
  static constexpr bool kPrefetchesChunks = requires(const F& filter,
                                                     std::span<const Digest> chunk) {
    filter.prefetch_chunk(chunk, Access::kUpdate);
  };

  /// Prefetches, without blocking, the first cache lines that an operation on the chunk accesses.
  template <BatchFilter F>
  static void prefetch_chunk(const F& filter, std::span<const Digest> chunk,
                             Access access) noexcept {
    filter.prefetch_chunk(chunk, access);
  }

  /// Prefetches all cache lines that an update of the key accesses.
  template <BatchFilter F>
  static void prefetch_all(const F& filter, const Digest& digest) noexcept {
    filter.prefetch_all(digest);
  }

  /// Inserts the keys of the chunk in array order. Returns a mask whose bit i is the result of
  /// `insert` for key i.
  template <BatchFilter F>
  static std::uint64_t insert_mask(F& filter, std::span<const Digest> chunk) {
    return filter.insert_mask(chunk);
  }

  /// Inserts the keys of the chunk in array order, up to the first key for which the filter has no
  /// room.
  template <BatchFilter F>
  static InsertCount try_insert_chunk(F& filter,
                                      std::span<const Digest> chunk) requires LimitedFilter<F> {
    return filter.try_insert_chunk(chunk);
  }

  /// Erases the keys of the chunk in array order. Returns a mask whose bit i is the result of
  /// `erase` for key i.
  template <BatchFilter F>
  static std::uint64_t erase_mask(F& filter, std::span<const Digest> chunk) noexcept {
    return filter.erase_mask(chunk);
  }

  /// Sets bit i mod 64 of masks[i / 64] to the result of `contains` for key i. The mask bits after
  /// the last key are 0. The function derive(key) returns the digest of a key. A key may be a
  /// digest, a digest for another filter, or a key that `derive` hashes.
  template <BatchFilter F, class Key, class Derive = std::identity>
  static void contains_masks(const F& filter, std::span<const Key> chunk, std::uint64_t* masks,
                             Derive derive = {}) noexcept {
    filter.contains_masks(chunk, masks, derive);
  }

  /// Whether the filter F accepts integer keys and hashes several keys at once.
  template <BatchFilter F>
  static constexpr bool kTakesIntegers = requires(const F& filter, const IntegerHash& hash,
                                                  std::span<const std::uint64_t> keys) {
    filter.contains_integers(hash, keys, nullptr);
  };

  /// Sets bit i mod 64 of masks[i / 64] to the result of `contains` for key i, for any number of
  /// keys. The mask bits after the last key are 0.
  template <BatchFilter F>
  static void contains_integers(const F& filter, const IntegerHash& hash,
                                std::span<const std::uint64_t> keys,
                                std::uint64_t* masks) noexcept {
    filter.contains_integers(hash, keys, masks);
  }

  /// Inserts the keys in array order. Returns the number of keys for which `insert` returns true.
  template <BatchFilter F>
  static std::uint64_t insert_integers(F& filter, const IntegerHash& hash,
                                       std::span<const std::uint64_t> keys) noexcept {
    return filter.insert_integers(hash, keys);
  }
};

}  // namespace bloometry
