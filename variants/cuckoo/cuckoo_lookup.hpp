#pragma once

#include <cstddef>
#include <cstdint>

#include "core/hash/digest.hpp"
#include "core/isa/isa.hpp"

namespace bloometry {

/// The table of a cuckoo filter, for CuckooLookup.
struct CuckooTable {
  const std::uint64_t* words;
  std::uint64_t num_buckets;
  std::uint64_t num_fingerprints;
  unsigned bucket_cells;
  unsigned cell_bits;
  bool prefetches = false;  ///< whether the table exceeds the caches
};

/// Function that sets bit i mod 64 of masks[i / 64] to CuckooDesign::contains for key i. The mask
/// bits after the last key are 0.
using CuckooLookup = void (*)(const CuckooTable& table, const Digest* digests, std::size_t num_keys,
                              std::uint64_t* masks) noexcept;

/// Returns a function that looks up several keys at once with the instructions of isa. Returns
/// nullptr if isa does not have such a function, if isa is AVX2 and the table prefetches, because
/// the prefetches of lookups one by one then save more time, if a bucket is not one word
/// (num_bucket_words() in core/store/bucket_words.hpp), or if num_buckets or num_fingerprints is
/// 2^32 or more.
[[nodiscard]] CuckooLookup cuckoo_lookup(Isa isa, const CuckooTable& table) noexcept;

/// The CuckooLookup of AVX2. Only cuckoo_lookup() calls it.
void cuckoo_lookup_avx2(const CuckooTable& table, const Digest* digests, std::size_t num_keys,
                        std::uint64_t* masks) noexcept;

/// The CuckooLookup of AVX-512. Only cuckoo_lookup() calls it.
void cuckoo_lookup_avx512(const CuckooTable& table, const Digest* digests, std::size_t num_keys,
                          std::uint64_t* masks) noexcept;

}  // namespace bloometry
