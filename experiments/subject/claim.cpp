#include "experiments/subject/claim.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "core/error.hpp"
#include "core/rates/digest_width.hpp"
#include "core/theory/block_rate_law.hpp"
#include "core/theory/rate_law.hpp"
#include "core/theory/standard_rates.hpp"
#include "variants/blocked/blocked_rates.hpp"
#include "variants/registry/registry.hpp"
#include "variants/split_block/split_block_filter.hpp"
#include "variants/split_block/split_block_rates.hpp"
#include "variants/split_block/split_block_theory.hpp"

namespace bloometry {
void require_claimable(std::string_view variant) {
  std::vector<std::string_view> claimable;
  for (const VariantInfo& info : all_variant_infos()) {
    if (info.passes_nonzero_cells) claimable.push_back(info.name);
  }
  if (std::find(claimable.begin(), claimable.end(), variant) != claimable.end()) return;
  std::string allowed;
  for (const std::string_view name : claimable) {
    allowed += (allowed.empty() ? "" : name == claimable.back() ? " or " : ", ");
    allowed += name;
  }
  throw ConfigError("claim",
                    "must be " + allowed +
                        " (variants whose distribution of rates is known or bounded), got '" +
                        std::string(variant) + "'");
}

namespace {

/// Returns the probability that a query has the digest bits of a member. The width of the subject's
/// hash is unknown, so that only the words of split_block count, whose 32 bits are part of the
/// format.
double floor_of(std::string_view variant, const Geometry& geometry, std::uint64_t num_keys) {
  if (variant != SplitBlockFilter::kName) return 0;
  const double num_bits =
      kDigestBits<ParquetSaltProbes>.num + std::log2(static_cast<double>(geometry.num_blocks()));
  return digest_collision_rate(static_cast<double>(num_keys), num_bits);
}

double with_floor(double floor, double rate) {
  return floor + (1 - floor) * rate;
}

statistics::RateMixture with_floor(double floor, const statistics::RateMixture& rates) {
  std::vector<statistics::RateMixture::Part> parts = rates.parts();
  for (auto& part : parts) part.rate = with_floor(floor, part.rate);
  return statistics::RateMixture(parts);
}

double stddev_between_blocked_filters(ProbeModel model, const Geometry& geometry,
                                      std::uint64_t num_keys) {
  const Prediction prediction = model == ProbeModel::kPartitioned
                                    ? split_block_prediction(num_keys, geometry)
                                    : theory::blocked_prediction(model, num_keys, geometry);
  return prediction.rate_stddev.value();
}

}  // namespace

Claim make_claim(std::string_view variant, const Geometry& geometry, ProbeModel model,
                 std::uint64_t num_keys) {
  require_claimable(variant);
  if (num_keys == 0) throw ConfigError("num_keys", "must be at least 1, got 0");
  const std::uint64_t m = geometry.num_cells;
  const unsigned k = geometry.num_hashes;
  try {
    Claim claim{.variant = variant,
                .model = model,
                .num_keys = num_keys,
                .num_cells = m,
                .num_hashes = k,
                .block_cells = geometry.block_cells,
                .rates = geometry.block_cells > 1
                             ? theory::block_rate_law(model, num_keys, geometry)
                             : theory::rate_law(model, num_keys, m, k)};
    const double floor = floor_of(variant, geometry, num_keys);
    if (floor > 0) claim.rates = with_floor(floor, claim.rates);
    claim.expected_rate = rate_of_kind(claim, geometry, num_keys);
    claim.rate_stddev = claim.has_blocks()
                            ? stddev_between_blocked_filters(model, geometry, num_keys)
                            : std::sqrt(claim.rates.variance());
    return claim;
  } catch (const std::domain_error& error) {
    throw ConfigError(error.what());
  }
}

Claim at_load(const Claim& claim, std::uint64_t num_keys) {
  if (num_keys == claim.num_keys) return claim;
  return make_claim(claim.variant,
                    {.num_cells = claim.num_cells,
                     .num_hashes = claim.num_hashes,
                     .block_cells = claim.block_cells},
                    claim.model, num_keys);
}

double rate_of_kind(const Claim& claim, const Geometry& geometry, std::uint64_t num_keys) {
  if (geometry.block_cells == 1) {
    return theory::exact_rate(claim.model, num_keys, geometry.num_cells, geometry.num_hashes);
  }
  if (claim.model != ProbeModel::kPartitioned) {
    return theory::blocked_rate(claim.model, num_keys, geometry);
  }
  const double of_ideal_lanes = theory::split_block_rate(
      num_keys, geometry.num_blocks(),
      {.num_lanes = geometry.num_hashes, .lane_bits = claim.block_cells / claim.num_hashes});
  return with_floor(floor_of(claim.variant, geometry, num_keys), of_ideal_lanes);
}

}  // namespace bloometry
