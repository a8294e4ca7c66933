#pragma once

#include <cstdint>

namespace bloometry {

/// Expected rates of a filter that forgets after many inserts of distinct keys, when all older
/// generations are full. The rate rises while the newest generation fills, and falls when the
/// oldest is cleared.
struct PhaseRates {
  double start = 0;  ///< after the first insert of a generation
  double mean = 0;   ///< mean over the phases, after 1 to g inserts of a generation
  double worst = 0;  ///< after the last insert of a generation
  /// Largest number of keys of which the filter holds all cells. A query with the digest of one of
  /// them tests positive.
  std::uint64_t num_held = 0;

  friend bool operator==(const PhaseRates&, const PhaseRates&) noexcept = default;
};

}  // namespace bloometry
