#pragma once

#include <cstdint>
#include <span>
#include <vector>

/// Rates of age-partitioned filters. Source: Shtul, Baquero, Almeida (2020), "Age-Partitioned Bloom
/// Filters", sections 3 and 4. A filter has k + l slices of w bits. An insert call sets one bit in
/// each of the k youngest slices. A key tests positive if and only if k slices of consecutive ages
/// all match. After g insert calls, the generation is full, and the next insert call first clears
/// the oldest slice, which becomes the youngest.
namespace bloometry {

/// The sizes of an age-partitioned filter.
struct AgeShape {
  unsigned num_hashes = 1;                ///< k, the number of slices that an insert call writes
  unsigned generations = 1;               ///< l, the number of generations for which keys are kept
  std::uint64_t generation_capacity = 1;  ///< g, the number of insert calls per generation
  std::uint64_t slice_bits = 1;           ///< w

  [[nodiscard]] unsigned num_slices() const noexcept { return num_hashes + generations; }

  [[nodiscard]] std::uint64_t num_bits() const noexcept { return num_slices() * slice_bits; }

  /// Returns the guaranteed window l g + 1: a key is found until so many insert calls have been
  /// made, its own included.
  [[nodiscard]] std::uint64_t window() const noexcept {
    return generations * generation_capacity + 1;
  }

  /// Returns the largest number of keys of which the filter holds all bits.
  [[nodiscard]] std::uint64_t num_held() const noexcept {
    return (generations + 1) * generation_capacity;
  }

  friend bool operator==(const AgeShape&, const AgeShape&) noexcept = default;
};

/// Returns the probability that num_hashes slices of consecutive ages all match, if slice i matches
/// with probability fills[i], independently of the other slices. The fills are in the order of the
/// ages. The function sums products of positive numbers, so its relative precision is full at any
/// rate, as long as no fill is near 1. It uses only + - * in a fixed order, so the result is the
/// same on every machine. Requires num_hashes in [1, 64].
[[nodiscard]] double rate_given_fills(std::span<const double> fills, unsigned num_hashes) noexcept;

/// Returns the number of insert calls that wrote each slice, from the youngest slice to the oldest,
/// after num_inserts insert calls without ticks.
[[nodiscard]] std::vector<std::uint64_t> slice_loads(const AgeShape& shape,
                                                     std::uint64_t num_inserts);

/// Returns the number of insert calls that wrote each slice if all slices have been cleared at
/// least once, and the newest generation has num_newest insert calls.
[[nodiscard]] std::vector<std::uint64_t> steady_slice_loads(const AgeShape& shape,
                                                            std::uint64_t num_newest);

/// Returns the exact expected rate of a filter whose slices were written by the given numbers of
/// insert calls of distinct keys. The fills of the slices are independent, because a key has an
/// independent position in each slice. The rate given the fills is linear in each fill, so the
/// expected rate is the rate at the expected fills 1 - (1-1/w)^t.
[[nodiscard]] double age_partitioned_rate(const AgeShape& shape,
                                          std::span<const std::uint64_t> loads);

/// Returns the exact expected rate after num_inserts insert calls of distinct keys.
[[nodiscard]] double age_partitioned_rate(const AgeShape& shape, std::uint64_t num_inserts);

/// Returns the highest expected rate for any number of insert calls: the rate of a full generation
/// after all slices have been cleared once.
[[nodiscard]] double worst_age_partitioned_rate(const AgeShape& shape);

}  // namespace bloometry
