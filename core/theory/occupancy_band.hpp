#pragma once

#include <cstdint>
#include <vector>

namespace bloometry::theory {

/// The probabilities of num_ones = first, first + 1, ... set bits. The band omits probabilities
/// below kTrimBelow at both ends.
struct Band {
  std::uint64_t first = 0;
  std::vector<double> pmf{1.0};
};

inline constexpr double kTrimBelow = 1e-40;

/// Returns the law of the number of set bits after num_keys keys of probes_per_key distinct probes
/// each, by the recurrence of FillLaw. The recurrence first computes the laws of fewer keys in the
/// same array. Each thread stores the latest laws of some arrays, and a later call in the thread
/// continues from a stored law. The result is identical to that of a computation from 0 keys.
[[nodiscard]] Band occupancy_band(std::uint64_t num_keys, std::uint64_t num_bits,
                                  unsigned probes_per_key);

/// Returns the law of the sum of two independent counts.
[[nodiscard]] Band convolved(const Band& a, const Band& b);

}  // namespace bloometry::theory
