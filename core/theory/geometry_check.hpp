#pragma once

#include <cmath>
#include <cstdint>

#include "core/probe/probe_policy.hpp"
#include "core/require_domain.hpp"

namespace bloometry::theory {

/// Checks the arguments of a formula with m cells and k hashes. All formulas with m cells and k
/// hashes use this check.
/// @throws std::domain_error with the name of the argument that does not fit the probe model.
inline void require_geometry(ProbeModel model, std::uint64_t num_cells, unsigned num_hashes) {
  require_domain(num_cells > 0, "m", "at least 1", num_cells);
  require_domain(num_hashes > 0, "k", "at least 1", num_hashes);
  if (model == ProbeModel::kWithReplacement) return;
  require_at_most("k", std::uint64_t{num_hashes}, "m", num_cells);
}

/// Checks a load, the mean number of increments per cell.
/// @throws std::domain_error if the load is negative, infinite or not a number.
inline void require_load(double load) {
  require_domain(load >= 0.0 && std::isfinite(load), "load", "finite and at least 0", load);
}

}  // namespace bloometry::theory
