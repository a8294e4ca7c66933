#include "variants/lanes/lanes_theory.hpp"

#include "variants/split_block/split_block_theory.hpp"

namespace bloometry {

Prediction LanesTheory::predict(const FilterSpec& spec, ProbeModel /*model*/,
                                std::uint64_t num_keys) {
  return split_block_prediction(num_keys, LanesFilter::geometry(spec));
}

double LanesTheory::expected_rate(const FilterSpec& spec, ProbeModel /*model*/,
                                  std::uint64_t num_keys) {
  return theory::split_block_rate(num_keys, LanesFilter::geometry(spec).num_blocks(), kLanesBlock);
}

theory::ClaimLaw LanesTheory::claim_law(ProbeModel /*model*/, std::uint64_t num_keys,
                                        const Geometry& geometry, const Params& /*params*/) {
  return split_block_claim_law(num_keys, geometry, kLanesBlock.lane_bits);
}

double LanesTheory::claim_rate(ProbeModel /*model*/, std::uint64_t num_keys,
                               const Geometry& geometry, const Params& /*params*/) {
  return split_block_claim_rate(num_keys, geometry, kLanesBlock.lane_bits);
}

}  // namespace bloometry
