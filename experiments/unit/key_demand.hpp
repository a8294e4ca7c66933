#pragma once

#include <cstdint>

#include "experiments/unit/unit.hpp"

namespace bloometry {

/// How many keys of each role a unit takes. It depends on the unit alone, and so do the keys: where
/// the queries of a file begin (after num_members) is decided here.
struct KeyDemand {
  std::uint64_t num_members = 0;     ///< the largest num_inserted
  std::uint64_t num_queries = 0;     ///< the largest num_queries
  std::uint64_t num_candidates = 0;  ///< after the queries: never inserted, for wrongful erases

  /// Keys of role kQuery: queries, then candidates.
  [[nodiscard]] std::uint64_t num_nonmembers() const noexcept {
    return num_queries + num_candidates;
  }

  [[nodiscard]] std::uint64_t num_keys() const noexcept { return num_members + num_nonmembers(); }
};

/// Candidates are as many as queries: keys that were wrongfully erased must not be asked again, or
/// the rate would be measured on keys that were made to test negative.
[[nodiscard]] KeyDemand key_demand(const Unit& unit) noexcept;

}  // namespace bloometry
