#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>

#include "experiments/sweep/memory_plan.hpp"
#include "experiments/trial/run_unit.hpp"
#include "experiments/unit/unit.hpp"

namespace bloometry {

/// What a sweep will take, told before anything runs.
struct PlanSummary {
  std::uint64_t num_units = 0;
  std::uint64_t num_rows = 0;
  std::uint64_t num_key_operations = 0;
  MemoryPlan memory{};
  double estimated_s = 0;  ///< from a rate measured for a moment on this machine: a rough guess
  std::map<std::string, std::uint64_t> studied;  ///< why rows are only studied -> how many
};

/// @throws ConfigError as plan_memory does.
[[nodiscard]] PlanSummary summarize_plan(std::span<const Unit> units, Engine engine,
                                         unsigned num_threads, const MemoryBudget& budget);

/// Key operations that one thread answers in a second, measured for about 50 ms.
[[nodiscard]] double measure_operations_per_s(Engine engine);

}  // namespace bloometry
