#include "variants/blocked/blocked_sizing.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>

#include "core/error.hpp"
#include "core/rates/binomial_mixture.hpp"
#include "core/rates/in_block_rates.hpp"
#include "core/rates/search.hpp"
#include "core/rates/sizing.hpp"

namespace bloometry {
namespace {

/// Rate for a fixed k as a function of the numbers of keys and blocks.
class BlockedRate {
 public:
  BlockedRate(ProbeModel model, unsigned block_cells, unsigned num_hashes)
      : in_block_(model, block_cells, num_hashes) {}

  double operator()(double num_keys, double num_blocks) {
    return cell_mean_of(num_keys, num_blocks,
                        [this](std::uint64_t num_in) { return in_block_(num_in); });
  }

 private:
  InBlockRates in_block_;
};

unsigned best_block_num_hashes(double num_keys, double num_blocks, unsigned block_cells) {
  return least_rate_num_hashes(1, 1, kMaxBlockHashes, [&](unsigned k) {
    return BlockedRate(ProbeModel::kWithReplacement, block_cells, k)(num_keys, num_blocks);
  });
}

/// Returns the smallest number of blocks whose rate is at most p in both models, W and D.
double blocks_for_rate(double num_keys, double p, unsigned block_cells, unsigned num_hashes) {
  BlockedRate with_replacement(ProbeModel::kWithReplacement, block_cells, num_hashes);
  BlockedRate distinct(ProbeModel::kDistinct, block_cells, num_hashes);
  // The search starts at the size of a filter without blocks. A filter without blocks needs fewer
  // cells, because keys are distributed unevenly over blocks.
  const double without_blocks = cells_for_rate(num_keys, p, num_hashes) / block_cells;
  return fewest_blocks(without_blocks, p, [&](double num_blocks) {
    return std::max(with_replacement(num_keys, num_blocks), distinct(num_keys, num_blocks));
  });
}

}  // namespace

Geometry least_blocks(std::uint64_t num_keys, double rate, unsigned block_bits) {
  const auto n = static_cast<double>(num_keys);
  std::optional<BlockedRate>
      rate_of_k;  // kept for all sizes, because its construction needs more time than a rate
  unsigned k_of_rate = 0;
  LeastSize least(kMaxSearchedBlocks, [&](std::uint64_t num_blocks, unsigned k) {
    if (k != k_of_rate) rate_of_k.emplace(ProbeModel::kWithReplacement, block_bits, k);
    k_of_rate = k;
    return keeps_rate((*rate_of_k)(n, static_cast<double>(num_blocks)), rate);
  });
  // Without blocks, log2(1/p) is the best k. With blocks, the best k is smaller.
  const double without_blocks = std::clamp(-std::log2(rate), 1.0, double{kMaxBlockHashes});
  visit_num_hashes(static_cast<unsigned>(without_blocks), 1, kMaxBlockHashes, 1, [&](unsigned k) {
    const std::uint64_t guess = guessed_blocks(cells_for_rate(n, rate, k) / block_bits);
    return least.try_num_hashes(k, guess);
  });
  const std::uint64_t num_bits = least.size().value_or(kMaxSearchedBlocks) * block_bits;
  if (num_bits > std::uint64_t{1} << 57U) {
    throw ConfigError("error rate of a blocked stage must need at most 2^57 bits, got " +
                      to_string(ParamValue(rate)) + ", which needs more for " +
                      std::to_string(num_keys) + " keys");
  }
  return {num_bits, 1, least.num_hashes(), block_bits};
}

Geometry blocked_geometry(const FilterSpec& spec, unsigned block_cells, unsigned cell_bits) {
  return sized_geometry(
      spec, cell_bits,
      {.best_num_hashes =
           [block_cells](double num_keys, double num_cells) {
             return best_block_num_hashes(num_keys, num_cells / block_cells, block_cells);
           },
       .cells_for_rate =
           [block_cells](double num_keys, double p, unsigned num_hashes) {
             return block_cells * blocks_for_rate(num_keys, p, block_cells, num_hashes);
           },
       .max_num_hashes = kMaxBlockHashes,
       .block_cells = block_cells});
}

}  // namespace bloometry
