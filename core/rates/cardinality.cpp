#include "core/rates/cardinality.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

namespace bloometry {
namespace {

/// Returns L = -ln(1 - X/m), the load at which a share X/m of the cells is non-zero.
double load_given_ones(std::uint64_t ones, std::uint64_t num_cells) noexcept {
  if (ones >= num_cells) return std::numeric_limits<double>::infinity();
  const auto m = static_cast<double>(num_cells);
  const auto zeros = static_cast<double>(num_cells - ones);
  // The logarithm of the smaller of X/m and 1 - X/m has full precision.
  return zeros < 0.5 * m ? -std::log(zeros / m) : -std::log1p(-static_cast<double>(ones) / m);
}

/// Returns -ln P(a key misses a given cell).
double load_of_a_key(ProbeModel model, std::uint64_t num_cells, unsigned num_hashes) noexcept {
  const auto m = static_cast<double>(num_cells);
  if (model == ProbeModel::kWithReplacement) return -(num_hashes * std::log1p(-1 / m));
  return -std::log1p(-(num_hashes / m));
}

/// Returns e^L - 1 - L for e^L = m/(m-X). With x = X/m, the value is X/(m-X) - L = sum over j >= 2
/// of x^j (1 - 1/j).
double exp_excess_of_load(std::uint64_t ones, std::uint64_t num_cells) noexcept {
  if (ones >= num_cells) return std::numeric_limits<double>::infinity();
  const double x = static_cast<double>(ones) / static_cast<double>(num_cells);
  if (x > 0.25) {
    const auto odds = static_cast<double>(ones) / static_cast<double>(num_cells - ones);
    return odds - load_given_ones(ones, num_cells);
  }
  double sum = 0;
  double x_to_j = x * x;
  // Each power of x is at most a quarter of the previous power. The sum of the omitted terms is
  // therefore below a third of the last added power.
  for (int j = 2; x_to_j > 1e-17 * sum; ++j, x_to_j *= x) sum += x_to_j * (1 - 1.0 / j);
  return sum;
}

}  // namespace

double count_given_ones(ProbeModel model, std::uint64_t ones, std::uint64_t num_cells,
                        unsigned num_hashes) noexcept {
  if (ones == 0) return 0;
  const double load = load_given_ones(ones, num_cells);
  // The estimate of a full filter is infinite, even if one key fills every cell (m = 1, or k = m
  // distinct probes).
  return std::isinf(load) ? load : load / load_of_a_key(model, num_cells, num_hashes);
}

double count_given_ones_in_blocks(ProbeModel model, std::uint64_t ones,
                                  const Geometry& geometry) noexcept {
  if (ones == 0) return 0;
  const double load = load_given_ones(ones, geometry.num_cells);
  if (std::isinf(load)) return load;
  const double in_block = load_of_a_key(model, geometry.block_cells, geometry.num_hashes);
  const double hit = -std::expm1(-in_block);
  return load / -std::log1p(-hit / static_cast<double>(geometry.num_blocks()));
}

std::uint64_t clipped_count(double count, std::uint64_t least, std::uint64_t most) noexcept {
  if (!(std::round(count) < static_cast<double>(most))) return most;
  // The estimate is below 2^64 here, because it is below `most`.
  return std::clamp(static_cast<std::uint64_t>(std::round(count)), least, most);
}

double swamidass_baldi_count(std::uint64_t ones, std::uint64_t num_cells,
                             unsigned num_hashes) noexcept {
  return static_cast<double>(num_cells) / num_hashes * load_given_ones(ones, num_cells);
}

double count_stddev(std::uint64_t ones, std::uint64_t num_cells, unsigned num_hashes) noexcept {
  return std::sqrt(static_cast<double>(num_cells) * exp_excess_of_load(ones, num_cells)) /
         num_hashes;
}

double count_bias(std::uint64_t ones, std::uint64_t num_cells, unsigned num_hashes) noexcept {
  return exp_excess_of_load(ones, num_cells) / (2.0 * num_hashes);
}

std::uint64_t common_count_given_ones(std::uint64_t ones_a, std::uint64_t ones_b,
                                      std::uint64_t ones_and, std::uint64_t num_cells,
                                      unsigned num_hashes, std::uint64_t most) noexcept {
  if (ones_and == 0) return 0;  // a common key sets cells of both, even if the OR is full
  const SetEstimates sets =
      set_estimates_given_ones(ProbeModel::kWithReplacement, ones_a, ones_b,
                               ones_a + ones_b - ones_and, num_cells, num_hashes);
  const std::optional<double> common = sets.raw_intersection();
  return common ? clipped_count(std::max(0.0, *common), 0, most) : most;
}

SetEstimates set_estimates_given_ones(ProbeModel model, std::uint64_t ones_a, std::uint64_t ones_b,
                                      std::uint64_t ones_or, std::uint64_t num_cells,
                                      unsigned num_hashes) noexcept {
  return {count_given_ones(model, ones_a, num_cells, num_hashes),
          count_given_ones(model, ones_b, num_cells, num_hashes),
          count_given_ones(model, ones_or, num_cells, num_hashes)};
}

}  // namespace bloometry
