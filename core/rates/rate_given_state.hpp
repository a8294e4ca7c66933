#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "core/contract/filter_spec.hpp"
#include "core/error.hpp"
#include "core/probe/probe_policy.hpp"

namespace bloometry {

/// Returns x^k by k multiplications from left to right. Unlike the result of std::pow, the result
/// is the same on all machines to the last bit.
[[nodiscard]] constexpr double integer_power(double x, unsigned k) noexcept {
  double product = 1;
  for (unsigned i = 0; i < k; ++i) product *= x;
  return product;
}

/// Returns the probability that an absent key tests positive if X of m cells are non-zero and
/// probes are ideal. The value is (X/m)^k in model W, and C(X,k) / C(m,k) = prod (X-i)/(m-i) in
/// model D (theory 1.3).
[[nodiscard]] constexpr double rate_given_ones(ProbeModel model, std::uint64_t ones,
                                               std::uint64_t num_cells,
                                               unsigned num_hashes) noexcept {
  const auto x = static_cast<double>(ones);
  const auto m = static_cast<double>(num_cells);
  if (model != ProbeModel::kDistinct) return integer_power(x / m, num_hashes);
  if (ones < num_hashes) return 0;
  double product = 1;
  for (unsigned i = 0; i < num_hashes; ++i) product *= (x - i) / (m - i);
  return product;
}

/// Returns the mean of rate_given_ones over num_blocks blocks. A block has blocks_with.size() - 1
/// cells, and blocks_with[x] is the number of blocks with x non-zero cells.
[[nodiscard]] constexpr double rate_given_blocks(ProbeModel model,
                                                 std::span<const std::uint64_t> blocks_with,
                                                 std::uint64_t num_blocks,
                                                 unsigned num_hashes) noexcept {
  const std::uint64_t block_cells = blocks_with.size() - 1;
  double sum = 0;
  for (std::uint64_t ones = 1; ones <= block_cells; ++ones) {
    sum += static_cast<double>(blocks_with[ones]) *
           rate_given_ones(model, ones, block_cells, num_hashes);
  }
  return sum / static_cast<double>(num_blocks);
}

/// Returns FilterState::exceeds_max_fill. The function compares the rate with max_fill^k, not the
/// fill with max_fill. An attacker who fills single blocks or slices raises the rate more than the
/// fill.
[[nodiscard]] constexpr std::optional<bool> exceeds_fill(std::optional<double> max_fill,
                                                         double rate,
                                                         unsigned num_hashes) noexcept {
  if (!max_fill) return std::nullopt;
  return rate > integer_power(*max_fill, num_hashes);
}

/// Checks that a key can have k distinct positions in model D.
/// @throws ConfigError if the model is D and the range has fewer than k positions.
inline void require_distinct_fit(ProbeModel model, const Geometry& geometry) {
  if (model == ProbeModel::kDistinct && geometry.num_hashes > geometry.num_cells) {
    throw ConfigError("num_hashes", "must be at most " + std::to_string(geometry.num_cells) +
                                        ", the number of cells, with distinct probes, got " +
                                        std::to_string(geometry.num_hashes));
  }
}

/// Checks the number of cells.
/// @throws ConfigError unless the geometry is one or more whole blocks of block_cells cells.
inline void require_whole_blocks(const Geometry& geometry, unsigned block_cells) {
  if (geometry.num_cells == 0 || geometry.num_cells % block_cells != 0) {
    throw ConfigError("num_cells", "must be a multiple of " + std::to_string(block_cells) +
                                       ", the cells of a block, got " +
                                       std::to_string(geometry.num_cells));
  }
}

}  // namespace bloometry
