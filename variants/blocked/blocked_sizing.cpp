#include "variants/blocked/blocked_sizing.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include "core/error.hpp"
#include "core/rates/binomial_mixture.hpp"
#include "core/rates/fewest_blocks.hpp"
#include "core/rates/in_block_rates.hpp"
#include "core/rates/sizing.hpp"

namespace bloometry {
namespace {

/// The rate of one k in any number of blocks.
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

/// The fewest blocks for each k, as asked for: k may be climbed along.
class LeastBlocks {
 public:
  LeastBlocks(double num_keys, double p, unsigned block_bits)
      : num_keys_(num_keys), p_(p), block_bits_(block_bits) {}

  /// Takes k for the best if it needs fewer blocks than the best so far, or as many and is smaller;
  /// whether it did.
  bool try_num_hashes(unsigned k) {
    BlockedRate rate(ProbeModel::kWithReplacement, block_bits_, k);
    const auto rate_of = [&](double num_blocks) { return rate(num_keys_, num_blocks); };
    double guess = cells_for_rate(num_keys_, p_, k) / block_bits_;
    if (is_found()) {
      // Most k are out by one rate: they do not keep p in what the best takes.
      guess = k < best_k_ ? best_ : best_ - 1;
      if (guess < 1 || rate_of(guess) > p_ * (1 - 1e-12)) return false;
    }
    best_ = fewest_blocks(guess, p_, rate_of);
    best_k_ = k;
    return is_found();
  }

  [[nodiscard]] bool is_found() const { return std::isfinite(best_); }

  /// Infinite if no k is found.
  [[nodiscard]] double num_blocks() const { return best_; }

  [[nodiscard]] unsigned num_hashes() const { return best_k_; }

 private:
  double num_keys_;
  double p_;
  unsigned block_bits_;
  double best_ = std::numeric_limits<double>::infinity();
  unsigned best_k_ = 0;
};

}  // namespace

Geometry least_blocks(std::uint64_t num_keys, double rate, unsigned block_bits) {
  // Without blocks log2(1/p) would be the best; crowded blocks want fewer.
  const double without_blocks = std::clamp(-std::log2(rate), 1.0, double{kMaxBlockHashes});
  auto k = static_cast<unsigned>(without_blocks);
  LeastBlocks least(static_cast<double>(num_keys), rate, block_bits);
  least.try_num_hashes(k);
  while (k > 1 && least.try_num_hashes(k - 1)) --k;
  for (k = least.num_hashes() + 1; k <= kMaxBlockHashes && least.try_num_hashes(k);) ++k;
  const double num_bits = least.num_blocks() * block_bits;
  if (!(num_bits <= 0x1p57)) {
    throw ConfigError("error rate of a blocked stage must be one that 2^57 bits keep, got " +
                      to_string(ParamValue(rate)) + " for " + std::to_string(num_keys) + " keys");
  }
  return {static_cast<std::uint64_t>(num_bits), 1, least.num_hashes(), block_bits};
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
