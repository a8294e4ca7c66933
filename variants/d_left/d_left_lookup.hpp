#pragma once

#include <cstddef>
#include <cstdint>

#include "core/hash/digest.hpp"
#include "core/isa/isa.hpp"
#include "variants/d_left/d_left_permutations.hpp"
#include "variants/d_left/d_left_sizing.hpp"

namespace bloometry {

/// The table of a d-left filter, for DLeftLookup.
struct DLeftTable {
  const std::uint64_t* words;
  const DLeftPermutations* permutations;
  std::uint64_t num_buckets;  ///< per subtable
  unsigned num_subtables;
  unsigned remainder_bits;
  unsigned counter_bits;
  bool prefetches;  ///< whether the table exceeds the caches
};

/// Whether a vector of AVX-512 can hold the candidate buckets of a key, two words each: the table
/// has at most four subtables, and a bucket has 9 to 16 bytes. A load of 16 bytes from the start of
/// the last bucket then reads at most 7 bytes after it, and the table has 8 bytes of padding.
[[gnu::always_inline]] inline bool fits_one_vector(const DLeftTable& table) noexcept {
  const unsigned bucket_bytes = kDLeftBucketCells * (table.remainder_bits + table.counter_bits) / 8;
  return table.num_subtables <= 4 && bucket_bytes > 8 && bucket_bytes <= 16;
}

/// Function that sets bit i mod 64 of masks[i / 64] to DLeftDesign::contains for key i. The mask
/// bits after the last key are 0.
using DLeftLookup = void (*)(const DLeftTable& table, const Digest* digests, std::size_t num_keys,
                             std::uint64_t* masks) noexcept;

/// Returns a function that looks up several keys at once with the instructions of isa. Returns
/// nullptr if isa does not have such a function, or if the cells of a bucket must be examined one
/// by one (num_bucket_words() in core/store/bucket_words.hpp).
[[nodiscard]] DLeftLookup d_left_lookup(Isa isa, const DLeftTable& table) noexcept;

/// The DLeftLookup of AVX-512. Only d_left_lookup() calls it.
void d_left_lookup_avx512(const DLeftTable& table, const Digest* digests, std::size_t num_keys,
                          std::uint64_t* masks) noexcept;

}  // namespace bloometry
