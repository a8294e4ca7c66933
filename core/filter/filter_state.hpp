#pragma once

#include <cstdint>
#include <optional>

namespace bloometry {

/// The state of a filter: counts of its cells and of past events. A value is absent if it does not
/// apply to the variant.
struct FilterState {
  std::uint64_t num_bits = 0;                        ///< memory of all cells
  std::optional<std::uint64_t> num_counters{};       ///< m of a counting filter
  std::uint64_t num_ones = 0;                        ///< set bits, or non-zero counters
  std::optional<std::uint64_t> num_passing_pairs{};  ///< (position, increment) pairs that pass
  std::optional<std::uint64_t>
      num_stored{};  ///< keys actually stored (a check-first insert skips some)
  std::optional<std::uint64_t> num_stages{};          ///< stages opened
  std::optional<std::uint64_t> num_saturated{};       ///< counters at their maximum
  std::optional<std::uint64_t> num_refused_erases{};  ///< erases that changed nothing
  std::optional<std::uint64_t>
      num_skipped_decrements{};  ///< decrements left out at saturated counters
  /// Probability that an absent key tests positive, given this state and ideal probes. The number
  /// of false positives among absent keys is binomial with this parameter. The value is computed by
  /// + - * / in a fixed order, so it is the same on every machine.
  double conditional_false_positive_rate = 0;
  /// Whether conditional_false_positive_rate is above max_fill^k, the rate of a filter with a share
  /// max_fill of its cells set. Absent unless FilterSpec::max_fill was given. In a filter of
  /// stages, true if any stage is above its limit.
  std::optional<bool> exceeds_max_fill{};

  friend bool operator==(const FilterState&, const FilterState&) noexcept = default;
};

}  // namespace bloometry
