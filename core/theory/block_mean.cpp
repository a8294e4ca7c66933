#include "core/theory/block_mean.hpp"

#include <algorithm>
#include <cmath>

#include "core/rates/binomial_mixture.hpp"
#include "core/rates/rate_given_state.hpp"
#include "core/statistics/special_functions.hpp"

namespace bloometry::theory {
namespace {

/// Returns P(a key hits one of two given cells of a block | the key falls into this block). The two
/// cells are in one lane if in_one_lane is true, and otherwise in two lanes.
double hit_probability_of_two(ProbeModel model, unsigned block_cells, unsigned num_hashes,
                              bool in_one_lane) {
  const double cells = block_cells;
  const double k = num_hashes;
  switch (model) {
    case ProbeModel::kWithReplacement:
      return -std::expm1(k * std::log1p(-2 / cells));
    case ProbeModel::kDistinct:
      return k / cells * (2 - (k - 1) / (cells - 1));
    case ProbeModel::kPartitioned:
      break;
  }
  const double hit = k / cells;
  return in_one_lane ? 2 * hit : hit * (2 - hit);
}

/// Returns (1-x/b)^n - (1-y/b)^2n for a pair of cells. A key hits at least one of the two cells
/// with probability x/b, and a given cell with probability y/b. The value is computed as (1-y/b)^2n
/// times the relative deviation from independence, which avoids a difference of nearly equal
/// numbers.
double excess_of_pair(double n, double num_blocks, double either, double each) {
  const double y = each / num_blocks;
  // 1 - x/b = (1-y)^2 (1 + (2y - y^2 - x/b)/(1-y)^2)
  const double gap = (2 * y - either / num_blocks - y * y) / ((1 - y) * (1 - y));
  if (gap <= -1) return -std::exp(2 * n * std::log1p(-y));
  return std::exp(2 * n * std::log1p(-y)) * std::expm1(n * std::log1p(gap));
}

/// Returns E[f f'] for two different blocks, one of each group.
double mean_product(std::uint64_t n, const BlockGroup& one, const BlockGroup& other,
                    const std::function<double(std::uint64_t)>& mean_at) {
  // A key outside the first block falls into the second one with probability p'/(1-p).
  const double others =
      other.inverse_probability - other.inverse_probability / one.inverse_probability;
  return cell_mean_of(static_cast<double>(n), one.inverse_probability, [&](std::uint64_t j) {
    if (j > n) return 0.0;  // the binomial weight is 0 for j > n
    return mean_at(j) * cell_mean_of(static_cast<double>(n - j), others, mean_at);
  });
}

}  // namespace

double block_mean_variance(std::uint64_t n, std::span<const BlockGroup> groups,
                           const std::function<double(std::uint64_t)>& mean_at,
                           const std::function<double(std::uint64_t)>& square_at) {
  const double mean = mean_over_blocks(groups, n, mean_at);
  double square = 0;
  double product = 0;
  for (std::size_t i = 0; i < groups.size(); ++i) {
    const BlockGroup& one = groups[i];
    square += one.share * one.share *
              cell_mean_of(static_cast<double>(n), one.inverse_probability, square_at) /
              one.num_blocks;
    if (one.num_blocks > 1) {
      product +=
          one.share * one.share * (1 - 1 / one.num_blocks) * mean_product(n, one, one, mean_at);
    }
    for (const BlockGroup& other : groups.subspan(i + 1)) {
      product += 2 * one.share * other.share * mean_product(n, one, other, mean_at);
    }
  }
  return std::max(0.0, square + (product - mean * mean));
}

double block_mean_variance(std::uint64_t n, std::uint64_t num_blocks,
                           const std::function<double(std::uint64_t)>& mean_at,
                           const std::function<double(std::uint64_t)>& square_at) {
  return block_mean_variance(n, equal_blocks(num_blocks), mean_at, square_at);
}

double in_block_hit_probability(ProbeModel model, unsigned block_cells, unsigned num_hashes) {
  if (model == ProbeModel::kWithReplacement) {
    return -std::expm1(num_hashes * std::log1p(-1.0 / block_cells));
  }
  return static_cast<double>(num_hashes) / block_cells;
}

FillMoments block_fill_moments(ProbeModel model, std::uint64_t n, const Geometry& geometry) {
  const auto keys = static_cast<double>(n);
  const auto blocks = static_cast<double>(geometry.num_blocks());
  const auto cells = static_cast<double>(geometry.num_cells);
  const double block_cells = geometry.block_cells;
  const unsigned k = geometry.num_hashes;
  const double hit = in_block_hit_probability(model, geometry.block_cells, k);
  const double log_zero = keys * std::log1p(-hit / blocks);
  const auto excess = [&](bool in_one_lane) {
    return excess_of_pair(keys, blocks,
                          hit_probability_of_two(model, geometry.block_cells, k, in_one_lane), hit);
  };
  const double partners_in_lane =
      model == ProbeModel::kPartitioned ? block_cells / k - 1 : block_cells - 1;
  const double partners_elsewhere = block_cells - 1 - partners_in_lane;
  double variance = -std::exp(log_zero) * std::expm1(log_zero) + partners_in_lane * excess(true);
  if (partners_elsewhere > 0) variance += partners_elsewhere * excess(false);
  if (geometry.num_blocks() > 1) {
    variance += (cells - block_cells) * excess_of_pair(keys, blocks, 2 * hit, hit);
  }
  return {-cells * std::expm1(log_zero), std::max(0.0, cells * variance)};
}

RateRange block_rate_range(ProbeModel model, std::uint64_t ones, const Geometry& geometry) {
  const std::uint64_t num_blocks = geometry.num_blocks();
  const std::uint64_t cells = geometry.block_cells;
  const unsigned k = geometry.num_hashes;
  const auto most_of = [&](std::uint64_t x) { return rate_given_ones(model, x, cells, k); };
  const auto least_of = [&](std::uint64_t x) {
    if (model != ProbeModel::kPartitioned) return most_of(x);
    const std::uint64_t of_others = cells - cells / k;
    return x <= of_others ? 0.0
                          : static_cast<double>(x - of_others) * k / static_cast<double>(cells);
  };
  const auto blocks = static_cast<double>(num_blocks);
  const std::uint64_t each = ones / num_blocks;
  const auto with_one_more = static_cast<double>(ones % num_blocks);
  double least = (blocks - with_one_more) / blocks * least_of(each);
  if (with_one_more > 0) least += with_one_more / blocks * least_of(each + 1);
  const double most = (static_cast<double>(ones / cells) + most_of(ones % cells)) / blocks;
  // The filter sums up to `cells` products of k factors. The sum in this function has k + 4
  // roundings.
  const double rounding = static_cast<double>(cells + 2 * k + 6) * 0x1p-53;
  return {least * (1 - rounding), std::min(1.0, most * (1 + rounding))};
}

std::optional<FillLaw> block_fill_law(ProbeModel model, std::uint64_t n, const Geometry& geometry) {
  const FillMoments fill = block_fill_moments(model, n, geometry);
  const double num_throws = static_cast<double>(n) * geometry.num_hashes;
  const double zeros = static_cast<double>(geometry.num_cells) - fill.mean;
  return FillLaw::normal_if_many(fill, num_throws, zeros);
}

double block_counter_tail(ProbeModel model, std::uint64_t n, const Geometry& geometry,
                          std::uint64_t at_least) {
  const double hit = in_block_hit_probability(model, geometry.block_cells, geometry.num_hashes);
  return statistics::binomial_upper_tail(static_cast<double>(n),
                                         hit / static_cast<double>(geometry.num_blocks()),
                                         static_cast<double>(at_least));
}

}  // namespace bloometry::theory
