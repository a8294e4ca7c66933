#include "experiments/sweep/plan_summary.hpp"

#include <string>

#include "experiments/plan/exclusion_reason.hpp"

namespace bloometry {

PlanSummary summarize_plan(std::span<const Unit> units, Engine engine, unsigned num_threads,
                           const MemoryBudget& budget) {
  PlanSummary summary;
  summary.num_units = units.size();
  for (const Unit& unit : units) {
    summary.num_rows += unit.points.size();
    summary.num_key_operations += count_operations(unit, engine);
    const std::string reason = exclusion_reason(unit, plans_wrongful_erases(unit));
    if (!reason.empty()) summary.studied[reason] += unit.points.size();
  }
  summary.memory = plan_memory(units, engine, num_threads, budget);
  return summary;
}

}  // namespace bloometry
