#pragma once

#include "core/filter/filter_spec.hpp"
#include "variants/lanes/lane_fields.hpp"
#include "variants/split_block/split_block_rates.hpp"

namespace bloometry {

/// The block of a lanes filter, for the formulas of split blocks.
inline constexpr theory::SplitBlock kLanesBlock = {.num_lanes = LaneFieldProbes::kNumLanes,
                                                   .lane_bits = LaneFieldProbes::kLaneBits};

/// Returns the geometry of a lanes filter. The size is the requested one, in whole blocks of 8
/// lanes of 64 bits, or the fewest blocks that keep the target rate at capacity, by the exact rate.
/// k is 8.
/// @throws ConfigError if the spec leaves the size open, contradicts itself or is out of range.
[[nodiscard]] Geometry lanes_geometry(const FilterSpec& spec);

}  // namespace bloometry
