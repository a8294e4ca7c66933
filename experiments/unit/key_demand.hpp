#pragma once

#include <cstdint>

#include "experiments/unit/unit.hpp"

namespace bloometry {

/// The number of keys of each role that a unit needs. It depends only on the unit, and so do the
/// keys. The queries of a file begin after its first num_members lines.
struct KeyDemand {
  std::uint64_t num_members = 0;     ///< largest num_inserted of the points
  std::uint64_t num_queries = 0;     ///< largest num_queries of the points
  std::uint64_t num_candidates = 0;  ///< keys for wrongful erases, which are never inserted

  /// Returns the number of keys of role kQuery: queries, followed by candidates.
  [[nodiscard]] std::uint64_t num_nonmembers() const noexcept {
    return num_queries + num_candidates;
  }

  [[nodiscard]] std::uint64_t num_keys() const noexcept { return num_members + num_nonmembers(); }
};

/// Returns the demand of a unit. There are as many candidates as queries. Candidates are never
/// queries, because the rate would then be measured on keys that were chosen because they test
/// positive.
[[nodiscard]] KeyDemand key_demand(const Unit& unit) noexcept;

}  // namespace bloometry
