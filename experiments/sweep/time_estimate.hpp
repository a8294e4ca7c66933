#pragma once

#include <span>

#include "experiments/sweep/memory_plan.hpp"
#include "experiments/trial/run_unit.hpp"
#include "experiments/unit/unit.hpp"

namespace bloometry {

/// Returns the seconds that the units need in total with this plan's threads and memory. The
/// estimate takes one to two seconds. It runs some units of each kind (variant, probes, keys,
/// hash), and makes some keys of each source.
/// @throws as run_unit, except for memory.
[[nodiscard]] double estimate_seconds(std::span<const Unit> units, Engine engine,
                                      const MemoryPlan& memory);

}  // namespace bloometry
