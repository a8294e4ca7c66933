#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "experiments/unit/trial_row.hpp"

namespace bloometry {

/// One row of timings.csv: the time in seconds for each phase of one unit.
struct UnitTiming {
  std::string unit;
  std::string engine;  ///< engine used: checkpoint_index, direct, naive, or checkpoint_index+direct
  std::uint64_t num_points = 0;
  /// Number of inserts and queries, summed over the points. The sum does not depend on the engine.
  std::uint64_t num_key_operations = 0;
  double hash_s = 0;    ///< time for hashing, including the wait for digests
  double insert_s = 0;  ///< time for inserts, including churn
  double query_s = 0;
  double check_s = 0;  ///< time to repeat some points with the real filter class
  double total_s = 0;
};

/// The outcome of one unit.
struct UnitResult {
  std::vector<TrialRow> rows;  ///< one row per point, in the order of the points
  UnitTiming timing;
};

}  // namespace bloometry
