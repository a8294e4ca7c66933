#include "variants/scalable/scalable_stages.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>

#include "core/contract/filter_spec.hpp"
#include "core/error.hpp"
#include "core/probe/limits.hpp"
#include "core/text.hpp"
#include "variants/blocked/blocked_sizing.hpp"
#include "variants/lanes/lanes_sizing.hpp"
#include "variants/split_block/split_block_sizing.hpp"

namespace bloometry {

void validate_stage_plan(const StagePlan& plan) {
  const auto require = [](bool ok, const char* field, const char* allowed, double got) {
    if (ok) return;
    throw ConfigError(field,
                      "must be " + std::string(allowed) + ", got " + to_string(ParamValue(got)));
  };
  const bool horizon = plan.error_schedule == ErrorSchedule::kHorizon;
  const auto open_unit = [](double x) { return x > 0.0 && x < 1.0; };
  require(open_unit(plan.target_rate), "target_false_positive_rate", "in (0, 1)", plan.target_rate);
  require(plan.initial_capacity >= 1, "initial_capacity", "at least 1", 0.0);
  require(plan.growth_factor >= 1.0 && std::isfinite(plan.growth_factor), "growth_factor",
          "at least 1", plan.growth_factor);
  require(open_unit(plan.tightening_ratio), "tightening_ratio", "in (0, 1)", plan.tightening_ratio);
  require(plan.initial_rate == 0.0 || open_unit(plan.initial_rate), "initial_rate", "in (0, 1)",
          plan.initial_rate);
  require(!horizon || plan.max_capacity >= 1, "max_capacity", "at least 1 for horizon", 0.0);
  require(plan.horizon_share > 0.0 && plan.horizon_share <= 1.0, "horizon_share", "in (0, 1]",
          plan.horizon_share);
}

namespace stage_detail {

/// Returns n_0 s^i for i = index, rounded to an integer.
/// @throws ConfigError if the number needs more than 62 bits.
static std::uint64_t untruncated_capacity(const StagePlan& plan, unsigned index) {
  const double real = static_cast<double>(plan.initial_capacity) *
                      std::pow(plan.growth_factor, static_cast<double>(index));
  if (!(real < 0x1p62)) {
    throw ConfigError(
        "initial_capacity and growth_factor must give stages of less than 2^62 keys, got " +
        std::to_string(plan.initial_capacity) + " and " + shortest_text(plan.growth_factor) +
        " for stage " + std::to_string(index));
  }
  return static_cast<std::uint64_t>(std::llround(real));
}

void HorizonPosition::advance(const StagePlan& plan, unsigned index) {
  if (keys_before >= plan.max_capacity) {
    ++stages_past_bound;
  } else {
    keys_before += std::min(untruncated_capacity(plan, index), plan.max_capacity - keys_before);
  }
}

/// Returns the position of stage `index`, or the position of stage 0 if the plan has no horizon.
static HorizonPosition horizon_position(const StagePlan& plan, unsigned index) {
  HorizonPosition position;
  if (plan.error_schedule != ErrorSchedule::kHorizon) return position;
  unsigned i = 0;
  for (; i < index && position.keys_before < plan.max_capacity; ++i) position.advance(plan, i);
  position.stages_past_bound = index - i;
  return position;
}

/// Returns the rate of stage `index` of a geometric schedule.
static double geometric_rate(double first, double ratio, unsigned index) {
  return first * std::pow(ratio, static_cast<double>(index));
}

double least_slice_bits(std::uint64_t capacity, double rate, unsigned num_hashes) {
  const double fill = std::pow(rate, 1.0 / num_hashes);
  const double hit = -std::expm1(std::log1p(-fill) / static_cast<double>(capacity));
  return std::max(1.0, std::ceil(1.0 / hit));
}

std::uint64_t capacity_at(const StagePlan& plan, unsigned index, const HorizonPosition& position) {
  const std::uint64_t full = untruncated_capacity(plan, index);
  if (plan.error_schedule != ErrorSchedule::kHorizon) return full;
  if (position.keys_before >= plan.max_capacity) return full;
  return std::min(full, plan.max_capacity - position.keys_before);
}

/// Returns the rate that the schedule gives to a stage. The result may underflow to 0.
static double scheduled_rate(const StagePlan& plan, unsigned index,
                             const HorizonPosition& position) {
  const double p = plan.target_rate;
  const double r = plan.tightening_ratio;
  if (plan.error_schedule == ErrorSchedule::kQuadratic) {
    const double rank = static_cast<double>(index) + 1.0;
    return p * 6.0 / (std::numbers::pi * std::numbers::pi * rank * rank);
  }
  if (plan.error_schedule == ErrorSchedule::kGeometric) {
    const double first = plan.initial_rate > 0.0 ? plan.initial_rate : p * (1.0 - r);
    return geometric_rate(first, r, index);
  }
  if (position.keys_before >= plan.max_capacity) {
    return geometric_rate(0.5 * p * (1.0 - r), r, position.stages_past_bound);
  }
  return plan.horizon_share * p * static_cast<double>(capacity_at(plan, index, position)) /
         static_cast<double>(plan.max_capacity);
}

double error_rate_at(const StagePlan& plan, unsigned index, const HorizonPosition& position) {
  return std::max(scheduled_rate(plan, index, position), kLeastStageRate);
}

}  // namespace stage_detail

std::uint64_t stage_capacity(const StagePlan& plan, unsigned index) {
  return stage_detail::capacity_at(plan, index, stage_detail::horizon_position(plan, index));
}

double stage_error_rate(const StagePlan& plan, unsigned index) {
  return stage_detail::error_rate_at(plan, index, stage_detail::horizon_position(plan, index));
}

unsigned half_fill_num_hashes(double rate) {
  return static_cast<unsigned>(std::max(1.0, std::ceil(-std::log2(rate) - 1e-9)));
}

namespace stage_detail {

/// Sets k and the slice length as SliceSizing::kHalfFill describes.
static void size_half_full_slices(ScalableStage& stage) {
  stage.num_hashes = half_fill_num_hashes(stage.error_rate);
  double slice = std::ceil(static_cast<double>(stage.capacity) / std::numbers::ln2);
  if (stage.num_hashes > kMaxNumHashes) {
    stage.num_hashes = kMaxNumHashes;
    slice = least_slice_bits(stage.capacity, stage.error_rate, stage.num_hashes);
  }
  stage.slice_bits = static_cast<std::uint64_t>(slice);
}

void size_tight_slices(ScalableStage& stage) {
  // The best real k is at most log2(1/P). The search starts at a k that is 2 larger, because k and
  // the slice length are rounded to integers. Without rounding, the total length k w increases on
  // both sides of the best k. The search therefore ends at the first k whose length before rounding
  // must exceed the best length.
  double best = HUGE_VAL;
  for (unsigned k = std::min(half_fill_num_hashes(stage.error_rate) + 2, kMaxNumHashes); k >= 1;
       --k) {
    const double slice = least_slice_bits(stage.capacity, stage.error_rate, k);
    if (k * slice > best) {
      if (k * (slice - 1.0) > best) break;
      continue;
    }
    best = k * slice;
    stage.num_hashes = k;
    stage.slice_bits = static_cast<std::uint64_t>(slice);
  }
}

/// Sets the smallest number of blocks of a lanes stage whose exact rate at the stage's capacity
/// does not exceed the stage's rate.
static void size_lanes(ScalableStage& stage) {
  const double bits =
      split_block_bits_for_rate(static_cast<double>(stage.capacity), stage.error_rate, kLanesBlock);
  if (!(bits <= 0x1p57)) {
    throw ConfigError("error rate of a lanes stage must need at most 2^57 bits, got " +
                      to_string(ParamValue(stage.error_rate)) + ", which needs more for " +
                      std::to_string(stage.capacity) + " keys");
  }
  stage.num_hashes = kLanesBlock.num_lanes;
  stage.num_blocks = static_cast<std::uint64_t>(bits / kStageBlockBits);
}

/// Returns a stage with the given capacity and rate.
static ScalableStage sized_stage(const StagePlan& plan, std::uint64_t capacity, double error_rate) {
  ScalableStage stage{capacity, error_rate};
  if (plan.stages == StageKind::kBlocked) {
    const Geometry blocks = least_blocks(capacity, error_rate, kStageBlockBits);
    stage.num_hashes = blocks.num_hashes;
    stage.num_blocks = blocks.num_blocks();
  } else if (plan.stages == StageKind::kLanes) {
    size_lanes(stage);
  } else if (plan.slice_sizing == SliceSizing::kHalfFill) {
    size_half_full_slices(stage);
  } else {
    size_tight_slices(stage);
  }
  if (static_cast<double>(stage.num_hashes) * static_cast<double>(stage.slice_bits) > 0x1p62) {
    throw ConfigError("capacity", "must give stages of at most 2^62 bits, got " +
                                      std::to_string(capacity) + ", which gives a stage of " +
                                      std::to_string(stage.num_hashes) + " * " +
                                      std::to_string(stage.slice_bits) + " bits");
  }
  return stage;
}

}  // namespace stage_detail

ScalableStage plan_stage(const StagePlan& plan, unsigned index) {
  const auto position = stage_detail::horizon_position(plan, index);
  return stage_detail::sized_stage(plan, stage_detail::capacity_at(plan, index, position),
                                   stage_detail::error_rate_at(plan, index, position));
}

ScalableStage StageSequence::next() {
  const std::uint64_t capacity = stage_detail::capacity_at(plan_, index_, position_);
  const double error_rate = stage_detail::error_rate_at(plan_, index_, position_);
  if (capacity != last_.capacity || error_rate != last_.error_rate) {
    last_ = stage_detail::sized_stage(plan_, capacity, error_rate);
  }
  position_.advance(plan_, index_++);
  return last_;
}

std::uint64_t num_bits_of_stages(const StagePlan& plan, std::uint64_t num_keys) {
  constexpr unsigned kMostStages = 10'000;
  std::uint64_t num_bits = 0;
  std::uint64_t keys_left = num_keys;
  unsigned index = 0;
  StageSequence stages(plan);
  do {
    const ScalableStage stage = stages.next();
    ++index;
    const double real_bits =
        static_cast<double>(stage.num_hashes) * static_cast<double>(stage.slice_bits) +
        static_cast<double>(stage.num_blocks) * kStageBlockBits;
    if (static_cast<double>(num_bits) + real_bits > 0x1p62) {
      throw ConfigError("stage " + std::to_string(index - 1) + " would pass 2^62 bits");
    }
    num_bits += stage.num_bits();
    keys_left -= std::min(keys_left, stage.capacity);
  } while (keys_left > 0 && index < kMostStages);
  return num_bits;
}

void refuse_stages(std::uint64_t max_stages) {
  throw ConfigError("initial_capacity and growth_factor must give at most " +
                    std::to_string(max_stages) + " stages, which is the limit of a filter file");
}

double max_slice_fill(const StagePlan& plan, const ScalableStage& stage) {
  const bool has_all_hashes = stage.num_hashes >= half_fill_num_hashes(stage.error_rate);
  if (plan.slice_sizing == SliceSizing::kHalfFill && has_all_hashes) return 0.5;
  return std::min(0.5, std::pow(stage.error_rate, 1.0 / stage.num_hashes));
}

}  // namespace bloometry
