#pragma once

#include <cstdint>

#include "core/block/block_layout.hpp"
#include "core/filter/filter_spec.hpp"

namespace bloometry {

/// Geometry of a filter of blocks of block_cells cells with k free probes in one block: the size as
/// requested, in whole blocks, or the fewest blocks that keep the target rate at capacity in model
/// W and in model D; k as requested, or the best. By the exact rate, the mean over the binomial
/// number of keys in a block; a few milliseconds where it is searched.
/// @throws ConfigError if the spec leaves size or k open, contradicts itself or is out of range.
[[nodiscard]] Geometry blocked_geometry(const FilterSpec& spec, unsigned block_cells,
                                        unsigned cell_bits);

/// The fewest blocks of block_bits bits, and the k, that keep rate for num_keys keys in model W, by
/// the exact rate; the smaller k of equals. 0.3 ms: k is climbed to, not searched.
/// @throws ConfigError if 2^57 bits do not keep it.
[[nodiscard]] Geometry least_blocks(std::uint64_t num_keys, double rate, unsigned block_bits);

}  // namespace bloometry
