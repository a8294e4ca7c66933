#pragma once

#include <cstdint>
#include <vector>

#include "core/hash/key_view.hpp"
#include "core/hash/range_reduction.hpp"
#include "core/hash/xxh3_hasher.hpp"

namespace bloometry::test {

inline Digest digest_of_item(std::uint64_t item, std::uint64_t seed) {
  return Xxh3Hasher(seed)(IntegerKey(item).view());
}

/// Returns digests of the items first, first + step, ... Members have even item numbers and other
/// keys have odd item numbers, so that both sets are disjoint.
inline std::vector<Digest> digests(std::uint64_t first, std::uint64_t step, std::uint64_t num_keys,
                                   std::uint64_t seed) {
  std::vector<Digest> result;
  result.reserve(num_keys);
  for (std::uint64_t i = 0; i < num_keys; ++i) {
    result.push_back(digest_of_item(first + i * step, seed));
  }
  return result;
}

inline std::vector<Digest> member_digests(std::uint64_t num_keys, std::uint64_t seed = 0) {
  return digests(0, 2, num_keys, seed);
}

inline std::vector<Digest> nonmember_digests(std::uint64_t num_keys, std::uint64_t seed = 0) {
  return digests(1, 2, num_keys, seed);
}

/// Returns a digest whose fingerprint among num_fingerprints is the given one.
inline Digest digest_with_fingerprint(std::uint64_t fingerprint, std::uint64_t num_fingerprints) {
  Digest digest;
  for (std::uint64_t bit = std::uint64_t{1} << 63U; bit != 0; bit >>= 1U) {
    if (fastrange(digest.lo | bit, num_fingerprints) <= fingerprint) digest.lo |= bit;
  }
  return digest;
}

}  // namespace bloometry::test
