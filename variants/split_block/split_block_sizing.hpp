#pragma once

#include "core/filter/filter_spec.hpp"
#include "variants/split_block/split_block_rates.hpp"

namespace bloometry {

/// Returns the geometry of a split-block filter: the size as requested, in whole blocks of 8 lanes
/// of 32 bits, or the fewest blocks that keep the target rate at capacity, by the exact rate; k is
/// 8.
/// @throws ConfigError if the spec leaves the size open, contradicts itself or is out of range; for
/// 2^31 blocks (64 GiB) or more.
[[nodiscard]] Geometry split_block_geometry(const FilterSpec& spec);

/// Returns the bits of the fewest blocks of this shape that keep rate p with num_keys keys, by the
/// exact rate; infinite if 2^50 blocks do not keep it.
[[nodiscard]] double split_block_bits_for_rate(double num_keys, double p, theory::SplitBlock block);

}  // namespace bloometry
