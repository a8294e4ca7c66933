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

/// A source of chunks for core/engine/batch.hpp: keys (views, strings or 64-bit integers) that are
/// hashed chunk by chunk as they are asked for, into two buffers by turns. The hasher outlives it.
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
    turn_ = 1 - turn_;
    Digest* digests = buffers_[turn_].digests.data();
    for (std::size_t i = 0; i < keys.size(); ++i) {
      const Digest digest = digest_of(keys[i]);
      std::construct_at(digests + i, digest);
      announce(digest);
    }
    return {digests, keys.size()};
  }

 private:
  /// Room for digests, which need no value before they are hashed.
  union Buffer {
    Buffer() noexcept {}

    std::array<Digest, kMaxChunk> digests;
  };

  [[nodiscard, gnu::always_inline]] inline Digest digest_of(const Key& key) const noexcept {
    if constexpr (std::is_same_v<Key, std::uint64_t>) {
      return hasher_(IntegerKey(key).view());
    } else {
      return hasher_(key);
    }
  }

  const H& hasher_;
  std::span<const Key> keys_;
  std::array<Buffer, 2> buffers_;
  std::size_t turn_ = 0;
};

}  // namespace bloometry
