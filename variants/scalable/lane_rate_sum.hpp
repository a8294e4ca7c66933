#pragma once

#include <bit>
#include <cmath>
#include <cstdint>

namespace bloometry {

/// Compares the rate of a lanes filter, given its state, with a bound. The rate given the state is
/// the mean over blocks of prod x_i/64. Like BlockRateSum, the class keeps the sum of the products
/// over blocks as an integer, in units of a power of two. Each term of the sum is rounded up.
class LaneRateSum {
 public:
  /// Product of a full block, which has 64 set bits in each of 8 words.
  static constexpr std::uint64_t kFull = std::uint64_t{1} << 48U;

  /// Initializes the sum for num_blocks >= 1 empty blocks. The bound max_rate must be in (0, 1).
  LaneRateSum(std::uint64_t num_blocks, double max_rate) noexcept
      : shift_(num_blocks < kManyBlocks
                   ? 0
                   : static_cast<unsigned>(std::bit_width(num_blocks / kManyBlocks))),
        max_sum_(static_cast<std::uint64_t>(max_rate * static_cast<double>(num_blocks) *
                                            static_cast<double>(kFull >> shift_))) {}

  /// Updates the sum for a block whose product increased.
  void change(std::uint64_t before, std::uint64_t after) noexcept {
    sum_ += units(after) - units(before);
  }

  void clear() noexcept { sum_ = 0; }

  /// Returns whether an insert could raise the rate above the bound. The rate increases the most if
  /// the key's block has 63 set bits in each word.
  [[nodiscard]] bool is_near_bound() const noexcept { return could_pass_bound(kAlmostFull, kFull); }

  /// Returns whether an insert that changes the product of its block from `before` to `after` could
  /// raise the rate above the bound.
  [[nodiscard]] bool could_pass_bound(std::uint64_t before, std::uint64_t after) const noexcept {
    return sum_ + (units(after) - units(before)) > max_sum_;
  }

 private:
  /// If there are fewer blocks than kManyBlocks, the sum of all products stays below 2^62.
  static constexpr std::uint64_t kManyBlocks = std::uint64_t{1} << 14U;
  static constexpr std::uint64_t kAlmostFull = std::uint64_t{63} * 63 * 63 * 63 * 63 * 63 * 63 * 63;

  [[nodiscard]] std::uint64_t units(std::uint64_t product) const noexcept {
    return (product + (std::uint64_t{1} << shift_) - 1) >> shift_;
  }

  unsigned shift_;
  std::uint64_t max_sum_;
  std::uint64_t sum_ = 0;
};

}  // namespace bloometry
