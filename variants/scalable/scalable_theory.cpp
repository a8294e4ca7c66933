#include "variants/scalable/scalable_theory.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "core/error.hpp"
#include "core/theory/fill_moments.hpp"
#include "core/theory/growing_rate.hpp"

namespace bloometry {
namespace {

// The model is not looked at: every stage is partitioned.

theory::StageSource stages_of(const StagePlan& plan) {
  return [plan](unsigned index) {
    const ScalableStage stage = plan_stage(plan, index);
    return theory::Stage{stage.capacity, stage.error_rate, stage.num_hashes, stage.slice_bits,
                         max_slice_fill(plan, stage)};
  };
}

bool has_exact_rate(const ScalableSettings& settings) {
  return settings.stage_change == StageChange::kCount &&
         settings.insert_policy == InsertPolicy::kBlind;
}

/// Theory goes through the stages one by one.
constexpr double kMaxStages = 1e6;

/// @throws ConfigError if stages that (nearly) do not grow would be too many to go through.
void require_few_stages(const StagePlan& plan, std::uint64_t num_keys) {
  const double first_stages =
      static_cast<double>(num_keys) / static_cast<double>(plan.initial_capacity);
  const double growth = plan.growth_factor - 1;
  const double num_stages =
      growth > 0 ? std::log1p(first_stages * growth) / std::log1p(growth) : first_stages;
  if (num_stages <= kMaxStages) return;
  throw ConfigError("initial_capacity and growth_factor must need at most 10^6 stages for " +
                    std::to_string(num_keys) + " keys, got " +
                    to_string(ParamValue(std::ceil(num_stages))));
}

theory::GrowthState growth(const ScalableSettings& settings, std::uint64_t num_keys) {
  require_few_stages(settings.plan, num_keys);
  const theory::StageSource stages = stages_of(settings.plan);
  if (has_exact_rate(settings)) return theory::exact_growth(num_keys, stages);
  return theory::fluid_growth(
      num_keys, stages,
      settings.insert_policy == InsertPolicy::kBlind ? theory::InsertPolicy::kBlind
                                                     : theory::InsertPolicy::kCheckFirst,
      settings.stage_change == StageChange::kCount ? theory::StageChange::kCount
                                                   : theory::StageChange::kFill);
}

/// What blind inserts with stage change by count fill: each stage with its n_i keys, the last with
/// the rest.
std::vector<theory::SliceGroup> slices_by_count(const StagePlan& plan, std::uint64_t num_keys) {
  require_few_stages(plan, num_keys);
  std::vector<theory::SliceGroup> slices;
  std::uint64_t keys_left = num_keys;
  do {
    const ScalableStage stage = plan_stage(plan, static_cast<unsigned>(slices.size()));
    const std::uint64_t keys = std::min(keys_left, stage.capacity);
    slices.push_back({keys, stage.slice_bits, stage.num_hashes});
    keys_left -= keys;
  } while (keys_left > 0);
  return slices;
}

double num_bits_of(const std::vector<theory::SliceGroup>& slices) {
  double bits = 0;
  for (const theory::SliceGroup& group : slices) {
    bits += static_cast<double>(group.slice_bits) * static_cast<double>(group.num_slices);
  }
  return bits;
}

/// 1 - F = prod_i (1 - F_i) over stages with keys and probes of their own, which are independent:
/// Var(F) = prod(A_i^2 + v_i) - prod A_i^2, A_i = 1 - E[F_i], v_i = Var(F_i). Without cancellation.
double rate_stddev(const std::vector<theory::SliceGroup>& slices) {
  double log_none = 0.0;
  double log_excess = 0.0;
  for (const theory::SliceGroup& stage : slices) {
    if (stage.num_keys == 0) continue;
    const theory::FillMoments fill =
        theory::fill_moments(ProbeModel::kPartitioned, stage.num_keys, stage.slice_bits, 1);
    const auto k = static_cast<double>(stage.num_slices);
    const double rate = std::pow(fill.mean / static_cast<double>(stage.slice_bits), k);
    if (rate == 1.0) return 0.0;
    // E[F_i^2] = (mean^2 + variance of a slice)^k.
    const double variance =
        rate * rate * std::expm1(k * std::log1p(fill.variance / (fill.mean * fill.mean)));
    log_none += std::log1p(-rate);
    log_excess += std::log1p(variance / ((1.0 - rate) * (1.0 - rate)));
  }
  return std::exp(log_none) * std::sqrt(std::expm1(log_excess));
}

}  // namespace

Prediction Theory<ScalableFilter>::predict(const FilterSpec& spec, ProbeModel /*model*/,
                                           std::uint64_t num_keys) {
  const ScalableSettings settings = scalable_settings(spec);
  const theory::GrowthState state = growth(settings, num_keys);
  const NamedRate design_bound{"design_bound", state.design_bound};
  if (!has_exact_rate(settings)) return {.approximations = {{"fluid", state.rate}, design_bound}};
  const auto slices = slices_by_count(settings.plan, num_keys);
  return {.exact = state.rate,
          .approximations = {design_bound},
          .expected_fill_ratio = theory::FillLaw(slices).mean() / num_bits_of(slices),
          .rate_stddev = rate_stddev(slices)};
}

double Theory<ScalableFilter>::expected_rate(const FilterSpec& spec, ProbeModel /*model*/,
                                             std::uint64_t num_keys) {
  return growth(scalable_settings(spec), num_keys).rate;
}

std::optional<theory::FillLaw> Theory<ScalableFilter>::fill_law(const FilterSpec& spec,
                                                                ProbeModel /*model*/,
                                                                std::uint64_t num_keys) {
  const ScalableSettings settings = scalable_settings(spec);
  if (!has_exact_rate(settings)) return std::nullopt;
  return theory::FillLaw(slices_by_count(settings.plan, num_keys));
}

}  // namespace bloometry
