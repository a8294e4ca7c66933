#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>
#include <utility>

#include "core/contract/filter.hpp"
#include "core/engine/batch_access.hpp"
#include "core/error.hpp"

/// Operations on many keys. The operations return the answers of the single-key calls, in the order
/// of the keys. A BatchFilter processes the keys chunk by chunk. While the filter processes a
/// chunk, the cache lines of the next chunk are being loaded. Other filters process the keys one by
/// one.
namespace bloometry {

/// Number of keys per chunk of a filter: kUpdateKeysOf for inserts, kEraseKeysOf for erases, and
/// kQueryKeysOf for queries.
template <class F>
inline constexpr std::size_t kUpdateKeysOf = kMaxChunkKeys;

template <BatchFilter F>
inline constexpr std::size_t kUpdateKeysOf<F> = F::kUpdateKeys;

template <class F>
inline constexpr std::size_t kEraseKeysOf = kUpdateKeysOf<F>;

template <BatchFilter F>
requires requires {
  F::kEraseKeys;
}
inline constexpr std::size_t kEraseKeysOf<F> = F::kEraseKeys;

template <class F>
inline constexpr std::size_t kQueryKeysOf = kMaxChunkKeys;

template <BatchFilter F>
inline constexpr std::size_t kQueryKeysOf<F> = F::kQueryKeys;

/// Source of chunks for digests that already exist. A source of chunks has a function
/// `next<kMostKeys>(announce)`, which returns the next chunk of at most kMostKeys keys. After the
/// last chunk, `next` returns an empty chunk. A chunk stays valid until the second following call
/// of `next`. For each key, `next` calls announce(digest) as soon as the digest is computed.
class DigestChunks {
 public:
  explicit DigestChunks(std::span<const Digest> digests) noexcept : digests_(digests) {}

  template <std::size_t kMostKeys, class Announce>
  std::span<const Digest> next(Announce announce) noexcept {
    const std::span<const Digest> chunk = digests_.first(std::min(kMostKeys, digests_.size()));
    digests_ = digests_.subspan(chunk.size());
    for (const Digest& digest : chunk) announce(digest);
    return chunk;
  }

 private:
  std::span<const Digest> digests_;
};

/// Calls finish(chunk) for the chunks of the source, from first to last, until finish returns
/// false. If should_prefetch() is true, the function calls prefetch(digest) for all keys of the
/// next chunk before finish(chunk) for the current chunk. The cache lines of the next chunk are
/// then loaded while `finish` processes the current chunk. The cache lines of a key are prefetched
/// as soon as the key is hashed, so that memory is never idle. With 1e8 keys in a blocked filter, a
/// query needs 15.7 ns. If a whole chunk were hashed before its first prefetch, a query would
/// need 17.9 ns. The memory accesses of a query alone need 13.0 ns. If prefetch accepts chunks, the
/// function calls prefetch(chunk) after the whole chunk is hashed instead.
template <std::size_t kMostKeys, class Chunks, class ShouldPrefetch, class Prefetch, class Finish>
void for_each_chunk(Chunks&& chunks, ShouldPrefetch should_prefetch, Prefetch prefetch,
                    Finish finish) {
  const auto next_chunk = [&] {
    constexpr auto kAnnounceNothing = [](const Digest& /*digest*/) {};
    if (!should_prefetch()) return chunks.template next<kMostKeys>(kAnnounceNothing);
    if constexpr (std::is_invocable_v<Prefetch&, std::span<const Digest>>) {
      const std::span<const Digest> chunk = chunks.template next<kMostKeys>(kAnnounceNothing);
      prefetch(chunk);
      return chunk;
    } else {
      return chunks.template next<kMostKeys>(prefetch);
    }
  };
  std::span<const Digest> chunk = next_chunk();
  while (!chunk.empty()) {
    const std::span<const Digest> next = next_chunk();
    if constexpr (std::is_void_v<decltype(finish(chunk))>) {
      finish(chunk);
    } else if (!finish(chunk)) {
      return;
    }
    chunk = next;
  }
}

/// Calls finish(chunk) for the chunks of the source as for_each_chunk does, and prefetches the
/// filter's cache lines for the next chunk.
template <class F, std::size_t kMostKeys, class Chunks, class Finish>
void for_each_chunk_of(const F& filter, Chunks& chunks, Access access, Finish finish) {
  const auto should_prefetch = [&] {
    if constexpr (BatchFilter<F>) return BatchAccess::should_prefetch(filter);
    return false;
  };
  if constexpr (BatchFilter<F>) {
    if constexpr (BatchAccess::kPrefetchesChunks<F>) {
      const auto prefetch = [&](std::span<const Digest> chunk) {
        BatchAccess::prefetch_chunk(filter, chunk, access);
      };
      return for_each_chunk<kMostKeys>(chunks, should_prefetch, prefetch, finish);
    }
  }
  const auto prefetch = [&](const Digest& digest) {
    if constexpr (BatchFilter<F>) BatchAccess::prefetch(filter, digest, access);
  };
  for_each_chunk<kMostKeys>(chunks, should_prefetch, prefetch, finish);
}

/// Inserts the keys of the source. The insert into a limited filter ends at the first key for which
/// the filter has no room.
/// @throws MemoryError if a filter that grows cannot allocate its larger memory. The filter then
/// contains the keys before the key that the filter grows for.
template <Filter F, class Chunks>
InsertCount try_insert_chunks(F& filter, Chunks chunks) {
  InsertCount count;
  for_each_chunk_of<F, kUpdateKeysOf<F>>(
      filter, chunks, Access::kUpdate, [&](std::span<const Digest> chunk) {
        if constexpr (LimitedFilter<F>) {
          count.add(BatchAccess::try_insert_chunk(filter, chunk));
          return !count.is_full;
        } else if constexpr (BatchFilter<F>) {
          count.num_inserted += chunk.size();
          count.num_new +=
              static_cast<std::uint64_t>(std::popcount(BatchAccess::insert_mask(filter, chunk)));
        } else {
          count.num_inserted += chunk.size();
          for (const Digest& digest : chunk) {
            count.num_new += static_cast<std::uint64_t>(filter.insert(digest));
          }
        }
      });
  return count;
}

/// Inserts every key of the source. Returns the number of keys for which `insert` returns true.
/// @throws FullError if a limited filter has no room for a key. The filter then contains the keys
/// before this key.
template <Filter F, class Chunks>
std::uint64_t insert_chunks(F& filter, Chunks chunks) {
  const InsertCount count = try_insert_chunks(filter, std::move(chunks));
  if (count.is_full) throw FullError(count.num_inserted);
  return count.num_new;
}

/// Erases every key of the source. Returns the number of keys for which `erase` returns true.
template <ErasableFilter F, class Chunks>
std::uint64_t erase_chunks(F& filter, Chunks chunks) noexcept {
  std::uint64_t num_erased = 0;
  for_each_chunk_of<F, kEraseKeysOf<F>>(
      filter, chunks, Access::kUpdate, [&](std::span<const Digest> chunk) {
        if constexpr (BatchFilter<F>) {
          num_erased +=
              static_cast<std::uint64_t>(std::popcount(BatchAccess::erase_mask(filter, chunk)));
        } else {
          for (const Digest& digest : chunk) {
            num_erased += static_cast<std::uint64_t>(filter.erase(digest));
          }
        }
      });
  return num_erased;
}

/// Sets bit i mod 64 of masks[i / 64] to contains(chunk[i]), for a chunk of at most kQueryKeysOf<F>
/// keys.
template <Filter F>
void contains_masks_of(const F& filter, std::span<const Digest> chunk,
                       std::uint64_t* masks) noexcept {
  if constexpr (BatchFilter<F>) {
    BatchAccess::contains_masks(filter, chunk, masks);
  } else {
    *masks = 0;
    for (std::size_t i = 0; i < chunk.size(); ++i) {
      *masks |= static_cast<std::uint64_t>(filter.contains(chunk[i])) << i;
    }
  }
}

/// Queries the keys of the source. For each group of at most 64 keys, calls visit(mask, num_keys);
/// bit i of the mask is the answer for key i of the group.
template <Filter F, class Chunks, class Visit>
void query_chunks(const F& filter, Chunks chunks, Visit visit) noexcept {
  constexpr std::size_t kNumKeys = kQueryKeysOf<F>;
  std::array<std::uint64_t, (kNumKeys + 63) / 64> masks;
  for_each_chunk_of<F, kNumKeys>(
      filter, chunks, Access::kQuery, [&](std::span<const Digest> chunk) {
        contains_masks_of(filter, chunk, masks.data());
        for (std::size_t first = 0; first < chunk.size(); first += 64) {
          visit(masks[first / 64], std::min<std::size_t>(64, chunk.size() - first));
        }
      });
}

/// Queries integer keys, which the filter hashes itself, and calls visit(mask, num_keys) as
/// query_chunks does.
template <BatchFilter F, class Visit>
void query_integers(const F& filter, const IntegerHash& hash, std::span<const std::uint64_t> keys,
                    Visit visit) noexcept {
  std::array<std::uint64_t, 32> masks;
  while (!keys.empty()) {
    const auto some = keys.first(std::min<std::size_t>(64 * masks.size(), keys.size()));
    BatchAccess::contains_integers(filter, hash, some, masks.data());
    for (std::size_t first = 0; first < some.size(); first += 64) {
      visit(masks[first / 64], std::min<std::size_t>(64, some.size() - first));
    }
    keys = keys.subspan(some.size());
  }
}

/// Function object for `visit` that writes the answers as bools in the order of the keys.
class BoolAnswers {
 public:
  explicit BoolAnswers(std::span<bool> answers) noexcept : next_(answers.data()) {}

  void operator()(std::uint64_t mask, std::size_t num_keys) noexcept {
    for (std::size_t i = 0; i < num_keys; ++i) *next_++ = ((mask >> i) & 1U) != 0;
  }

 private:
  bool* next_;
};

/// Function object for `visit` that writes the answers as bits in the order of the keys. Answer i
/// is bit i mod 64 of word i / 64. The bits of the last word after the last answer are 0.
class BitAnswers {
 public:
  explicit BitAnswers(std::span<std::uint64_t> words) noexcept : words_(words.data()) {}

  void operator()(std::uint64_t mask, std::size_t num_keys) noexcept {
    const std::size_t used = num_answers_ % 64;
    std::uint64_t* word = words_ + num_answers_ / 64;
    *word = used == 0 ? mask : *word | mask << used;
    if (used + num_keys > 64) word[1] = mask >> (64 - used);
    num_answers_ += num_keys;
  }

 private:
  std::uint64_t* words_;
  std::size_t num_answers_ = 0;
};

/// Inserts every key. Returns the number of keys for which `insert` returns true.
/// @throws FullError under the conditions of insert_chunks
template <Filter F>
std::uint64_t insert_all(F& filter, std::span<const Digest> digests) {
  return insert_chunks(filter, DigestChunks(digests));
}

/// Inserts the keys, up to the first key for which a limited filter has no room.
template <Filter F>
InsertCount try_insert_all(F& filter, std::span<const Digest> digests) {
  return try_insert_chunks(filter, DigestChunks(digests));
}

/// Sets answers[i] to contains(digests[i]). The spans `digests` and `answers` have the same length.
template <Filter F>
void contains_each(const F& filter, std::span<const Digest> digests,
                   std::span<bool> answers) noexcept {
  assert(digests.size() == answers.size());
  query_chunks(filter, DigestChunks(digests), BoolAnswers(answers));
}

template <Filter F>
[[nodiscard]] std::uint64_t count_positives(const F& filter,
                                            std::span<const Digest> digests) noexcept {
  std::uint64_t num_positives = 0;
  query_chunks(filter, DigestChunks(digests), [&](std::uint64_t mask, std::size_t /*num_keys*/) {
    num_positives += static_cast<std::uint64_t>(std::popcount(mask));
  });
  return num_positives;
}

/// Increments histogram[s] for every key, where s is the number of the key's probes that fall on
/// non-zero cells. The histogram has num_hashes + 1 elements.
template <ProbeCountingFilter F>
void count_set_probes(const F& filter, std::span<const Digest> digests,
                      std::span<std::uint64_t> histogram) noexcept {
  assert(histogram.size() == filter.num_hashes() + 1);
  for (const Digest& digest : digests) ++histogram[filter.num_set_probes(digest)];
}

/// Erases every key. Returns the number of keys for which `erase` returns true.
template <ErasableFilter F>
std::uint64_t erase_all(F& filter, std::span<const Digest> digests) noexcept {
  return erase_chunks(filter, DigestChunks(digests));
}

}  // namespace bloometry
