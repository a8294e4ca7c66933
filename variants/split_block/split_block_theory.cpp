#include "variants/split_block/split_block_theory.hpp"

#include <cmath>
#include <vector>

#include "core/rates/block_words.hpp"
#include "core/rates/digest_width.hpp"
#include "core/theory/block_mean.hpp"
#include "core/theory/standard_rates.hpp"
#include "variants/split_block/lane_agreement.hpp"
#include "variants/split_block/split_block_rates.hpp"

namespace bloometry {
namespace {

/// Returns the probability that a query has the bits of a member that select its block and its
/// cells.
double collision_rate(std::uint64_t num_keys, const Geometry& geometry) {
  constexpr DigestBits kBits = kDigestBits<ParquetSaltProbes>;
  const BlockWords words(kBits.num_for_block, geometry.num_blocks());
  return digest_collision_rate(static_cast<double>(num_keys), kBits.num + words.collision_bits());
}

double with_collisions(double collision, double rate) {
  return collision + (1 - collision) * rate;
}

statistics::RateMixture with_collisions(double collision, const statistics::RateMixture& rates) {
  std::vector<statistics::RateMixture::Part> parts = rates.parts();
  for (auto& part : parts) part.rate = with_collisions(collision, part.rate);
  return statistics::RateMixture(parts);
}

}  // namespace

Prediction split_block_prediction(std::uint64_t num_keys, const Geometry& geometry) {
  return split_block_prediction(num_keys, geometry, equal_blocks(geometry.num_blocks()));
}

Prediction split_block_prediction(std::uint64_t num_keys, const Geometry& geometry,
                                  std::span<const BlockGroup> groups) {
  constexpr auto kModel = ProbeModel::kPartitioned;
  const theory::SplitBlock block = {.num_lanes = geometry.num_hashes,
                                    .lane_bits = geometry.block_cells / geometry.num_hashes};
  const auto num_cells = static_cast<double>(geometry.num_cells);
  const double variance = theory::block_mean_variance(
      num_keys, groups, [block](std::uint64_t j) { return theory::split_block_rate(j, 1, block); },
      [block](std::uint64_t j) { return theory::split_block_square(j, block); });
  return {.exact = theory::split_block_rate(num_keys, groups, block),
          .approximations =
              {{"classic", theory::classic_rate(num_keys, geometry.num_cells, geometry.num_hashes)},
               {"poisson", num_keys == 0 ? 0
                                         : theory::split_block_poisson_rate(
                                               num_cells / static_cast<double>(num_keys), block)}},
          .expected_fill_ratio =
              theory::block_fill_moments(kModel, num_keys, geometry).mean / num_cells,
          .rate_stddev = std::sqrt(variance)};
}

double split_block_claim_rate(std::uint64_t num_keys, const Geometry& geometry,
                              unsigned lane_bits) {
  return theory::split_block_rate(num_keys, geometry.num_blocks(),
                                  {.num_lanes = geometry.num_hashes, .lane_bits = lane_bits});
}

theory::ClaimLaw split_block_claim_law(std::uint64_t num_keys, const Geometry& geometry,
                                       unsigned lane_bits) {
  return theory::block_claim_law(ProbeModel::kPartitioned, num_keys, geometry,
                                 split_block_claim_rate(num_keys, geometry, lane_bits),
                                 split_block_prediction(num_keys, geometry).rate_stddev.value());
}

Prediction SplitBlockTheory::predict(const FilterSpec& spec, ProbeModel /*model*/,
                                     std::uint64_t num_keys) {
  const Geometry geometry = SplitBlockFilter::geometry(spec);
  return split_block_prediction(num_keys, geometry, theory::parquet_blocks(geometry.num_blocks()));
}

double SplitBlockTheory::expected_rate(const FilterSpec& spec, ProbeModel /*model*/,
                                       std::uint64_t num_keys) {
  return theory::parquet_rate_of_independent_lanes(num_keys,
                                                   SplitBlockFilter::geometry(spec).num_blocks());
}

double SplitBlockTheory::rate_bound(const FilterSpec& spec, std::uint64_t num_keys) {
  return theory::parquet_rate_bound(num_keys, SplitBlockFilter::geometry(spec).num_blocks());
}

theory::ClaimLaw SplitBlockTheory::claim_law(ProbeModel /*model*/, std::uint64_t num_keys,
                                             const Geometry& geometry, const Params& /*params*/) {
  theory::ClaimLaw law = split_block_claim_law(num_keys, geometry, ParquetSaltProbes::kLaneBits);
  const double collision = collision_rate(num_keys, geometry);
  law.rates = with_collisions(collision, law.rates);
  law.expected_rate = with_collisions(collision, law.expected_rate);
  law.rate_stddev *= 1 - collision;
  return law;
}

double SplitBlockTheory::claim_rate(ProbeModel /*model*/, std::uint64_t num_keys,
                                    const Geometry& geometry, const Params& /*params*/) {
  return with_collisions(collision_rate(num_keys, geometry),
                         split_block_claim_rate(num_keys, geometry, ParquetSaltProbes::kLaneBits));
}

}  // namespace bloometry
