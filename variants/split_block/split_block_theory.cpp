#include "variants/split_block/split_block_theory.hpp"

#include <cmath>

#include "core/theory/block_mean.hpp"
#include "core/theory/standard_rates.hpp"
#include "variants/split_block/split_block_rates.hpp"

namespace bloometry {

Prediction Theory<SplitBlockFilter>::predict(const FilterSpec& spec, ProbeModel model,
                                             std::uint64_t num_keys) {
  const Geometry geometry = SplitBlockFilter::geometry(spec);
  const auto num_cells = static_cast<double>(geometry.num_cells);
  const std::uint64_t num_blocks = geometry.num_blocks();
  const double variance = theory::block_mean_variance(
      num_keys, num_blocks, [](std::uint64_t j) { return theory::split_block_rate(j, 1); },
      [](std::uint64_t j) { return theory::split_block_square(j); });
  return {
      .exact = theory::split_block_rate(num_keys, num_blocks),
      .approximations = {{"classic",
                          theory::classic_rate(num_keys, geometry.num_cells, geometry.num_hashes)},
                         {"poisson", num_keys == 0
                                         ? 0
                                         : theory::split_block_poisson_rate(
                                               num_cells / static_cast<double>(num_keys))}},
      .expected_fill_ratio = theory::block_fill_moments(model, num_keys, geometry).mean / num_cells,
      .rate_stddev = std::sqrt(variance)};
}

double Theory<SplitBlockFilter>::expected_rate(const FilterSpec& spec, ProbeModel /*model*/,
                                               std::uint64_t num_keys) {
  return theory::split_block_rate(num_keys, SplitBlockFilter::geometry(spec).num_blocks());
}

}  // namespace bloometry
