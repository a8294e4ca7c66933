#include "experiments/sweep/plan_summary.hpp"

#include <algorithm>
#include <chrono>
#include <set>
#include <string>

#include "experiments/plan/exclusion_reason.hpp"
#include "experiments/trial/unit_work.hpp"
#include "experiments/workload/digest_store.hpp"
#include "variants/registry/registry.hpp"

namespace bloometry {
namespace {

/// The first variant of the list with its default scheme, of a size that fits no small cache,
/// filled and asked.
Unit calibration_unit() {
  Unit unit;
  const VariantInfo& variant = all_variant_infos().front();
  unit.variant = variant.name;
  unit.keys.name = "random";
  unit.hash = "xxh3";
  unit.probes = variant.schemes.front().name;
  unit.spec.num_bits = 8'000'000;
  unit.params = "{}";
  unit.points = {{800'000, 4, 800'000}};
  return unit;
}

}  // namespace

PlanSummary summarize_plan(std::span<const Unit> units, Engine engine, unsigned num_threads,
                           const MemoryBudget& budget) {
  PlanSummary summary;
  summary.num_units = units.size();
  const std::set<std::string> always_checked = always_checked_units(units);
  double work = 0;
  double longest = 0;
  for (const Unit& unit : units) {
    const double own = count_work(unit, engine, always_checked.contains(unit.id));
    work += own;
    longest = std::max(longest, own);
    summary.num_rows += unit.points.size();
    summary.num_key_operations += count_operations(unit, engine);
    const std::string reason = exclusion_reason(unit, plans_wrongful_erases(unit));
    if (!reason.empty()) summary.studied[reason] += unit.points.size();
  }
  summary.memory = plan_memory(units, engine, num_threads, budget);
  // One unit is one thread's.
  summary.estimated_s =
      std::max(work / summary.memory.num_threads, longest) / measure_operations_per_s(engine);
  return summary;
}

double measure_operations_per_s(Engine engine) {
  using Clock = std::chrono::steady_clock;
  constexpr std::uint64_t kDigestBytes = std::uint64_t{64} << 20U;
  const Unit unit = calibration_unit();
  DigestStore digests(kDigestBytes);
  const Clock::time_point start = Clock::now();
  static_cast<void>(run_unit(
      unit, {.engine = engine == Engine::kAuto ? Engine::kDirect : engine, .digests = &digests}));
  const std::chrono::duration<double> elapsed = Clock::now() - start;
  return static_cast<double>(count_operations(unit, Engine::kDirect)) / elapsed.count();
}

}  // namespace bloometry
