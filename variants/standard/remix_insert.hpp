#pragma once

#include <cstddef>
#include <cstdint>

#include "core/hash/digest.hpp"
#include "core/isa/isa.hpp"

namespace bloometry {

/// Function that inserts a chunk of keys in array order into an array of num_bits bits. A key sets
/// the num_hashes bits of the scheme remix (core/probe/remix.hpp). If `prefetches` is true, the
/// function prefetches the cache lines of the chunk first. Returns a mask whose bit i is 1 if key i
/// changed a bit. A chunk has at most kMostRemixKeys keys.
using RemixInsert = std::uint64_t (*)(std::uint64_t* words, std::uint64_t num_bits,
                                      unsigned num_hashes, const Digest* digests,
                                      std::size_t num_keys, bool prefetches) noexcept;

inline constexpr std::size_t kMostRemixKeys = 32;
inline constexpr unsigned kMostRemixHashes = 16;

/// Returns a function that computes several positions at once with the instructions of isa. Returns
/// nullptr if isa does not have such a function, if num_bits is 2^32 or more, or if num_hashes
/// exceeds kMostRemixHashes. If the result is nullptr, the caller computes the positions with
/// RemixProbes.
[[nodiscard]] RemixInsert remix_insert(Isa isa, std::uint64_t num_bits,
                                       unsigned num_hashes) noexcept;

/// The RemixInsert of AVX-512. Only remix_insert() calls it.
std::uint64_t remix_insert_avx512(std::uint64_t* words, std::uint64_t num_bits, unsigned num_hashes,
                                  const Digest* digests, std::size_t num_keys,
                                  bool prefetches) noexcept;

}  // namespace bloometry
