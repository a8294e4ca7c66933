#pragma once

#include <cstdint>

#include "core/block/block_layout.hpp"
#include "core/contract/filter_spec.hpp"

namespace bloometry {

/// Returns the geometry of a filter whose blocks have block_cells cells, for probes that fall
/// anywhere in a block. The size is the requested size rounded up to whole blocks. For a target
/// rate, the size is the smallest whose exact rate at capacity is at most the target in both
/// models, W and D. The number of hashes is the requested k or the best k. The search for a size
/// computes the exact rate many times.
/// @throws ConfigError if the spec does not determine size and k, contradicts itself or is out of
/// range.
[[nodiscard]] Geometry blocked_geometry(const FilterSpec& spec, unsigned block_cells,
                                        unsigned cell_bits);

/// Returns the geometry with the smallest number of blocks of block_bits bits whose exact rate in
/// model W does not exceed `rate`. If several values of k need this number of blocks, the function
/// returns the smallest k. It searches k by hill climbing, so it computes the rate of few k.
/// @throws ConfigError if the filter would need more than 2^57 bits.
[[nodiscard]] Geometry least_blocks(std::uint64_t num_keys, double rate, unsigned block_bits);

}  // namespace bloometry
