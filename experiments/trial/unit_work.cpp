#include "experiments/trial/unit_work.hpp"

#include <cmath>
#include <vector>

#include "experiments/trial/reference_engines.hpp"
#include "experiments/trial/sample_check.hpp"
#include "variants/registry/registry.hpp"
#include "variants/scalable/scalable_params.hpp"

namespace bloometry {
namespace {

/// Returns the cost of an additional stage, as a multiple of the cost of an operation on one stage.
/// On filters of 1,000 to 10,000 stages, a stage needs 5 to 10 ns for blocks of keys. For single
/// keys, a stage needs 15 to 17 ns. An operation on one stage needs 35 ns.
double stage_share(StageCost cost) {
  return cost == StageCost::kBatch ? 0.2 : 0.45;
}

/// Returns the number of stages of a filter with num_keys keys.
/// The first i stages contain n_0 (s^i - 1) / (s - 1) keys.
double num_stages_at(const StagePlan& plan, double num_keys) {
  const double filled = num_keys / static_cast<double>(plan.initial_capacity);
  const double growth = plan.growth_factor - 1;
  return 1 + (growth < 1e-9 ? filled : std::log1p(filled * growth) / std::log1p(growth));
}

bool grows(const Unit& unit) {
  return find_variant(unit.variant).can(Operation::kGrow);
}

/// Returns the mean number of stages during the insertion of num_keys keys (Simpson's rule).
double mean_stages_up_to(const StagePlan& plan, double num_keys) {
  return (1 + 4 * num_stages_at(plan, num_keys / 2) + num_stages_at(plan, num_keys)) / 6;
}

}  // namespace

double planned_num_stages(const Unit& unit, double num_keys) {
  return grows(unit) ? num_stages_at(scalable_settings(unit.spec).plan, num_keys) : 1;
}

double work_per_operation(const Unit& unit, std::span<const Point> points, StageCost cost) {
  if (!grows(unit)) return 1;
  const StagePlan plan = scalable_settings(unit.spec).plan;
  double num_operations = 0;
  double num_further_stages = 0;
  for (const Point& point : points) {
    const auto num_keys = static_cast<double>(point.num_inserted);
    const auto num_queries = static_cast<double>(point.num_queries);
    num_operations += num_keys + num_queries;
    num_further_stages += num_keys * (mean_stages_up_to(plan, num_keys) - 1) +
                          num_queries * (num_stages_at(plan, num_keys) - 1);
  }
  if (num_operations == 0) return 1;
  return 1 + stage_share(cost) * num_further_stages / num_operations;
}

double count_work(const Unit& unit, Engine engine, bool is_always_checked) {
  const StageCost cost = engine == Engine::kNaive ? StageCost::kSingle : StageCost::kBatch;
  const double work = static_cast<double>(count_operations(unit, engine)) *
                      work_per_operation(unit, unit.points, cost);
  if (engine != Engine::kAuto) return work;
  std::vector<Point> checked;
  for (const std::size_t i : sampled_points(unit, is_always_checked)) {
    checked.push_back(unit.points[i]);
  }
  if (checked.empty()) return work;
  return work + static_cast<double>(count_naive_operations(unit, checked)) *
                    work_per_operation(unit, checked, StageCost::kSingle);
}

}  // namespace bloometry
