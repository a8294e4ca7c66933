#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <new>

#include "core/engine/batch_access.hpp"

/// Queries of several keys in a table of fingerprints, for TableFilter.
namespace bloometry::engine {

/// Returns a mask whose bit i is contains(i). The last key is first, because the shift by one bit
/// needs fewer instructions than a shift by i.
template <class Contains>
[[gnu::always_inline]] inline std::uint64_t mask_of_answers(std::size_t num_keys,
                                                            Contains contains) noexcept {
  std::uint64_t mask = 0;
  for (std::size_t i = num_keys; i-- > 0;) mask = 2 * mask + (contains(i) ? 1U : 0U);
  return mask;
}

/// Looks up the keys in groups of group_keys, a power of two of at most kMostGroupKeys. Before a
/// group is looked up, the places of the next group are computed and prefetched. Longer groups
/// would evict buckets from the L1 cache before they are looked up.
template <std::size_t kMostGroupKeys, class View, class Design, class PlaceAt>
void contains_groups(const View& buckets, const Design& design, std::size_t num_keys,
                     std::size_t group_keys, std::uint64_t* masks, PlaceAt place_at) noexcept {
  using Place = typename Design::Place;
  std::array<std::array<Place, kMostGroupKeys>, 2> groups;
  const auto prepare = [&](std::size_t first) {
    Place* next = groups[first / group_keys % 2].data();
    for (std::size_t i = first; i < std::min(first + group_keys, num_keys); ++i) {
      // Constructed in the array. A copy would load the words of a place as one vector directly
      // after they are stored one by one, which stalls processors.
      const Place& place = *::new (next++) Place(place_at(i));
      design.for_each_bucket(place, [&](std::uint64_t b) { buckets.prefetch_to_read(b); });
    }
  };
  prepare(0);
  for (std::size_t first = 0; first < num_keys; first += group_keys) {
    prepare(first + group_keys);
    const Place* const group = groups[first / group_keys % 2].data();
    const std::uint64_t mask =
        mask_of_answers(std::min(group_keys, num_keys - first),
                        [&](std::size_t i) { return design.contains(buckets, group[i]); });
    std::uint64_t& word = masks[first / kMaxChunkKeys];
    word = first % kMaxChunkKeys == 0 ? mask : word | mask << first % kMaxChunkKeys;
  }
}

}  // namespace bloometry::engine
