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

/// Digests of the keys number `first` and following of a pattern, under a hash.
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

/// One thing that the digests of independent, uniform words have a known law for.
struct Figure {
  std::string_view name;
  double ratio = 1;    ///< what was counted over what is expected
  double z = 0;        ///< off by so many standard deviations; the p-value is the exact one
  double p_value = 1;  ///< two-sided
};

inline constexpr std::size_t kNumFigures = 10;

/// Fills a standard, a split_block and a lanes filter of a rate of 1 % with the first num_keys keys
/// and queries the next num_queries. Figures, in this order:
///
/// - of each filter its false positives, binomial given its own state (ratio: to the rate by
/// theory);
/// - of each its set bits, by their law;
/// - keys in each block of split_block and of lanes, by chi-square;
/// - the bit of a key in a lane of split_block and of lanes, by chi-square; eight tests, of which
///   the p-value is eight times the least.
///
/// num_keys is 10^5 at least, so that all of these have their limit laws.
[[nodiscard]] std::array<Figure, kNumFigures> measure(const DigestsOf& digests,
                                                      std::uint64_t num_keys,
                                                      std::uint64_t num_queries);

}  // namespace bloometry::test
