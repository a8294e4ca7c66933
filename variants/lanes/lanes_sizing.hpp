#pragma once

#include "core/contract/filter_spec.hpp"
#include "variants/lanes/lane_fields.hpp"
#include "variants/split_block/split_block_rates.hpp"

namespace bloometry {

/// Shape of a block of a lanes filter, for the formulas of split-block filters.
inline constexpr theory::SplitBlock kLanesBlock = {.num_lanes = LaneFieldProbes::kNumLanes,
                                                   .lane_bits = LaneFieldProbes::kLaneBits};

/// Returns the geometry of a lanes filter. The size is the requested size rounded up to whole
/// blocks of 8 lanes of 64 bits. If the spec requests a target rate instead, the size is the
/// smallest whose exact rate at capacity does not exceed the target. The number of hashes is 8.
/// @throws ConfigError if the spec does not determine the size, contradicts itself or is out of
/// range.
[[nodiscard]] Geometry lanes_geometry(const FilterSpec& spec);

}  // namespace bloometry
