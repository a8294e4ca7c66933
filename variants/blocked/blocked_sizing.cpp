#include "variants/blocked/blocked_sizing.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/block/in_block_rates.hpp"
#include "core/filter/sizing.hpp"
#include "core/theory/binomial_mixture.hpp"

namespace bloometry {
namespace {

/// Both this and the theory that checks it round; their sums differ by less.
constexpr double kRounding = 1 - 1e-12;

constexpr double kMaxBlocks = 0x1p50;

/// The rate of one k in any number of blocks.
class BlockedRate {
 public:
  BlockedRate(ProbeModel model, unsigned block_cells, unsigned num_hashes)
      : in_block_(model, block_cells, num_hashes) {}

  double operator()(double num_keys, double num_blocks) {
    return theory::cell_mean_of(num_keys, num_blocks,
                                [this](std::uint64_t num_in) { return in_block_(num_in); });
  }

 private:
  InBlockRates in_block_;
};

unsigned best_block_num_hashes(double num_keys, double num_blocks, unsigned block_cells) {
  unsigned best = 1;
  double least = std::numeric_limits<double>::infinity();
  for (unsigned k = 1; k <= kMaxBlockHashes; ++k) {
    const double rate =
        BlockedRate(ProbeModel::kWithReplacement, block_cells, k)(num_keys, num_blocks);
    if (rate >= least) break;  // one minimum in k
    best = k;
    least = rate;
  }
  return best;
}

/// Least whole number of blocks with a rate of at most p in both models; infinite if there is none
/// that a filter can have.
double blocks_for_rate(double num_keys, double p, unsigned block_cells, unsigned num_hashes) {
  BlockedRate with_replacement(ProbeModel::kWithReplacement, block_cells, num_hashes);
  BlockedRate distinct(ProbeModel::kDistinct, block_cells, num_hashes);
  const auto keeps = [&](double num_blocks) {
    return with_replacement(num_keys, num_blocks) <= p * kRounding &&
           distinct(num_keys, num_blocks) <= p * kRounding;
  };
  // Crowded blocks make it worse than a filter without blocks: that size is a lower bound but for
  // the k cells it has to spare.
  double high = std::ceil(cells_for_rate(num_keys, p, num_hashes) / block_cells);
  double low = 0;
  if (high <= 1 && keeps(1)) return 1;
  high = std::max(high, 2.0);
  while (!keeps(high)) {
    low = high;
    high *= 2;
    if (high > kMaxBlocks) return std::numeric_limits<double>::infinity();
  }
  while (high - low > 1) {
    const double middle = std::floor(low + (high - low) / 2);
    if (middle >= 1 && keeps(middle)) {
      high = middle;
    } else {
      low = middle;
    }
  }
  return high;
}

}  // namespace

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
