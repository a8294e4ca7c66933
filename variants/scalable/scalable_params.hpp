#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "core/contract/filter_spec.hpp"
#include "core/contract/params.hpp"
#include "variants/scalable/scalable_stages.hpp"

namespace bloometry {

/// The criterion that determines whether the newest stage of a scalable filter is full.
enum class StageChange {
  /// The stage is full if one more key could raise the fill above max_slice_fill (in a stage of
  /// blocks: the rate given the state above P_i). This criterion guarantees the rate of every
  /// filter.
  kFill,
  /// The stage is full if it has stored n_i keys. The criterion kCount guarantees the rate in
  /// expectation.
  kCount,
};

enum class InsertPolicy {
  kCheckFirst,  ///< an insert does not store a key that tests positive
  kBlind,       ///< an insert stores every key, as the formulas assume
};

/// All settings of a scalable filter.
struct ScalableSettings {
  StagePlan plan;
  StageChange stage_change = StageChange::kFill;
  InsertPolicy insert_policy = InsertPolicy::kCheckFirst;
  std::optional<double> max_fill{};  ///< limit of the fill ratio that state() reports (FilterSpec)
};

/// Largest capacity of the first stage. Parameters are doubles, which represent every integer up to
/// 2^53.
inline constexpr std::uint64_t kMaxInitialCapacity = std::uint64_t{1} << 53U;

inline constexpr std::array<ParamInfo, 10> kScalableParams = {
    ParamInfo{.name = "error_schedule",
              .kind = ParamKind::kText,
              .meaning = "how the target rate P is divided among stages; horizon needs the least "
                         "memory if the number of keys has a known bound",
              .choices = "geometric|quadratic|horizon",
              .default_text = "geometric"},
    ParamInfo{.name = "max_capacity",
              .kind = ParamKind::kInteger,
              .meaning = "maximum number of keys of all stages together; required by horizon, "
                         "rejected otherwise",
              .min = 1,
              .max = 0x1p53,
              .has_default = false},
    ParamInfo{.name = "slice_sizing",
              .kind = ParamKind::kText,
              .meaning = "for partitioned stages; half_fill: slices are half full at capacity, as "
                         "in the paper; tight: the least memory for the stage's rate",
              .choices = "half_fill|tight",
              .default_text = "half_fill"},
    ParamInfo{.name = "tightening_ratio",
              .kind = ParamKind::kReal,
              .meaning = "r: stage i + 1 of geometric gets r times the rate of stage i",
              .min = 0.001,
              .max = 0.999,
              .default_number = 0.85},
    ParamInfo{.name = "growth_factor",
              .kind = ParamKind::kReal,
              .meaning = "s: stage i + 1 is planned for s times the keys of stage i",
              .min = 1,
              .max = 1e6,
              .default_number = 2},
    ParamInfo{
        .name = "initial_capacity",
        .kind = ParamKind::kInteger,
        .meaning = "keys of the first stage; default: the requested capacity, otherwise 10000",
        .min = 1,
        .max = double{kMaxInitialCapacity},
        .has_default = false,
        .is_capacity = true},
    ParamInfo{.name = "stage_change",
              .kind = ParamKind::kText,
              .meaning = "criterion for a full stage: its fill or its number of keys",
              .choices = "fill|count",
              .default_text = "fill"},
    ParamInfo{
        .name = "insert_policy",
        .kind = ParamKind::kText,
        .meaning =
            "check_first: a key that tests positive is not stored; blind: every key is stored",
        .choices = "check_first|blind",
        .default_text = "check_first"},
    ParamInfo{.name = "initial_rate",
              .kind = ParamKind::kReal,
              .meaning =
                  "P_0 of geometric, at least 2^-128; the default P (1-r) keeps the bound P; the "
                  "value P, as in some libraries, exceeds the bound by a factor of up to 1/(1-r) "
                  "(for study)",
              .min = 1e-300,  // files of version 0.1.0; require_stage_rate() is stricter
              .max = 0.999,
              .has_default = false},
    // The default value is not written to resolved params. Rows and configs that are older than
    // this parameter therefore still describe the same filters.
    ParamInfo{.name = "stages",
              .kind = ParamKind::kText,
              .meaning = "partitioned: one slice per hash as in the paper, the default; blocked: "
                         "all probes of a key in one cache line of a stage (bit_fields); lanes: "
                         "one in each word of such a line, the fastest",
              .choices = "partitioned|blocked|lanes",
              .has_default = false}};

/// Returns the settings that a spec requests.
/// @throws ConfigError if the spec contains a size or num_hashes, if target_false_positive_rate is
/// missing, if a parameter is unknown or contradicts another, or if the capacity, max_fill or a
/// parameter is out of range.
[[nodiscard]] ScalableSettings scalable_settings(const FilterSpec& spec);

/// Checks initial_rate for a new filter. Files of version 0.1.0 may contain lower rates.
/// @throws ConfigError if initial_rate is below kLeastStageRate, the lowest rate of a stage.
void require_stage_rate(const StagePlan& plan);

/// Returns the parameters of a spec that requests the given settings. The target rate and max_fill
/// of the spec are not among the parameters.
[[nodiscard]] Params params_of(const ScalableSettings& settings);

}  // namespace bloometry
