#pragma once

#include <cstdint>

namespace bloometry {

/// The kind of the stages of a scalable filter.
enum class StageKind {
  kPartitioned,  ///< k_i equal slices with one probe in each slice, as in the paper
  kBlocked,      ///< blocks of one cache line, with all k_i probes of a key in one block
  kLanes,        ///< blocks of one cache line, with one probe in each of the 8 words of a block
};

/// The schedules that divide the target rate P of a scalable filter among its stages (theory 4).
enum class ErrorSchedule {
  /// P_i = P0 r^i with P0 = P(1-r). Each stage needs about log2(1/r)/ln 2 more bits per key than
  /// the previous stage, so the memory per key is unbounded.
  kGeometric,
  /// P_i = P 6/(pi^2 (i+1)^2). The quadratic schedule needs O(log log n) extra bits per key.
  kQuadratic,
  /// P_i is proportional to n_i up to max_capacity keys. The horizon schedule needs the fewest bits
  /// if a bound on the number of keys is known.
  kHorizon,
};

/// The rules that determine the slice length of a partitioned stage.
enum class SliceSizing {
  /// w = ceil(n_i / ln 2) and k_i = ceil(log2(1/P_i)), as in the paper. If k_i would exceed
  /// kMaxNumHashes, k_i is kMaxNumHashes, and w is the smallest w of kTight for this k.
  kHalfFill,
  kTight,  ///< smallest k w with (1-(1-1/w)^n_i)^k <= P_i, about 6 % below kHalfFill
};

/// The parameters from which the stages of a scalable filter are computed (Almeida, Baquero,
/// Preguica, Hutchison 2007).
struct StagePlan {
  double target_rate = 0.01;              // P, target rate of the filter with all stages
  std::uint64_t initial_capacity = 1000;  // n_0 keys
  double growth_factor = 2.0;             // s >= 1, not necessarily an integer
  double tightening_ratio = 0.5;          // r in (0, 1); for geometric, and for horizon past N
  ErrorSchedule error_schedule = ErrorSchedule::kGeometric;
  SliceSizing slice_sizing = SliceSizing::kHalfFill;
  double initial_rate = 0.0;       // P_0 of geometric; 0 selects P(1-r), which keeps the bound P
  std::uint64_t max_capacity = 0;  // for horizon: the bound N on the number of keys
  double horizon_share = 0.5;      // share of P for keys within N; see stage_error_rate
  StageKind stages = StageKind::kPartitioned;
};

/// Lowest rate P_i of a stage. Digests have 128 bits, so the digests of two keys are equal with
/// probability 2^-128, and no stage can have a lower rate. A schedule reaches the lowest rate after
/// hundreds of stages, or with a target rate near 2^-128.
inline constexpr double kLeastStageRate = 0x1p-128;

/// Largest k of a stage in a file. The value is the largest k that version 0.1.0 wrote, which did
/// not limit k: ceil(log2(1/P_i)) for the smallest double P_i, plus 2 with SliceSizing::kTight.
inline constexpr unsigned kMaxStoredHashes = 1076;

/// Number of bits per block in a stage of blocks; a block is one cache line.
inline constexpr unsigned kStageBlockBits = 512;

/// Stage i of a plan, for `capacity` keys at the rate `error_rate`. A partitioned stage has
/// num_hashes slices of slice_bits bits. A stage of blocks has num_blocks blocks, and the
/// num_hashes probes of a key are in one block.
struct ScalableStage {
  std::uint64_t capacity = 0;    // n_i
  double error_rate = 0.0;       // P_i
  unsigned num_hashes = 0;       // k_i
  std::uint64_t slice_bits = 0;  // w_i; 0 for a stage of blocks
  std::uint64_t num_blocks = 0;  // b_i; 0 for a partitioned stage

  std::uint64_t num_bits() const { return num_hashes * slice_bits + num_blocks * kStageBlockBits; }
};

/// Checks the plan.
/// @throws ConfigError if a field is out of range. The error message names the field, its value and
/// the allowed values.
void validate_stage_plan(const StagePlan& plan);

namespace stage_detail {

/// The position of a stage relative to the horizon of N keys.
struct HorizonPosition {
  std::uint64_t keys_before = 0;   // total capacity of all earlier stages, at most N
  unsigned stages_past_bound = 0;  // number of earlier stages that begin at or past N

  /// Advances from stage `index` to the next stage.
  void advance(const StagePlan& plan, unsigned index);
};

/// Returns the smallest w with (1-(1-1/w)^n)^k <= rate. With f = rate^(1/k), the inequality is
/// equivalent to 1/w <= 1 - (1-f)^(1/n).
double least_slice_bits(std::uint64_t capacity, double rate, unsigned num_hashes);

std::uint64_t capacity_at(const StagePlan& plan, unsigned index, const HorizonPosition& position);

/// Returns the rate of the schedule, at least kLeastStageRate.
double error_rate_at(const StagePlan& plan, unsigned index, const HorizonPosition& position);

}  // namespace stage_detail

/// Returns n_i = llround(n_0 s^i), the capacity of stage i = index. With a horizon of N keys, the
/// stage that would raise the total capacity above N is shortened, so that the total capacity is N.
std::uint64_t stage_capacity(const StagePlan& plan, unsigned index);

/// Returns P_i for i = index. With a horizon of N keys, P_i is share * P * n_i/N up to N keys, and
/// (P/2)(1-r) r^j for stage j past N. With the default share of 1/2, the sum of P_i never exceeds P
/// for any number of keys. With a share of 1, the bound is P up to N keys, and 3P/2 past N.
/// Compared with 1/2, a share of 1 saves 1.44 bits per key. P_i is at least kLeastStageRate.
double stage_error_rate(const StagePlan& plan, unsigned index);

/// Returns ceil(log2(1/rate) - 1e-9), at least 1. The term 1e-9 prevents exact powers of two from
/// being rounded up.
unsigned half_fill_num_hashes(double rate);

namespace stage_detail {

/// Sets the k and the slice length that need the fewest bits for the stage's capacity and rate,
/// with k at most kMaxNumHashes.
void size_tight_slices(ScalableStage& stage);

}  // namespace stage_detail

/// Returns stage `index` of the plan, which must be valid. Cost: O(index) with a horizon, otherwise
/// O(log2(1/P_i)). A blocked stage also needs a search for its size.
/// @throws ConfigError if the stage would hold more than 2^62 keys, or if the stage needs more than
/// 2^62 bits (a stage of blocks: 2^57 bits).
ScalableStage plan_stage(const StagePlan& plan, unsigned index);

/// The stages of a plan in order. They equal the results of plan_stage, but computing the next one
/// costs O(1) even with a horizon. If it equals the previous one, the class does not compute it
/// again.
class StageSequence {
 public:
  explicit StageSequence(const StagePlan& plan) : plan_(plan) {}

  /// Returns the next stage; the first call returns stage 0.
  /// @throws ConfigError if plan_stage throws for the stage.
  ScalableStage next();

 private:
  StagePlan plan_;
  unsigned index_ = 0;
  stage_detail::HorizonPosition position_;
  ScalableStage last_;
};

/// Returns the total number of bits of the stages that num_keys keys fill in order. The result
/// includes at least the first stage. The function counts at most 10^4 stages.
/// @throws ConfigError if plan_stage throws for a stage, or if the sum exceeds 2^62 bits.
std::uint64_t num_bits_of_stages(const StagePlan& plan, std::uint64_t num_keys);

/// Throws the error of a filter that already has the largest number of stages.
[[noreturn]] void refuse_stages(std::uint64_t max_stages);

/// Returns the maximum fill ratio of a partitioned stage with StageChange::kFill. The maximum is
/// 1/2, or P_i^(1/k_i) if 2^-k_i > P_i. Up to the maximum, the product of the fill ratios of the
/// slices is at most P_i (mean inequality).
double max_slice_fill(const StagePlan& plan, const ScalableStage& stage);

}  // namespace bloometry
