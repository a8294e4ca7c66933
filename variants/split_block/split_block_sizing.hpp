#pragma once

#include "core/contract/filter_spec.hpp"
#include "variants/split_block/split_block_rates.hpp"

namespace bloometry {

/// Returns the geometry of a split-block filter. The size is the requested size rounded up to whole
/// blocks of 8 lanes of 32 bits. If the spec requests a target rate instead, the size is the
/// smallest whose exact rate at capacity does not exceed the target. The number of hashes is 8.
/// @throws ConfigError if the spec does not determine the size, contradicts itself or is out of
/// range. The function also throws ConfigError if the filter would have 2^31 blocks (64 GiB) or
/// more.
[[nodiscard]] Geometry split_block_geometry(const FilterSpec& spec);

/// Returns the geometry of a filter whose keys set one bit in each lane of a block of the given
/// shape. The size is the requested size rounded up to whole blocks, or the smallest size whose
/// exact rate at capacity does not exceed the target. The number of hashes is the number of lanes.
/// @throws ConfigError if the spec does not determine the size, contradicts itself or is out of
/// range.
[[nodiscard]] Geometry lane_blocks_geometry(const FilterSpec& spec, theory::SplitBlock block);

/// Returns the size in bits of the smallest filter, with blocks of the given shape, whose exact
/// rate with num_keys keys is at most p. Returns infinity if the rate needs more than 2^50 blocks.
[[nodiscard]] double split_block_bits_for_rate(double num_keys, double p, theory::SplitBlock block);

}  // namespace bloometry
