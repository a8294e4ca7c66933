#pragma once

#include <span>

#include "experiments/sweep/memory_plan.hpp"
#include "experiments/trial/run_unit.hpp"
#include "experiments/unit/unit.hpp"

namespace bloometry {

/// Returns the seconds that the units take together with this plan's threads and memory. Measured
/// for one to two seconds on this machine: of each kind of unit (variant, probes, keys, hash) some
/// are run, and some of the keys of each source are made.
/// @throws as run_unit, except for memory.
[[nodiscard]] double estimate_seconds(std::span<const Unit> units, Engine engine,
                                      const MemoryPlan& memory);

}  // namespace bloometry
