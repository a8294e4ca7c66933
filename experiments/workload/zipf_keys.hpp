#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "experiments/workload/synthetic_keys.hpp"
#include "experiments/workload/zipf_ranks.hpp"

namespace bloometry {

/// Key source "zipf:s", which models the queries of a service's users. Some absent keys are queried
/// repeatedly. Query number j is drawn from the first kNumRanks absent keys, with probability
/// proportional to r^-s for rank r. Members are random keys.
///
/// If a popular key tests positive, each of its queries is a false positive. Given the filter, the
/// number of false positives among Zipf queries is therefore not binomial. Rows with Zipf keys are
/// shown but never tested.
class ZipfKeys {
 public:
  static constexpr std::size_t kMaxBytes = RandomKeys::kMaxBytes;
  static constexpr std::uint64_t kNumRanks = 1'000'000;

  /// Creates the keys of a trial.
  /// @param exponent exponent s > 0
  /// @param key_seed seed of the random keys
  /// @param draw_seed seed of the trial's draws
  ZipfKeys(double exponent, std::uint64_t key_seed, std::uint64_t draw_seed);

  /// Returns the index of the absent key for query number `number`. Index 0 is the most popular
  /// key.
  [[nodiscard]] std::uint64_t query_index(std::uint64_t number) const noexcept;

  std::size_t write(std::uint64_t item, std::span<char, kMaxBytes> out) const noexcept {
    return keys_.write(item, out);
  }

 private:
  RandomKeys keys_;
  std::uint64_t draw_seed_;
  ZipfRanks ranks_;
};

}  // namespace bloometry
