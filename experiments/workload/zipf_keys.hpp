#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "experiments/workload/synthetic_keys.hpp"

namespace bloometry {

/// Keys "zipf:s": random keys, of which absent ones are queried repeatedly, as by an operator's
/// users. Query number j is a draw from the first kNumRanks absent keys, rank r with probability
/// proportional to r^-s. Members are random keys.
///
/// A popular key that tests positive is a false positive at every draw. Given the filter, the false
/// positives are therefore not binomial, and rows with these keys are shown but never tested.
class ZipfKeys {
 public:
  static constexpr std::size_t kMaxBytes = RandomKeys::kMaxBytes;
  static constexpr std::uint64_t kNumRanks = 1'000'000;

  /// Creates the keys of a trial. @param exponent s > 0. @param key_seed of the random keys. @param
  /// draw_seed of the trial.
  ZipfKeys(double exponent, std::uint64_t key_seed, std::uint64_t draw_seed);

  /// Returns the index of the absent key for query number `number`; 0 is the most popular.
  [[nodiscard]] std::uint64_t query_index(std::uint64_t number) const noexcept;

  std::size_t write(std::uint64_t item, std::span<char, kMaxBytes> out) const noexcept {
    return keys_.write(item, out);
  }

 private:
  RandomKeys keys_;
  std::uint64_t draw_seed_;
  std::shared_ptr<const std::vector<std::uint64_t>>
      cumulative_;  // cumulative sums of the integer weights
};

}  // namespace bloometry
