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
      engine;  ///< first_set_words, direct, naive, or first_set_words+direct: what really ran
  std::uint64_t num_points = 0;
  std::uint64_t num_key_operations = 0;  ///< inserts and queries answered, all points together: the
                                         ///< same for every engine
  double hash_s = 0;                     ///< waiting for digests included
  double insert_s = 0;                   ///< churn included
  double query_s = 0;
  double check_s = 0;  ///< the direct repetition of a sample of the points
  double total_s = 0;
};

/// The outcome of one unit.
struct UnitResult {
  std::vector<TrialRow> rows;  ///< one per point, in the order of the points
  UnitTiming timing;
};

}  // namespace bloometry
