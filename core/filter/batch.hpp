#pragma once

#include <algorithm>
#include <bit>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <span>

#include "core/filter/filter.hpp"

/// Operations on many keys: the answers of the single-key calls, in their order. A BatchFilter
/// works chunk by chunk, with the lines of the next chunk on their way while one is finished;
/// others key by key.
namespace bloometry {

/// Keys of one chunk of F: its kChunkKeys if it has one, else as many as a mask takes.
template <class F>
inline constexpr std::size_t kChunkKeysOf = [] {
  if constexpr (requires { F::kChunkKeys; }) return F::kChunkKeys;
  return kMaxChunkKeys;
}();

/// Calls finish(chunk) for the chunks of digests in their order, each after prefetch(next chunk).
template <std::size_t kChunkKeys, class Prefetch, class Finish>
void for_each_chunk(std::span<const Digest> digests, Prefetch prefetch, Finish finish) {
  static_assert(kChunkKeys > 0 && kChunkKeys <= kMaxChunkKeys);
  std::span<const Digest> chunk = digests.first(std::min(kChunkKeys, digests.size()));
  prefetch(chunk);
  while (!chunk.empty()) {
    digests = digests.subspan(chunk.size());
    const std::span<const Digest> next = digests.first(std::min(kChunkKeys, digests.size()));
    prefetch(next);
    finish(chunk);
    chunk = next;
  }
}

/// Inserts every key; returns for how many insert proved that the key was new.
template <Filter F>
std::uint64_t insert_all(F& filter, std::span<const Digest> digests) {
  std::uint64_t num_new = 0;
  if constexpr (BatchFilter<F>) {
    for_each_chunk<kChunkKeysOf<F>>(
        digests, [&](auto chunk) { filter.prefetch(chunk, Access::kUpdate); },
        [&](auto chunk) {
          num_new += static_cast<std::uint64_t>(std::popcount(filter.insert_mask(chunk)));
        });
  } else {
    for (const Digest& digest : digests)
      num_new += static_cast<std::uint64_t>(filter.insert(digest));
  }
  return num_new;
}

/// answers[i] = contains(digests[i]); both spans have the same length.
template <Filter F>
void contains_each(const F& filter, std::span<const Digest> digests,
                   std::span<bool> answers) noexcept {
  assert(digests.size() == answers.size());
  if constexpr (BatchFilter<F>) {
    bool* answer = answers.data();
    for_each_chunk<kChunkKeysOf<F>>(
        digests, [&](auto chunk) { filter.prefetch(chunk, Access::kQuery); },
        [&](auto chunk) {
          const std::uint64_t mask = filter.contains_mask(chunk);
          for (std::size_t i = 0; i < chunk.size(); ++i) *answer++ = ((mask >> i) & 1U) != 0;
        });
  } else {
    for (std::size_t i = 0; i < digests.size(); ++i) answers[i] = filter.contains(digests[i]);
  }
}

template <Filter F>
[[nodiscard]] std::uint64_t count_positives(const F& filter,
                                            std::span<const Digest> digests) noexcept {
  std::uint64_t num_positives = 0;
  if constexpr (BatchFilter<F>) {
    for_each_chunk<kChunkKeysOf<F>>(
        digests, [&](auto chunk) { filter.prefetch(chunk, Access::kQuery); },
        [&](auto chunk) {
          num_positives += static_cast<std::uint64_t>(std::popcount(filter.contains_mask(chunk)));
        });
  } else {
    for (const Digest& digest : digests) {
      num_positives += static_cast<std::uint64_t>(filter.contains(digest));
    }
  }
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
  std::uint64_t num_erased = 0;
  if constexpr (BatchErasableFilter<F>) {
    for_each_chunk<kChunkKeysOf<F>>(
        digests, [&](auto chunk) { filter.prefetch(chunk, Access::kUpdate); },
        [&](auto chunk) {
          num_erased += static_cast<std::uint64_t>(std::popcount(filter.erase_mask(chunk)));
        });
  } else {
    for (const Digest& digest : digests) {
      num_erased += static_cast<std::uint64_t>(filter.erase(digest));
    }
  }
  return num_erased;
}

}  // namespace bloometry
