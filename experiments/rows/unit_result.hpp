#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "experiments/rows/trial_row.hpp"

namespace bloometry {

/// Seconds spent in each phase of one unit; a row of timings.csv.
struct UnitTiming {
  std::string unit;
  std::string
      engine;  ///< checkpoint_index, direct, naive, or checkpoint_index+direct: the engine used
  std::uint64_t num_points = 0;
  std::uint64_t num_key_operations = 0;  ///< inserts and queries answered, summed over the points;
                                         ///< the same for every engine
  double hash_s = 0;                     ///< hashing, including the wait for digests
  double insert_s = 0;                   ///< inserts, including churn
  double query_s = 0;
  double check_s = 0;  ///< direct repetition of a sample of the points
  double total_s = 0;
};

/// The outcome of one unit.
struct UnitResult {
  std::vector<TrialRow> rows;  ///< one row per point, in the order of the points
  UnitTiming timing;
};

}  // namespace bloometry
