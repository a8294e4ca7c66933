#include "variants/blocked/blocked_rates.hpp"

#include <cmath>
#include <functional>
#include <stdexcept>

#include "core/probe/limits.hpp"
#include "core/rates/binomial_mixture.hpp"
#include "core/rates/in_block_rates.hpp"
#include "core/rates/root_between.hpp"
#include "core/require_domain.hpp"
#include "core/theory/block_mean.hpp"
#include "core/theory/geometry_check.hpp"
#include "core/theory/standard_rates.hpp"

namespace bloometry::theory {
namespace {

using InBlockRate = std::function<double(std::uint64_t num_keys)>;

/// Returns the in-block rate F_B as a function of the number of keys. Checks the geometry once, and
/// not in each call of the returned function.
InBlockRate in_block_rate(std::uint64_t block_bits, unsigned k, InBlock in_block) {
  require_geometry(
      in_block == InBlock::kDistinct ? ProbeModel::kDistinct : ProbeModel::kWithReplacement,
      block_bits, k);
  switch (in_block) {
    case InBlock::kWithReplacement:
      return [=](std::uint64_t j) { return exact_rate_with_replacement(j, block_bits, k); };
    case InBlock::kDistinct:
      return [=](std::uint64_t j) { return exact_rate_distinct(j, block_bits, k); };
    case InBlock::kSemi:
      return [=](std::uint64_t j) { return semi_rate(j, block_bits, k); };
    case InBlock::kClassic:
      return [=](std::uint64_t j) { return classic_rate(j, block_bits, k); };
  }
  throw std::domain_error("unknown in-block rate");
}

InBlock in_block_of(ProbeModel model) {
  return model == ProbeModel::kDistinct ? InBlock::kDistinct : InBlock::kWithReplacement;
}

double keys_per_block(double bits_per_key, std::uint64_t block_bits) {
  require_domain(bits_per_key > 0.0, "bits_per_key", "above 0", bits_per_key);
  return static_cast<double>(block_bits) / bits_per_key;
}

}  // namespace

double blocked_rate(std::uint64_t n, std::uint64_t num_blocks, std::uint64_t block_bits, unsigned k,
                    InBlock in_block) {
  require_domain(num_blocks > 0, "num_blocks", "at least 1", num_blocks);
  return cell_mean_of(static_cast<double>(n), static_cast<double>(num_blocks),
                      in_block_rate(block_bits, k, in_block));
}

double blocked_poisson_rate(double bits_per_key, std::uint64_t block_bits, unsigned k,
                            InBlock in_block) {
  const InBlockRate rate = in_block_rate(block_bits, k, in_block);
  return poisson_mean_of(keys_per_block(bits_per_key, block_bits), rate);
}

double blocked_bits_per_key(double p, std::uint64_t block_bits, unsigned k, InBlock in_block) {
  return bits_per_key_where(
      p, [&](double c) { return blocked_poisson_rate(c, block_bits, k, in_block); });
}

double blocked_rate(ProbeModel model, std::uint64_t n, const Geometry& geometry) {
  return cell_mean_of(static_cast<double>(n), static_cast<double>(geometry.num_blocks()),
                      InBlockRates(model, geometry.block_cells, geometry.num_hashes));
}

Prediction blocked_prediction(ProbeModel model, std::uint64_t n, const Geometry& geometry) {
  const std::uint64_t num_blocks = geometry.num_blocks();
  const unsigned block_cells = geometry.block_cells;
  const unsigned k = geometry.num_hashes;
  const double cells_per_key = static_cast<double>(geometry.num_cells) / static_cast<double>(n);
  const auto approximation = [&](InBlock in_block) {
    return blocked_rate(n, num_blocks, block_cells, k, in_block);
  };
  const double poisson =
      n == 0 ? 0 : blocked_poisson_rate(cells_per_key, block_cells, k, in_block_of(model));
  return {.exact = blocked_rate(model, n, geometry),
          .approximations = {{"classic", classic_rate(n, geometry.num_cells, k)},
                             {"semi_in_block", approximation(InBlock::kSemi)},
                             {"classic_in_block", approximation(InBlock::kClassic)},
                             {"poisson", poisson}},
          .expected_fill_ratio =
              block_fill_moments(model, n, geometry).mean / static_cast<double>(geometry.num_cells),
          .rate_stddev =
              std::sqrt(block_mean_variance(n, num_blocks, InBlockRates(model, block_cells, k),
                                            InBlockRates(model, block_cells, k, 2)))};
}

}  // namespace bloometry::theory
