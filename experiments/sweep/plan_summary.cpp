#include "experiments/sweep/plan_summary.hpp"

#include <algorithm>
#include <string>

#include "experiments/plan/exemption_reason.hpp"

namespace bloometry {

namespace {

void add_counters_per_key(const Unit& unit, std::map<std::string, Range>& ranges) {
  if (!unit.spec.num_counters) return;
  for (const Point& point : unit.points) {
    const std::uint64_t num_keys = point.capacity.value_or(point.num_inserted);
    if (num_keys == 0) continue;
    const double ratio =
        static_cast<double>(*unit.spec.num_counters) / static_cast<double>(num_keys);
    Range& range = ranges.emplace(unit.variant, Range{ratio, ratio}).first->second;
    range = {std::min(range.least, ratio), std::max(range.most, ratio)};
  }
}

}  // namespace

PlanSummary summarize_plan(std::span<const Unit> units, Engine engine, unsigned num_threads,
                           const MemoryBudget& budget) {
  PlanSummary summary;
  summary.num_units = units.size();
  for (const Unit& unit : units) {
    summary.num_rows += unit.points.size();
    summary.num_key_operations += count_operations(unit, engine);
    const std::string reason = exemption_reason(unit, plans_wrongful_erases(unit));
    add_counters_per_key(unit, summary.counters_per_key);
    if (!reason.empty()) summary.exempt[reason] += unit.points.size();
  }
  summary.memory = plan_memory(units, engine, num_threads, budget);
  return summary;
}

}  // namespace bloometry
