#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string_view>
#include <vector>

#include "core/hash/hasher.hpp"
#include "tests/hash_battery/key_patterns.hpp"

namespace bloometry::test {

/// Returns the digests of keys `first`, `first` + 1, ... of a pattern, under a hash.
using DigestsOf = std::function<void(std::uint64_t first, std::span<Digest> digests)>;

template <Hasher H>
DigestsOf digests_of(const H& hasher, const KeySet& keys) {
  return [hasher, write = keys.write](std::uint64_t first, std::span<Digest> digests) {
    char key[kMaxKeyBytes];
    for (Digest& digest : digests) {
      const std::size_t size = write(first++, key);
      digest = hasher(std::string_view(key, size));
    }
  };
}

/// A statistic with a known law if the digests are independent, uniform words.
struct Figure {
  std::string_view name;
  double ratio = 1;    ///< observed count / expected count
  double z = 0;        ///< deviation in standard deviations
  double p_value = 1;  ///< exact and two-sided
};

inline constexpr std::size_t kNumFigures = 10;

/// Fills a standard, a split_block and a lanes filter with the first num_keys keys at a rate of 1
/// %, and queries the next num_queries keys. Returns these figures, in this order:
///
/// - the false positives of each filter, binomial given its own state (ratio: to the rate by
///   theory);
/// - the set bits of each filter, by their law;
/// - the number of keys in each block of split_block and of lanes, by chi-square;
/// - the bit of a key in a lane of split_block and of lanes, by chi-square. The figure combines
///   eight tests; its p-value is eight times the least of their p-values.
///
/// num_keys must be at least 10^5, so that the limit laws apply to all figures.
[[nodiscard]] std::array<Figure, kNumFigures> measure(const DigestsOf& digests,
                                                      std::uint64_t num_keys,
                                                      std::uint64_t num_queries);

}  // namespace bloometry::test
