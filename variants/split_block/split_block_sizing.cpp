#include "variants/split_block/split_block_sizing.hpp"

#include <string>

#include "core/error.hpp"
#include "core/rates/search.hpp"
#include "core/rates/sizing.hpp"
#include "variants/split_block/parquet_salts.hpp"

namespace bloometry {
namespace {

constexpr theory::SplitBlock kParquetBlock = {.num_lanes = ParquetSaltProbes::kNumLanes,
                                              .lane_bits = ParquetSaltProbes::kLaneBits};
constexpr std::uint64_t kMaxBlocks = (std::uint64_t{1} << 31U) - 1;

/// Returns the error for a filter with too many blocks. The error message names the field of the
/// spec that gives the size.
ConfigError too_many_blocks(const FilterSpec& spec, const Geometry& geometry) {
  const std::string most = std::to_string(kMaxBlocks);
  const std::string got = std::to_string(geometry.num_blocks());
  if (!spec.target_false_positive_rate) {
    return {"num_blocks", "must be in [1, " + most + "], got " + got};
  }
  return {"target_false_positive_rate",
          "must be reachable with " + most + " blocks, got " +
              to_string(ParamValue(*spec.target_false_positive_rate)) + ", which needs " + got};
}

}  // namespace

double split_block_bits_for_rate(double num_keys, double p, theory::SplitBlock block) {
  const double without_blocks = cells_for_rate(num_keys, p, block.num_lanes) / block.num_bits();
  return block.num_bits() * fewest_blocks(without_blocks, p, [&](double num_blocks) {
           return theory::split_block_rate(static_cast<std::uint64_t>(num_keys),
                                           static_cast<std::uint64_t>(num_blocks), block);
         });
}

Geometry lane_blocks_geometry(const FilterSpec& spec, theory::SplitBlock block) {
  return sized_geometry(spec, 1,
                        {.best_num_hashes = {},
                         .cells_for_rate =
                             [block](double num_keys, double p, unsigned /*num_hashes*/) {
                               return split_block_bits_for_rate(num_keys, p, block);
                             },
                         .min_num_hashes = block.num_lanes,
                         .max_num_hashes = block.num_lanes,
                         .block_cells = block.num_lanes * block.lane_bits});
}

Geometry split_block_geometry(const FilterSpec& spec) {
  const Geometry geometry = lane_blocks_geometry(spec, kParquetBlock);
  if (geometry.num_blocks() > kMaxBlocks) throw too_many_blocks(spec, geometry);
  return geometry;
}

}  // namespace bloometry
