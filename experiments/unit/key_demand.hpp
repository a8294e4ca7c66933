#pragma once

#include <cstdint>

#include "experiments/unit/unit.hpp"

namespace bloometry {

/// The number of keys that a unit needs for each role. These numbers and the keys depend only on
/// the unit. For keys of a file, the queries begin after the first num_members lines.
struct KeyDemand {
  /// Largest num_inserted of the points, or the number of keys of a stream of items. With a window,
  /// the trial uses fewer members if it inserts keys again.
  std::uint64_t num_members = 0;
  std::uint64_t num_queries = 0;     ///< largest num_queries of the points
  std::uint64_t num_candidates = 0;  ///< keys for wrongful erases, which are never inserted

  /// Returns the number of keys of role kQuery: queries, followed by candidates.
  [[nodiscard]] std::uint64_t num_nonmembers() const noexcept {
    return num_queries + num_candidates;
  }

  [[nodiscard]] std::uint64_t num_keys() const noexcept { return num_members + num_nonmembers(); }
};

/// Returns the number of keys that the unit needs for each role. A unit with wrongful erases needs
/// the same number of candidates as queries. Candidates are chosen because they test positive.
/// Candidates are never queries, because they would then bias the measured rate.
[[nodiscard]] KeyDemand key_demand(const Unit& unit) noexcept;

}  // namespace bloometry
