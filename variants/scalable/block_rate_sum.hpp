#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <vector>

#include "core/rates/rate_given_state.hpp"

namespace bloometry {

/// Compares the rate of a blocked filter, given its state, with a bound. The rate given the state
/// is the mean over blocks of (x_b/B)^k. The class keeps the sum over blocks as an integer in units
/// of 2^-s, with each term rounded up. The sum is therefore never too low, does not accumulate
/// rounding errors, and does not depend on the order of inserts.
class BlockRateSum {
 public:
  /// Initializes the sum for num_blocks >= 1 empty blocks of block_bits bits. The bound max_rate
  /// must be in (0, 1).
  BlockRateSum(std::uint64_t num_blocks, unsigned block_bits, unsigned num_hashes, double max_rate)
      : num_hashes_(num_hashes), units_(block_bits + 1) {
    // The sum over all blocks stays below 2^62.
    const double scale = std::ldexp(1.0, 62 - static_cast<int>(std::bit_width(num_blocks)));
    for (unsigned ones = 0; ones <= block_bits; ++ones) {
      const double rate =
          rate_given_ones(ProbeModel::kWithReplacement, ones, block_bits, num_hashes);
      units_[ones] = static_cast<std::uint64_t>(std::ceil(rate * scale));
    }
    max_sum_ = static_cast<std::uint64_t>(max_rate * static_cast<double>(num_blocks) * scale);
    largest_step_ = units_.back() - units_[block_bits - std::min(num_hashes, block_bits)];
  }

  /// Updates the sum for a block whose number of set bits increased.
  void change(unsigned before, unsigned after) noexcept { sum_ += units_[after] - units_[before]; }

  void clear() noexcept { sum_ = 0; }

  /// Returns whether an insert could raise the rate above the bound. The rate increases the most if
  /// the k new bits of the key fill a block.
  [[nodiscard]] bool is_near_bound() const noexcept { return sum_ + largest_step_ > max_sum_; }

  /// Returns whether the insert of a key whose block has `ones` set bits could raise the rate above
  /// the bound.
  [[nodiscard]] bool could_pass_bound(unsigned ones) const noexcept {
    const std::size_t most = std::min<std::size_t>(ones + num_hashes_, units_.size() - 1);
    return sum_ + (units_[most] - units_[ones]) > max_sum_;
  }

 private:
  unsigned num_hashes_;
  std::vector<std::uint64_t> units_;  // [x]: units of a block with x set bits; convex in x
  std::uint64_t sum_ = 0;
  std::uint64_t max_sum_ = 0;
  std::uint64_t largest_step_ = 0;
};

}  // namespace bloometry
