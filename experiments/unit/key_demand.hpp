#pragma once

#include <cstdint>

#include "experiments/unit/unit.hpp"

namespace bloometry {

/// The number of keys of each role that a unit needs. It depends on the unit alone, and so do the
/// keys. It also determines where the queries of a file begin: after num_members.
struct KeyDemand {
  std::uint64_t num_members = 0;     ///< the largest num_inserted
  std::uint64_t num_queries = 0;     ///< the largest num_queries
  std::uint64_t num_candidates = 0;  ///< after the queries: never inserted, for wrongful erases

  /// Returns the number of keys of role kQuery: queries, then candidates.
  [[nodiscard]] std::uint64_t num_nonmembers() const noexcept {
    return num_queries + num_candidates;
  }

  [[nodiscard]] std::uint64_t num_keys() const noexcept { return num_members + num_nonmembers(); }
};

/// Returns the demand of a unit. There are as many candidates as queries. A wrongfully erased key
/// must not be queried again, because the rate would then be measured on keys chosen to test
/// positive.
[[nodiscard]] KeyDemand key_demand(const Unit& unit) noexcept;

}  // namespace bloometry
