#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <type_traits>

#include "core/hash/hasher.hpp"
#include "core/key/key_view.hpp"

namespace bloometry {

/// A hash that is chosen at run time; what it points to outlives it.
struct HashCall {
  const void* hasher;
  /// Writes the digest of each key. @param digests as many as keys; they need no value before.
  void (*hash)(const void* hasher, std::span<const KeyView> keys, Digest* digests) noexcept;
};

template <Hasher H>
[[nodiscard]] HashCall hash_call(const H& hasher) noexcept {
  return {&hasher, [](const void* of, std::span<const KeyView> keys, Digest* digests) noexcept {
            const H& hash = *static_cast<const H*>(of);
            for (const KeyView key : keys) std::construct_at(digests++, hash(key));
          }};
}

/// Two chunks of digests by turns: one stays valid while the next is made.
template <std::size_t kMaxChunk>
class DigestBuffers {
 public:
  [[nodiscard]] Digest* next() noexcept {
    turn_ = 1 - turn_;
    return buffers_[turn_].digests.data();
  }

 private:
  /// Room for digests, which need no value before they are hashed.
  union Buffer {
    Buffer() noexcept {}

    std::array<Digest, kMaxChunk> digests;
  };

  std::array<Buffer, 2> buffers_;
  std::size_t turn_ = 0;
};

/// A source of chunks for core/engine/batch.hpp: keys (views, strings or 64-bit integers) that are
/// hashed chunk by chunk on demand, into two buffers by turns. The hasher outlives it.
template <std::size_t kMaxChunk, Hasher H, class Key>
class HashedChunks {
 public:
  HashedChunks(const H& hasher, std::span<const Key> keys) noexcept
      : hasher_(hasher), keys_(keys) {}

  template <std::size_t kMostKeys, class Announce>
  std::span<const Digest> next(Announce announce) noexcept {
    static_assert(kMostKeys <= kMaxChunk);
    const std::span<const Key> keys = keys_.first(std::min(kMostKeys, keys_.size()));
    keys_ = keys_.subspan(keys.size());
    Digest* const digests = buffers_.next();
    const H hasher = hasher_;  // its words in registers: stores of digests may change others
    for (std::size_t i = 0; i < keys.size(); ++i) {
      const Digest digest = digest_of(hasher, keys[i]);
      std::construct_at(digests + i, digest);
      announce(digest);
    }
    return {digests, keys.size()};
  }

 private:
  [[nodiscard, gnu::always_inline]] static inline Digest digest_of(const H& hasher,
                                                                   const Key& key) noexcept {
    if constexpr (std::is_same_v<Key, std::uint64_t>) {
      return hasher(IntegerKey(key).view());
    } else {
      return hasher(key);
    }
  }

  const H& hasher_;
  std::span<const Key> keys_;
  DigestBuffers<kMaxChunk> buffers_;
};

/// The same with a hash that is chosen at run time. A call hashes some keys: of 2.9e7 lines of 36
/// bytes into a blocked filter of 34 MiB, 16 a call take 0.63 s, one a call 0.73, and all 64 of a
/// chunk 1.0, whose lines are then prefetched at once.
template <std::size_t kMaxChunk>
class CalledChunks {
 public:
  CalledChunks(const HashCall& hash, std::span<const KeyView> keys) noexcept
      : hash_(hash), keys_(keys) {}

  template <std::size_t kMostKeys, class Announce>
  std::span<const Digest> next(Announce announce) noexcept {
    static_assert(kMostKeys <= kMaxChunk);
    constexpr std::size_t kKeysOfACall = 16;
    const std::size_t num_keys = std::min(kMostKeys, keys_.size());
    Digest* const digests = buffers_.next();
    for (std::size_t first = 0; first < num_keys; first += kKeysOfACall) {
      const std::size_t last = std::min(first + kKeysOfACall, num_keys);
      hash_.hash(hash_.hasher, keys_.subspan(first, last - first), digests + first);
      for (std::size_t i = first; i < last; ++i) announce(digests[i]);
    }
    keys_ = keys_.subspan(num_keys);
    return {digests, num_keys};
  }

 private:
  HashCall hash_;
  std::span<const KeyView> keys_;
  DigestBuffers<kMaxChunk> buffers_;
};

}  // namespace bloometry
