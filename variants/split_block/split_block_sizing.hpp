#pragma once

#include "core/filter/filter_spec.hpp"

namespace bloometry {

/// Geometry of a split-block filter: the size as requested, in whole blocks of 8 lanes of 32 bits,
/// or the fewest blocks that keep the target rate at capacity, by the exact rate; k is 8.
/// @throws ConfigError if the spec leaves the size open, contradicts itself or is out of range; for
/// 2^31 blocks (64 GiB) or more.
[[nodiscard]] Geometry split_block_geometry(const FilterSpec& spec);

}  // namespace bloometry
