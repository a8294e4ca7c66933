#pragma once

#include <cstdint>
#include <optional>

namespace bloometry {

/// State of a filter: counts of cells and of past events, and the rate. Members that do not apply
/// to the variant are absent.
struct FilterState {
  std::uint64_t num_bits = 0;                   ///< memory of all cells, in bits
  std::optional<std::uint64_t> num_counters{};  ///< number of cells of a counting filter
  std::uint64_t num_ones = 0;                   ///< number of set bits, or of non-zero counters
  std::optional<std::uint64_t> num_passing_pairs{};  ///< number of (position, increment) or
                                                     ///< (bucket, fingerprint) pairs that pass
  std::optional<std::uint64_t>
      num_stored{};  ///< number of stored keys (check-first inserts do not store some keys)
  std::optional<std::uint64_t> num_stages{};     ///< number of opened stages
  std::optional<std::uint64_t> num_saturated{};  ///< number of counters at their maximum
  std::optional<std::uint64_t>
      num_refused_erases{};  ///< number of erases that did not change the filter
  std::optional<std::uint64_t>
      num_skipped_decrements{};  ///< number of omitted decrements of saturated counters
  /// Probability that an absent key tests positive, given the state of the filter and ideal probes.
  /// The number of false positives among absent keys is binomial with this probability. The value
  /// is the same on every machine, because the computation uses only + - * / in a fixed order.
  double conditional_false_positive_rate = 0;
  /// Whether conditional_false_positive_rate is above max_fill^k, the rate of a filter whose share
  /// of non-zero cells is max_fill. The value is absent unless FilterSpec::max_fill was given. In a
  /// filter of stages, the value is true if the rate of any stage is above the limit.
  std::optional<bool> exceeds_max_fill{};

  friend bool operator==(const FilterState&, const FilterState&) noexcept = default;
};

}  // namespace bloometry
