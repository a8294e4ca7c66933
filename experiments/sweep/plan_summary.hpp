#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>

#include "experiments/sweep/memory_plan.hpp"
#include "experiments/trial/run_unit.hpp"
#include "experiments/unit/unit.hpp"

namespace bloometry {

/// The smallest and the largest of several values.
struct Range {
  double least = 0;
  double most = 0;
};

/// The cost of a sweep, computed before anything runs.
struct PlanSummary {
  std::uint64_t num_units = 0;
  std::uint64_t num_rows = 0;
  std::uint64_t num_key_operations = 0;
  MemoryPlan memory{};
  std::map<std::string, std::uint64_t> exempt;  ///< number of rows exempt from the tests, by reason
  /// Range of the counters per key of capacity (else of num_inserted), by variant. Users can
  /// mistake counters per key for bits per key.
  std::map<std::string, Range> counters_per_key;
};

/// Returns the summary of a plan. @throws ConfigError as plan_memory() does
[[nodiscard]] PlanSummary summarize_plan(std::span<const Unit> units, Engine engine,
                                         unsigned num_threads, const MemoryBudget& budget);

}  // namespace bloometry
