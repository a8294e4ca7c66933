#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "experiments/unit/unit.hpp"

namespace bloometry {

/// The lists of digests that the units of one (keys, hash, trial) share. For each role, the list is
/// long enough for the largest demand of the units. A key file has one list for both roles.
struct KeyLists {
  const Unit* unit = nullptr;  ///< one of the units that share the lists
  std::uint64_t num_units = 0;
  std::uint64_t num_members = 0;
  std::uint64_t num_queries = 0;
  std::uint64_t num_queries_of_units = 0;  ///< sum of the queries of all units
};

/// Returns the lists that the given units need. The units must outlive the lists.
[[nodiscard]] std::vector<KeyLists> key_lists(std::span<const Unit> units);

}  // namespace bloometry
