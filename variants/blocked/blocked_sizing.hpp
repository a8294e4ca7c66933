#pragma once

#include <cstdint>
#include <string>

#include "core/block/block_layout.hpp"
#include "core/error.hpp"
#include "core/filter/filter_spec.hpp"

namespace bloometry {

/// Returns the geometry of a filter whose blocks have block_cells cells. The k probes of a key fall
/// anywhere in one block. The size is the requested size in whole blocks, or the smallest size that
/// keeps the target rate at capacity in models W and D. The result has the requested k or the best
/// k. The search for a size uses the exact rate, which is the mean over the binomial number of keys
/// in a block. The search for a size takes a few milliseconds.
/// @throws ConfigError if the spec does not determine size and k, contradicts itself or is out of
/// range.
[[nodiscard]] Geometry blocked_geometry(const FilterSpec& spec, unsigned block_cells,
                                        unsigned cell_bits);

/// Returns the geometry with the smallest number of blocks of block_bits bits whose exact rate for
/// num_keys keys in model W does not exceed `rate`. If two values of k are equally good, the
/// function returns the smaller k. Cost: 0.3 ms, because hill climbing finds k.
/// @throws ConfigError if the rate needs more than 2^57 bits.
[[nodiscard]] Geometry least_blocks(std::uint64_t num_keys, double rate, unsigned block_bits);

/// Checks the number of hashes.
/// @throws ConfigError if num_hashes is not in [1, kMaxBlockHashes].
inline void require_block_hashes(const Geometry& geometry) {
  if (geometry.num_hashes >= 1 && geometry.num_hashes <= kMaxBlockHashes) return;
  throw ConfigError("num_hashes", "must be in [1, " + std::to_string(kMaxBlockHashes) +
                                      "] in a block, got " + std::to_string(geometry.num_hashes));
}

}  // namespace bloometry
