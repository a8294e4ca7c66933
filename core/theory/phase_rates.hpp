#pragma once

#include <cstdint>

namespace bloometry {

/// The phase of a filter that forgets with the highest expected rate: all generations are full.
struct WorstPhase {
  double rate = 0;  ///< expected rate
  /// Largest number of keys of which the filter holds all cells. A query with the digest of one of
  /// them tests positive.
  std::uint64_t num_held = 0;
};

/// Expected rates of a filter that forgets after many inserts of distinct keys, when all older
/// generations are full. The rate rises while the newest generation fills, and falls when the
/// oldest is cleared.
struct PhaseRates {
  double start = 0;            ///< after the first insert of a generation
  double mean = 0;             ///< mean over the phases, after 1 to g inserts of a generation
  double worst = 0;            ///< after the last insert of a generation: WorstPhase::rate
  std::uint64_t num_held = 0;  ///< WorstPhase::num_held

  friend bool operator==(const PhaseRates&, const PhaseRates&) noexcept = default;
};

}  // namespace bloometry
