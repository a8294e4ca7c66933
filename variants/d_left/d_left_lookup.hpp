#pragma once

#include <cstddef>
#include <cstdint>

#include "core/hash/digest.hpp"
#include "core/isa/isa.hpp"
#include "variants/d_left/d_left_permutations.hpp"

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
