#pragma once

#include <span>

#include "experiments/sweep/memory_plan.hpp"
#include "experiments/trial/run_unit.hpp"
#include "experiments/unit/unit.hpp"

namespace bloometry {

/// Returns an estimate of the time in seconds that all units need with the threads and memory of
/// the plan. The estimate itself needs one to two seconds. To estimate the time, the function runs
/// some units of each (variant, probes, keys, hash) and makes some keys of each source.
/// @throws ConfigError or EngineMismatch as run_unit() does
[[nodiscard]] double estimate_seconds(std::span<const Unit> units, Engine engine,
                                      const MemoryPlan& memory);

}  // namespace bloometry
