#pragma once

#include <bit>
#include <cmath>
#include <cstdint>
#include <span>

#include "core/hash/mix.hpp"
#include "core/hash/range_reduction.hpp"

namespace bloometry::test {

/// The random numbers of one sequence. SplitMix64 generates the numbers, which depend only on the
/// seed and the sequence number.
class Random {
 public:
  explicit Random(std::uint64_t seed) noexcept : state_(mix64(seed)) {}

  std::uint64_t next() noexcept { return mix64(state_ += kGoldenGamma); }

  /// Returns a number in [0, bound), for bound >= 1.
  std::uint64_t below(std::uint64_t bound) noexcept { return fastrange(next(), bound); }

  /// Returns a number in [first, last].
  std::uint64_t between(std::uint64_t first, std::uint64_t last) noexcept {
    return first + below(last - first + 1);
  }

  bool one_in(std::uint64_t bound) noexcept { return below(bound) == 0; }

  template <class Items>
  auto& pick(Items& items) noexcept {
    return items[below(std::size(items))];
  }

  /// Returns a number in [first, last] whose logarithm is uniform, for first > 0.
  double log_between(double first, double last) noexcept {
    const double share = static_cast<double>(next() >> 11U) * 0x1p-53;
    return first * std::pow(last / first, share);
  }

 private:
  std::uint64_t state_;
};

}  // namespace bloometry::test
