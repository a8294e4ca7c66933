#include "variants/blocked/blocked_sizing.hpp"

#include <algorithm>
#include <limits>

#include "core/block/fewest_blocks.hpp"
#include "core/block/in_block_rates.hpp"
#include "core/filter/sizing.hpp"
#include "core/theory/binomial_mixture.hpp"

namespace bloometry {
namespace {

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

/// Fewest blocks with a rate of at most p in both models.
double blocks_for_rate(double num_keys, double p, unsigned block_cells, unsigned num_hashes) {
  BlockedRate with_replacement(ProbeModel::kWithReplacement, block_cells, num_hashes);
  BlockedRate distinct(ProbeModel::kDistinct, block_cells, num_hashes);
  // Crowded blocks make it worse than a filter without blocks, which is where the search starts.
  const double without_blocks = cells_for_rate(num_keys, p, num_hashes) / block_cells;
  return fewest_blocks(without_blocks, p, [&](double num_blocks) {
    return std::max(with_replacement(num_keys, num_blocks), distinct(num_keys, num_blocks));
  });
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
