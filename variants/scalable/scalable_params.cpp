#include "variants/scalable/scalable_params.hpp"

#include <cstdint>
#include <string_view>
#include <vector>

#include "core/contract/size_axis.hpp"
#include "core/error.hpp"
#include "core/rates/sizing.hpp"

namespace bloometry {
namespace {

constexpr std::uint64_t kDefaultInitialCapacity = 10000;

void require_only_a_rate(const FilterSpec& spec) {
  const std::vector<SizeAxis> given = size_axes_given(spec);
  if (!given.empty() && given.front() != SizeAxis::kRate) {
    throw ConfigError("size of scalable must be given by target_false_positive_rate, got " +
                      std::string(name_of(given.front())));
  }
  if (spec.num_hashes) {
    throw ConfigError("num_hashes",
                      "must be left out for scalable, whose stages have their own, got " +
                          std::to_string(*spec.num_hashes));
  }
  if (!spec.target_false_positive_rate) {
    throw ConfigError("target_false_positive_rate",
                      "must be given for scalable: a number in (0, 1)");
  }
  if (spec.capacity && *spec.capacity == 0) {
    throw ConfigError("capacity", "must be at least 1, got 0");
  }
}

ErrorSchedule error_schedule_of(const Params& params) {
  const std::string& name = text_param(params, "error_schedule");
  if (name == "quadratic") return ErrorSchedule::kQuadratic;
  return name == "horizon" ? ErrorSchedule::kHorizon : ErrorSchedule::kGeometric;
}

/// Returns the value of a parameter, or `otherwise` if the parameter is missing.
double number_or(const Params& params, std::string_view name, double otherwise) {
  return params.contains(name) ? number_param(params, name) : otherwise;
}

void require_params_of_schedule(const Params& params, ErrorSchedule schedule) {
  const bool has_bound = params.contains("max_capacity");
  if (has_bound != (schedule == ErrorSchedule::kHorizon)) {
    throw ConfigError("max_capacity",
                      has_bound ? "must be left out unless error_schedule is horizon"
                                : "must be given with error_schedule horizon: a number of keys");
  }
  if (params.contains("initial_rate") && schedule != ErrorSchedule::kGeometric) {
    throw ConfigError("initial_rate", "must be left out unless error_schedule is geometric");
  }
}

StageKind stage_kind_of(const Params& params) {
  if (!params.contains("stages")) return StageKind::kPartitioned;
  const std::string& name = text_param(params, "stages");
  if (name == "blocked") return StageKind::kBlocked;
  return name == "lanes" ? StageKind::kLanes : StageKind::kPartitioned;
}

void require_params_of_stages(const Params& params) {
  if (stage_kind_of(params) == StageKind::kPartitioned) return;
  if (text_param(params, "slice_sizing") != "half_fill") {
    throw ConfigError("slice_sizing",
                      "must be half_fill, got " + text_param(params, "slice_sizing") + ": " +
                          text_param(params, "stages") + " stages do not have slices");
  }
}

/// Returns the number of keys of the first stage.
/// @throws ConfigError if the capacity of the spec is used and is not a value of the parameter, so
/// that a file could not contain it
std::uint64_t initial_capacity_of(const FilterSpec& spec, const Params& params) {
  if (params.contains("initial_capacity")) {
    return static_cast<std::uint64_t>(number_param(params, "initial_capacity"));
  }
  const std::uint64_t capacity = spec.capacity.value_or(kDefaultInitialCapacity);
  if (capacity <= kMaxInitialCapacity) return capacity;
  throw ConfigError("capacity",
                    "must be at most 2^53 for scalable, got " + std::to_string(capacity));
}

StagePlan stage_plan(const FilterSpec& spec, const Params& params) {
  StagePlan plan;
  plan.target_rate = *spec.target_false_positive_rate;
  plan.initial_capacity = initial_capacity_of(spec, params);
  plan.growth_factor = number_param(params, "growth_factor");
  plan.tightening_ratio = number_param(params, "tightening_ratio");
  plan.error_schedule = error_schedule_of(params);
  plan.slice_sizing =
      text_param(params, "slice_sizing") == "tight" ? SliceSizing::kTight : SliceSizing::kHalfFill;
  plan.stages = stage_kind_of(params);
  plan.initial_rate = number_or(params, "initial_rate", 0);
  plan.max_capacity = static_cast<std::uint64_t>(number_or(params, "max_capacity", 0));
  validate_stage_plan(plan);
  return plan;
}

}  // namespace

ScalableSettings scalable_settings(const FilterSpec& spec) {
  const Params params = resolve_params("scalable", kScalableParams, spec.params);
  require_only_a_rate(spec);
  require_params_of_schedule(params, error_schedule_of(params));
  require_params_of_stages(params);
  return {.plan = stage_plan(spec, params),
          .stage_change = text_param(params, "stage_change") == "count" ? StageChange::kCount
                                                                        : StageChange::kFill,
          .insert_policy = text_param(params, "insert_policy") == "blind"
                               ? InsertPolicy::kBlind
                               : InsertPolicy::kCheckFirst,
          .max_fill = checked_max_fill(spec)};
}

void require_stage_rate(const StagePlan& plan) {
  if (plan.initial_rate == 0 || plan.initial_rate >= kLeastStageRate) return;
  throw ConfigError("initial_rate", "must be at least 2^-128, the lowest rate of a stage, got " +
                                        to_string(ParamValue(plan.initial_rate)));
}

Params params_of(const ScalableSettings& settings) {
  const StagePlan& plan = settings.plan;
  Params params = {
      {"slice_sizing", plan.slice_sizing == SliceSizing::kTight ? "tight" : "half_fill"},
      {"tightening_ratio", plan.tightening_ratio},
      {"growth_factor", plan.growth_factor},
      {"initial_capacity", static_cast<double>(plan.initial_capacity)},
      {"stage_change", settings.stage_change == StageChange::kCount ? "count" : "fill"},
      {"insert_policy", settings.insert_policy == InsertPolicy::kBlind ? "blind" : "check_first"}};
  switch (plan.error_schedule) {
    case ErrorSchedule::kGeometric:
      params.emplace("error_schedule", "geometric");
      if (plan.initial_rate > 0) params.emplace("initial_rate", plan.initial_rate);
      break;
    case ErrorSchedule::kQuadratic:
      params.emplace("error_schedule", "quadratic");
      break;
    case ErrorSchedule::kHorizon:
      params.emplace("error_schedule", "horizon");
      params.emplace("max_capacity", static_cast<double>(plan.max_capacity));
      break;
  }
  if (plan.stages == StageKind::kBlocked) params.emplace("stages", "blocked");
  if (plan.stages == StageKind::kLanes) params.emplace("stages", "lanes");
  return params;
}

}  // namespace bloometry
