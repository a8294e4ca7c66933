#include "variants/scalable/scalable_theory.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "core/error.hpp"
#include "core/rates/in_block_rates.hpp"
#include "core/text.hpp"
#include "core/theory/block_mean.hpp"
#include "core/theory/fill_moments.hpp"
#include "core/theory/growing_rate.hpp"
#include "variants/blocked/blocked_rates.hpp"
#include "variants/split_block/split_block_theory.hpp"

namespace bloometry {
namespace {

// The functions ignore the argument `model`, because the kind of the stages determines the model.
// Blocked stages with bit_fields follow model W. In stages of lanes, each block follows model P.

/// Returns the probe model of the blocks of a stage.
ProbeModel block_model(const StagePlan& plan) {
  return plan.stages == StageKind::kLanes ? ProbeModel::kPartitioned : ProbeModel::kWithReplacement;
}

theory::StageSource stages_of(const StagePlan& plan) {
  return [plan, sequence = StageSequence(plan)](unsigned /*next*/) mutable {
    const ScalableStage stage = sequence.next();
    return theory::Stage{.capacity = stage.capacity,
                         .error_rate = stage.error_rate,
                         .num_hashes = stage.num_hashes,
                         .slice_bits = stage.slice_bits,
                         .max_fill = max_slice_fill(plan, stage),
                         .num_blocks = stage.num_blocks,
                         .block_bits = kStageBlockBits,
                         .block_model = block_model(plan)};
  };
}

bool has_exact_rate(const ScalableSettings& settings) {
  return settings.stage_change == StageChange::kCount &&
         settings.insert_policy == InsertPolicy::kBlind;
}

/// Returns the maximum number of stages that the theory supports. The theory processes the stages
/// one by one. A partitioned stage needs about 10 microseconds, and a stage of blocks needs about
/// 100 microseconds.
std::uint64_t max_stages(const StagePlan& plan) {
  return plan.stages == StageKind::kPartitioned ? 100'000 : 10'000;
}

/// Checks the number of stages.
/// @throws ConfigError if num_keys keys need more than max_stages stages, for example because the
/// growth factor is 1.
void require_few_stages(const StagePlan& plan, std::uint64_t num_keys) {
  const double first_stages =
      static_cast<double>(num_keys) / static_cast<double>(plan.initial_capacity);
  const double growth = plan.growth_factor - 1;
  const double num_stages =
      growth > 0 ? std::log1p(first_stages * growth) / std::log1p(growth) : first_stages;
  if (num_stages <= static_cast<double>(max_stages(plan))) return;
  throw ConfigError("initial_capacity and growth_factor must give at most " +
                    std::to_string(max_stages(plan)) + " stages for " + std::to_string(num_keys) +
                    " keys, got " + std::to_string(plan.initial_capacity) + " and " +
                    shortest_text(plan.growth_factor) + ", which give " +
                    std::to_string(static_cast<std::uint64_t>(std::ceil(num_stages))) + " stages");
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

/// A stage and the number of its keys.
struct FilledStage {
  ScalableStage plan;
  std::uint64_t num_keys;
  ProbeModel model;

  [[nodiscard]] Geometry blocks() const {
    return {plan.num_bits(), 1, plan.num_hashes, kStageBlockBits};
  }

  [[nodiscard]] theory::SliceGroup slices() const {
    return {num_keys, plan.slice_bits, plan.num_hashes};
  }
};

/// Returns the stages that blind inserts fill with stage change by count. Each stage but the last
/// has n_i keys, and the last stage has the remaining keys.
std::vector<FilledStage> stages_by_count(const StagePlan& plan, std::uint64_t num_keys) {
  require_few_stages(plan, num_keys);
  std::vector<FilledStage> stages;
  StageSequence sequence(plan);
  std::uint64_t keys_left = num_keys;
  do {
    const ScalableStage stage = sequence.next();
    stages.push_back({stage, std::min(keys_left, stage.capacity), block_model(plan)});
    keys_left -= stages.back().num_keys;
  } while (keys_left > 0);
  return stages;
}

/// Returns the mean and the variance of the number of set bits of a stage of blocks.
theory::FillMoments fill_of_blocks(const FilledStage& stage) {
  return theory::block_fill_moments(stage.model, stage.num_keys, stage.blocks());
}

/// Returns the mean and the variance of the number of set bits of one slice of a stage.
theory::FillMoments fill_of_slice(const FilledStage& stage) {
  return theory::fill_moments(ProbeModel::kPartitioned, stage.num_keys, stage.plan.slice_bits, 1);
}

double expected_ones(const FilledStage& stage) {
  return stage.plan.num_blocks > 0 ? fill_of_blocks(stage).mean
                                   : stage.plan.num_hashes * fill_of_slice(stage).mean;
}

double fill_ratio(const std::vector<FilledStage>& stages) {
  double ones = 0;
  double bits = 0;
  for (const FilledStage& stage : stages) {
    ones += expected_ones(stage);
    bits += static_cast<double>(stage.plan.num_bits());
  }
  return ones / bits;
}

/// Returns the law of the total number of set bits of all stages. For stages of blocks, the
/// function returns the law only if it is normal.
std::optional<theory::FillLaw> fill_law_of(const std::vector<FilledStage>& stages) {
  if (stages.front().plan.num_blocks == 0) {
    std::vector<theory::SliceGroup> slices;
    for (const FilledStage& stage : stages) slices.push_back(stage.slices());
    return theory::FillLaw(slices);
  }
  theory::FillMoments moments;
  double num_bits = 0;
  double num_throws = 0;
  for (const FilledStage& stage : stages) {
    const theory::FillMoments of_stage = fill_of_blocks(stage);
    moments.mean += of_stage.mean;
    moments.variance += of_stage.variance;
    num_bits += static_cast<double>(stage.plan.num_bits());
    num_throws += static_cast<double>(stage.num_keys) * stage.plan.num_hashes;
  }
  return theory::FillLaw::normal_if_many(moments, num_throws, num_bits - moments.mean);
}

/// Mean and variance, over filters, of the rate of a stage.
struct RateMoments {
  double mean;
  double variance;
};

RateMoments rate_of_slices(const FilledStage& stage) {
  const theory::FillMoments fill = fill_of_slice(stage);
  const double k = stage.plan.num_hashes;
  const double rate = std::pow(fill.mean / static_cast<double>(stage.plan.slice_bits), k);
  // E[F_i^2] = (mean^2 + variance of a slice)^k.
  return {rate, rate * rate * std::expm1(k * std::log1p(fill.variance / (fill.mean * fill.mean)))};
}

RateMoments rate_of_blocks(const FilledStage& stage) {
  if (stage.model == ProbeModel::kPartitioned) {
    const Prediction alone = split_block_prediction(stage.num_keys, stage.blocks());
    return {*alone.exact, *alone.rate_stddev * *alone.rate_stddev};
  }
  constexpr auto kW = ProbeModel::kWithReplacement;
  const unsigned k = stage.plan.num_hashes;
  return {theory::blocked_rate(kW, stage.num_keys, stage.blocks()),
          theory::block_mean_variance(stage.num_keys, stage.plan.num_blocks,
                                      InBlockRates(kW, kStageBlockBits, k),
                                      InBlockRates(kW, kStageBlockBits, k, 2))};
}

/// Returns the standard deviation of the rate F. With the rates F_i of the stages, 1 - F = prod_i
/// (1 - F_i). The rates F_i are independent, because the stages have separate keys and probes. With
/// A_i = 1 - E[F_i] and v_i = Var(F_i), the variance is Var(F) = prod(A_i^2 + v_i) - prod A_i^2.
/// The function computes Var(F) without cancellation.
double rate_stddev(const std::vector<FilledStage>& stages) {
  double log_none = 0.0;
  double log_excess = 0.0;
  for (const FilledStage& stage : stages) {
    if (stage.num_keys == 0) continue;
    const RateMoments rate =
        stage.plan.num_blocks > 0 ? rate_of_blocks(stage) : rate_of_slices(stage);
    if (rate.mean == 1.0) return 0.0;
    log_none += std::log1p(-rate.mean);
    log_excess += std::log1p(rate.variance / ((1.0 - rate.mean) * (1.0 - rate.mean)));
  }
  return std::exp(log_none) * std::sqrt(std::expm1(log_excess));
}

}  // namespace

Prediction ScalableTheory::predict(const FilterSpec& spec, ProbeModel /*model*/,
                                           std::uint64_t num_keys) {
  const ScalableSettings settings = scalable_settings(spec);
  const theory::GrowthState state = growth(settings, num_keys);
  const NamedRate design_bound{"design_bound", state.design_bound};
  if (!has_exact_rate(settings)) return {.approximations = {{"fluid", state.rate}, design_bound}};
  const auto stages = stages_by_count(settings.plan, num_keys);
  return {.exact = state.rate,
          .approximations = {design_bound},
          .expected_fill_ratio = fill_ratio(stages),
          .rate_stddev = rate_stddev(stages)};
}

double ScalableTheory::expected_rate(const FilterSpec& spec, ProbeModel /*model*/,
                                             std::uint64_t num_keys) {
  return growth(scalable_settings(spec), num_keys).rate;
}

std::optional<theory::FillLaw> ScalableTheory::fill_law(const FilterSpec& spec,
                                                                ProbeModel /*model*/,
                                                                std::uint64_t num_keys) {
  const ScalableSettings settings = scalable_settings(spec);
  if (!has_exact_rate(settings)) return std::nullopt;
  return fill_law_of(stages_by_count(settings.plan, num_keys));
}

}  // namespace bloometry
