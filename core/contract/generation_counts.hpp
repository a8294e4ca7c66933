#pragma once

#include <cstdint>
#include <vector>

namespace bloometry {

/// Counts of a filter that forgets, since it was made or cleared.
struct GenerationCounts {
  /// Number of insert calls in each generation that the filter has cells of, newest first. The list
  /// has the same length at all times: generations that have not been opened yet have no inserts.
  std::vector<std::uint64_t> num_inserted{};
  std::uint64_t num_rotations = 0;  ///< the newest generation has this number, counted from 0
  std::uint64_t num_ticks = 0;      ///< rotations that tick() caused
  /// Number of generations that received more inserts than they were planned for. Generations do so
  /// only if inserts do not cause rotations.
  std::uint64_t num_overfull = 0;

  friend bool operator==(const GenerationCounts&, const GenerationCounts&) = default;
};

}  // namespace bloometry
