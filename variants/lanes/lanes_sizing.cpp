#include "variants/lanes/lanes_sizing.hpp"

#include "core/rates/sizing.hpp"
#include "variants/split_block/split_block_sizing.hpp"

namespace bloometry {

Geometry lanes_geometry(const FilterSpec& spec) {
  constexpr unsigned kLanes = LaneFieldProbes::kNumLanes;
  const auto bits_for_rate = [](double num_keys, double p, unsigned /*num_hashes*/) {
    return split_block_bits_for_rate(num_keys, p, kLanesBlock);
  };
  return sized_geometry(spec, 1,
                        {.best_num_hashes = {},
                         .cells_for_rate = bits_for_rate,
                         .min_num_hashes = kLanes,
                         .max_num_hashes = kLanes,
                         .block_cells = LaneFieldProbes::kBlockBits});
}

}  // namespace bloometry
