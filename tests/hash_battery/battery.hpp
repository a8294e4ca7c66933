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

/// A function that hashes the keys first, first + 1, ... of a pattern and writes their digests to
/// `digests`.
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

/// A statistic whose law is known if the digests are independent, uniform words.
struct Figure {
  std::string_view name;
  double ratio = 1;    ///< observed value / expected value
  double z = 0;        ///< deviation in standard deviations
  double p_value = 1;  ///< two-sided
};

inline constexpr std::size_t kNumFigures = 10;

/// Fills a standard, a split_block and a lanes filter with the first num_keys keys. The expected
/// rate of each filter is 1 %. Queries the next num_queries keys. Returns the following figures, in
/// the order of the list:
///
/// - The number of false positives of each filter, which is binomial given the state of the filter.
///   The ratio is the observed rate / the rate by theory.
///
/// - The number of set bits of each filter, with the exact law of this number.
///
/// - The number of keys in each block of split_block and of lanes, with a chi-square test.
///
/// - The number of keys per bit of each lane of split_block and of lanes, with a chi-square test.
///   The figure combines the tests of eight lanes. The p-value of the figure is eight times the
///   least p-value of these tests.
///
/// num_keys must be at least 10^5, so that the limit laws are accurate.
[[nodiscard]] std::array<Figure, kNumFigures> measure(const DigestsOf& digests,
                                                      std::uint64_t num_keys,
                                                      std::uint64_t num_queries);

}  // namespace bloometry::test
