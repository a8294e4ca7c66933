#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>

#include "core/filter/filter.hpp"
#include "core/hash/digest.hpp"
#include "core/hash/integer_hash.hpp"

namespace bloometry {

/// The use that a chunk of keys is about to have: lines are fetched to be read, or to be written.
enum class Access { kQuery, kUpdate };

/// Most keys of one chunk that is updated: as many as a mask has bits.
inline constexpr std::size_t kMaxChunkKeys = 64;

/// Most keys of one chunk that is queried.
inline constexpr std::size_t kMaxQueryKeys = 256;

/// A filter that works on chunks of keys, faster than key by key but with the same answers and the
/// same cells afterwards: of up to kUpdateKeys keys that are inserted or erased, kQueryKeys that
/// are looked up. Its functions are BatchAccess's.
template <class F>
concept BatchFilter = Filter<F> && F::kUpdateKeys <= kMaxChunkKeys&& F::kQueryKeys <=
                          kMaxQueryKeys&& F::kQueryKeys % kMaxChunkKeys ==
                      0;

/// The chunks of a BatchFilter, for code that works on many keys (core/engine/batch.hpp) and for
/// filters that are built of others: users of filters call Keyed or AnyFilter.
struct BatchAccess {
  /// Returns whether the filter is larger than the caches, so that prefetching gains time.
  template <BatchFilter F>
  [[nodiscard]] static bool should_prefetch(const F& filter) noexcept {
    return filter.should_prefetch();
  }

  /// Prefetches, without blocking, the lines that a chunk with this key touches first.
  template <BatchFilter F>
  static void prefetch(const F& filter, const Digest& digest, Access access) noexcept {
    filter.prefetch(digest, access);
  }

  /// Prefetches all lines that an update of this key touches.
  template <BatchFilter F>
  static void prefetch_all(const F& filter, const Digest& digest) noexcept {
    filter.prefetch_all(digest);
  }

  /// Inserts the keys of the chunk in their order; bit i is insert of key i.
  template <BatchFilter F>
  static std::uint64_t insert_mask(F& filter, std::span<const Digest> chunk) {
    return filter.insert_mask(chunk);
  }

  /// Erases the keys of the chunk in their order; bit i is erase of key i.
  template <BatchFilter F>
  static std::uint64_t erase_mask(F& filter, std::span<const Digest> chunk) noexcept {
    return filter.erase_mask(chunk);
  }

  /// Bit i of masks[i / 64] is contains of key i; bits past the last are 0. derive makes the digest
  /// of a key: keys may be digests, those of another filter, or hashed as they are looked up.
  template <BatchFilter F, class Key, class Derive = std::identity>
  static void contains_masks(const F& filter, std::span<const Key> chunk, std::uint64_t* masks,
                             Derive derive = {}) noexcept {
    filter.contains_masks(chunk, masks, derive);
  }

  /// Whether the filter takes keys that are integers and hashes several at once.
  template <BatchFilter F>
  static constexpr bool kTakesIntegers = requires(const F& filter, const IntegerHash& hash,
                                                  std::span<const std::uint64_t> keys) {
    filter.contains_integers(hash, keys, nullptr);
  };

  /// Any number of keys; bit i mod 64 of masks[i / 64] is contains of key i, bits past the last are
  /// 0.
  template <BatchFilter F>
  static void contains_integers(const F& filter, const IntegerHash& hash,
                                std::span<const std::uint64_t> keys,
                                std::uint64_t* masks) noexcept {
    filter.contains_integers(hash, keys, masks);
  }

  /// Inserts the keys in their order; returns for how many insert is true.
  template <BatchFilter F>
  static std::uint64_t insert_integers(F& filter, const IntegerHash& hash,
                                       std::span<const std::uint64_t> keys) noexcept {
    return filter.insert_integers(hash, keys);
  }
};

}  // namespace bloometry
