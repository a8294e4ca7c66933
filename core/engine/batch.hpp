#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <span>

#include "core/engine/batch_access.hpp"
#include "core/filter/filter.hpp"

/// Operations on many keys: the answers of the single-key calls, in their order. A BatchFilter
/// works chunk by chunk, with the lines of the next chunk on their way while one is finished;
/// others key by key.
namespace bloometry {

/// Keys of one chunk that F inserts or erases, or that it looks up.
template <class F>
inline constexpr std::size_t kUpdateKeysOf = kMaxChunkKeys;

template <BatchFilter F>
inline constexpr std::size_t kUpdateKeysOf<F> = F::kUpdateKeys;

template <class F>
inline constexpr std::size_t kQueryKeysOf = kMaxChunkKeys;

template <BatchFilter F>
inline constexpr std::size_t kQueryKeysOf<F> = F::kQueryKeys;

/// Digests that are there already. A source of chunks has next<kMostKeys>(announce), the next chunk
/// of at most so many keys, empty at the end; it stays valid while one more is taken. Each key is
/// announced as its digest is made.
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

/// Calls finish(chunk) for the chunks of the source in their order, each after prefetch(digest) for
/// all keys of the next chunk if should_prefetch(): its lines come while the one before is
/// finished. Key by key as they are hashed, so that memory is never idle: 1e8 keys in a blocked
/// filter, 15.7 ns per query against 17.9 where a chunk is hashed first, 13.0 for the lines alone.
template <std::size_t kMostKeys, class Chunks, class ShouldPrefetch, class Prefetch, class Finish>
void for_each_chunk(Chunks&& chunks, ShouldPrefetch should_prefetch, Prefetch prefetch,
                    Finish finish) {
  const auto next_chunk = [&] {
    if (should_prefetch()) return chunks.template next<kMostKeys>(prefetch);
    return chunks.template next<kMostKeys>([](const Digest& /*digest*/) {});
  };
  std::span<const Digest> chunk = next_chunk();
  while (!chunk.empty()) {
    const std::span<const Digest> next = next_chunk();
    finish(chunk);
    chunk = next;
  }
}

/// Calls finish(chunk) for the chunks of the source, with the filter's lines for a chunk ahead.
template <class F, std::size_t kMostKeys, class Chunks, class Finish>
void for_each_chunk_of(const F& filter, Chunks& chunks, Access access, Finish finish) {
  const auto should_prefetch = [&] {
    if constexpr (BatchFilter<F>) return BatchAccess::should_prefetch(filter);
    return false;
  };
  const auto prefetch = [&](const Digest& digest) {
    if constexpr (BatchFilter<F>) BatchAccess::prefetch(filter, digest, access);
  };
  for_each_chunk<kMostKeys>(chunks, should_prefetch, prefetch, finish);
}

/// Inserts every key of the source; returns for how many insert proved that the key was new.
template <Filter F, class Chunks>
std::uint64_t insert_chunks(F& filter, Chunks chunks) {
  std::uint64_t num_new = 0;
  for_each_chunk_of<F, kUpdateKeysOf<F>>(
      filter, chunks, Access::kUpdate, [&](std::span<const Digest> chunk) {
        if constexpr (BatchFilter<F>) {
          num_new +=
              static_cast<std::uint64_t>(std::popcount(BatchAccess::insert_mask(filter, chunk)));
        } else {
          for (const Digest& digest : chunk) {
            num_new += static_cast<std::uint64_t>(filter.insert(digest));
          }
        }
      });
  return num_new;
}

/// Erases every key of the source; returns how many erases were carried out.
template <ErasableFilter F, class Chunks>
std::uint64_t erase_chunks(F& filter, Chunks chunks) noexcept {
  std::uint64_t num_erased = 0;
  for_each_chunk_of<F, kUpdateKeysOf<F>>(
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

/// Answers for a chunk of at most kQueryKeysOf<F> keys: bit i of masks[i / 64].
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

/// Calls visit(mask, num_keys) with the answers for the keys of the source, up to 64 at a time.
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

/// The same of integer keys that the filter hashes itself.
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

/// Writes answers as they come, one bool a key.
class BoolAnswers {
 public:
  explicit BoolAnswers(std::span<bool> answers) noexcept : next_(answers.data()) {}

  void operator()(std::uint64_t mask, std::size_t num_keys) noexcept {
    for (std::size_t i = 0; i < num_keys; ++i) *next_++ = ((mask >> i) & 1U) != 0;
  }

 private:
  bool* next_;
};

/// Writes answers as they come, answer i into bit i mod 64 of word i / 64; bits past the last are
/// 0.
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

/// Inserts every key; returns for how many insert proved that the key was new.
template <Filter F>
std::uint64_t insert_all(F& filter, std::span<const Digest> digests) {
  return insert_chunks(filter, DigestChunks(digests));
}

/// answers[i] = contains(digests[i]); both spans have the same length.
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

/// Adds every key to histogram[s], s the number of its probes that fall on cells that are not zero;
/// the histogram has num_hashes + 1 elements.
template <ProbeCountingFilter F>
void count_set_probes(const F& filter, std::span<const Digest> digests,
                      std::span<std::uint64_t> histogram) noexcept {
  assert(histogram.size() == filter.num_hashes() + 1);
  for (const Digest& digest : digests) ++histogram[filter.num_set_probes(digest)];
}

/// Erases every key; returns how many erases were carried out.
template <ErasableFilter F>
std::uint64_t erase_all(F& filter, std::span<const Digest> digests) noexcept {
  return erase_chunks(filter, DigestChunks(digests));
}

}  // namespace bloometry
