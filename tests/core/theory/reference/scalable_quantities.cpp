#include "core/theory/growing_rate.hpp"
#include "tests/core/theory/reference/reference_record.hpp"
#include "tests/support/reference/classic_sizing.hpp"
#include "variants/scalable/scalable_limits.hpp"
#include "variants/scalable/scalable_stages.hpp"

namespace bloometry::test::reference {
namespace {

StagePlan plan_of(const json& p) {
  StagePlan plan;
  plan.target_rate = p.at("P").get<double>();
  plan.tightening_ratio = p.at("r").get<double>();
  plan.growth_factor = p.at("s").get<double>();
  plan.initial_capacity = p.at("n0").get<std::uint64_t>();
  return plan;
}

ScalableStage stage_of(const json& p) {
  return plan_stage(plan_of(p), p.at("stage").get<unsigned>());
}

theory::GrowthState growth_of(const json& p) {
  const auto plan = plan_of(p);
  return theory::exact_growth(n_of(p), [plan](unsigned index) {
    const auto stage = plan_stage(plan, index);
    return theory::Stage{stage.capacity, stage.error_rate, stage.num_hashes, stage.slice_bits};
  });
}

double total_bits_of(const json& p) {
  double bits = 0.0;
  for (unsigned i = 0; i < growth_of(p).num_stages; ++i) {
    bits += static_cast<double>(plan_stage(plan_of(p), i).num_bits());
  }
  return bits;
}

double bits_over_plain(const json& p) {
  return total_bits_of(p) / theory::continuous_num_bits(n_of(p), p.at("P").get<double>());
}

/// Returns the compound rate. The reference computed 1 - prod(1 - f_i) with 80 digits. One record
/// (P = 1e-6, n = 1) therefore contains 0 instead of 2.2e-96. Rates below 1e-80 therefore count as
/// 0.
double compound_rate_of(const json& p) {
  const double rate = growth_of(p).rate;
  return rate < 1e-80 ? 0.0 : rate;
}

// Tolerance for 350 stages at r = 0.9. The increasing sum of mostly small terms has 350 rounding
// errors, and each r^i has a rounding error.
constexpr double kSeries = 2e-14;

}  // namespace

Quantities scalable_quantities() {
  return {
      {"scalable//stage_k",
       with_tolerance(kExactInteger, [](const json& p) { return stage_of(p).num_hashes; })},
      {"scalable//stage_slice_bits",
       with_tolerance(kExactInteger, [](const json& p) { return stage_of(p).slice_bits; })},
      {"scalable//total_bits", with_tolerance(kExactInteger, total_bits_of)},
      {"scalable//bits_ratio_to_plain_bloom", with_tolerance(kClosed, bits_over_plain)},
      {"scalable//fpr_exact_compound", with_tolerance(kChain, compound_rate_of)},
      {"scalable//compound_bound_limit",
       with_tolerance(kSeries, [](const json& p) { return rate_limits(plan_of(p)).sum; })},
      {"scalable//compound_nominal_limit",
       with_tolerance(kSeries, [](const json& p) { return rate_limits(plan_of(p)).compound; })},
  };
}

}  // namespace bloometry::test::reference
