#pragma once

#include "core/contract/filter_spec.hpp"
#include "variants/lanes/lane_fields.hpp"
#include "variants/split_block/split_block_rates.hpp"
#include "variants/split_block/split_block_sizing.hpp"

namespace bloometry {

/// Shape of a block of a lanes filter, for the formulas of split-block filters.
inline constexpr theory::SplitBlock kLanesBlock = {.num_lanes = LaneFieldProbes::kNumLanes,
                                                   .lane_bits = LaneFieldProbes::kLaneBits};

/// Returns the geometry of a lanes filter, whose blocks have 8 lanes of 64 bits
/// (lane_blocks_geometry).
/// @throws ConfigError if the spec does not determine the size, contradicts itself or is out of
/// range.
[[nodiscard]] inline Geometry lanes_geometry(const FilterSpec& spec) {
  return lane_blocks_geometry(spec, kLanesBlock);
}

}  // namespace bloometry
