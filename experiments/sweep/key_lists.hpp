#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "experiments/unit/unit.hpp"

namespace bloometry {

/// The digests that the units of one (keys, hash, trial) share: the longest list of each role. A
/// key file has one list for both roles.
struct KeyLists {
  const Unit* unit = nullptr;  ///< one of the units that share the lists
  std::uint64_t num_units = 0;
  std::uint64_t num_members = 0;
  std::uint64_t num_queries = 0;
  std::uint64_t num_queries_of_units = 0;  ///< sum over the units; each has its own queries
};

/// Returns the lists that these units need. The units must outlive the lists.
[[nodiscard]] std::vector<KeyLists> key_lists(std::span<const Unit> units);

}  // namespace bloometry
