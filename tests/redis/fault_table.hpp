#pragma once

#include <functional>
#include <vector>

#include "tests/redis/fault_trial.hpp"

namespace bloometry::test {

/// A fault of a server, and the results that it must have.
struct Fault {
  const char* name;
  std::function<FaultTally(const TrialSize&)> run;
  std::vector<RedisFailure> must_see;  ///< each of these causes must occur
  bool answers = true;                 ///< whether at least one query must succeed
  bool fails = true;                   ///< whether queries may fail
};

/// Causes all faults, and prints a table of the results.
/// @param argument the argument of the program: --long makes a million queries per fault; null: a
/// few thousand
/// @returns whether every fault has the results that it must have
bool run_faults(const std::vector<Fault>& faults, const char* argument);

}  // namespace bloometry::test
