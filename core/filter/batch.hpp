#pragma once

#include <cassert>
#include <cstddef>
#include <cstdint>
#include <span>

#include "core/filter/filter.hpp"

namespace bloometry {

/// Inserts every key; returns for how many insert proved that the key was new.
template <Filter F>
std::uint64_t insert_all(F& filter, std::span<const Digest> digests) {
  std::uint64_t num_new = 0;
  for (const Digest& digest : digests) num_new += static_cast<std::uint64_t>(filter.insert(digest));
  return num_new;
}

/// answers[i] = contains(digests[i]); both spans have the same length.
template <Filter F>
void contains_each(const F& filter, std::span<const Digest> digests,
                   std::span<bool> answers) noexcept {
  assert(digests.size() == answers.size());
  for (std::size_t i = 0; i < digests.size(); ++i) answers[i] = filter.contains(digests[i]);
}

template <Filter F>
[[nodiscard]] std::uint64_t count_positives(const F& filter,
                                            std::span<const Digest> digests) noexcept {
  std::uint64_t num_positives = 0;
  for (const Digest& digest : digests)
    num_positives += static_cast<std::uint64_t>(filter.contains(digest));
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
  for (const Digest& digest : digests)
    num_erased += static_cast<std::uint64_t>(filter.erase(digest));
  return num_erased;
}

}  // namespace bloometry
