#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "core/hash/digest.hpp"
#include "core/hash/integer_hash.hpp"
#include "core/isa/isa.hpp"

namespace bloometry {

/// Writes the digest of each key to the array `digests`, which has one element per key and may be
/// uninitialised. Computes several digests at once if isa and the hash allow it.
void hash_integers(Isa isa, const IntegerHash& hash, const std::uint64_t* keys,
                   std::size_t num_keys, Digest* digests) noexcept;

/// Batch operations of a block filter with integer keys. Most operations hash several keys at once.
/// If `prefetches` is true, the operations prefetch the cache lines of the next 64 keys while they
/// look up the current 64 keys. The answers and the set bits equal those of BlockKernels with the
/// digests of the hash.
struct IntegerKernels {
  /// Sets bit i mod 64 of masks[i / 64] to contains(keys[i]). The mask bits from num_keys on are 0.
  void (*contains)(const std::uint64_t* words, std::uint64_t num_blocks, const IntegerHash& hash,
                   const std::uint64_t* keys, std::size_t num_keys, bool prefetches,
                   std::uint64_t* masks) noexcept;
  /// Inserts the keys in array order. Returns the number of keys for which `insert` returns true.
  std::uint64_t (*insert)(std::uint64_t* words, std::uint64_t num_blocks, const IntegerHash& hash,
                          const std::uint64_t* keys, std::size_t num_keys,
                          bool prefetches) noexcept;

  friend bool operator==(const IntegerKernels&, const IntegerKernels&) = default;
};

/// Array of the kernels of one layout; the index is the kind of hash.
using IntegerKernelsByHash = std::array<IntegerKernels, IntegerHash::kNumKinds>;

/// Returns the kernels of the split block filter or of the lanes filter
/// (core/block/block_kernels.hpp) for isa, which must be one of supported_isas(). Returns the
/// kernels of Isa::kBaseline if the processor lacks the instructions for the hash, or if num_blocks
/// is 2^32 or more.
[[nodiscard]] const IntegerKernels& split_block_integer_kernels(Isa isa, IntegerHash::Kind kind,
                                                                std::uint64_t num_blocks) noexcept;

[[nodiscard]] const IntegerKernels& lane_integer_kernels(Isa isa, IntegerHash::Kind kind,
                                                         std::uint64_t num_blocks) noexcept;

/// Parameters of a blocked filter with scheme bit_fields. The members have the ranges in the
/// comment of bit_field_kernels.
struct BitFieldShape {
  unsigned block_bits;
  unsigned num_hashes;

  friend bool operator==(const BitFieldShape&, const BitFieldShape&) = default;
};

/// Looks up integer keys in a blocked filter with scheme bit_fields, as IntegerKernels::contains
/// does. The function insert_integers inserts integer keys, as IntegerKernels::insert does.
void contains_integers(Isa isa, const BitFieldShape& shape, const std::uint64_t* words,
                       std::uint64_t num_blocks, const IntegerHash& hash, const std::uint64_t* keys,
                       std::size_t num_keys, bool prefetches, std::uint64_t* masks) noexcept;

std::uint64_t insert_integers(Isa isa, const BitFieldShape& shape, std::uint64_t* words,
                              std::uint64_t num_blocks, const IntegerHash& hash,
                              const std::uint64_t* keys, std::size_t num_keys,
                              bool prefetches) noexcept;

}  // namespace bloometry
