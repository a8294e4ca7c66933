#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>

#include "core/probe/probe_policy.hpp"

namespace bloometry::theory {

/// Checks the arguments of a formula with m cells and k hashes. All formulas with m cells and k
/// hashes use this check.
/// @throws std::domain_error with the name of the argument that does not fit the probe model.
inline void require_geometry(ProbeModel model, std::uint64_t num_cells, unsigned num_hashes) {
  if (num_cells == 0) throw std::domain_error("m must be at least 1, got 0");
  if (num_hashes == 0) throw std::domain_error("k must be at least 1, got 0");
  if (model != ProbeModel::kWithReplacement && num_hashes > num_cells) {
    throw std::domain_error("k must be at most m = " + std::to_string(num_cells) + ", got " +
                            std::to_string(num_hashes));
  }
}

}  // namespace bloometry::theory
