#include "variants/scalable/scalable_stages.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "core/error.hpp"
#include "core/probe/limits.hpp"
#include "tests/support/catch.hpp"

namespace {

using namespace bloometry;

double stage_rate(const ScalableStage& stage) {
  const double miss = std::log1p(-1.0 / static_cast<double>(stage.slice_bits));
  return std::pow(-std::expm1(static_cast<double>(stage.capacity) * miss), stage.num_hashes);
}

StagePlan plan_with(ErrorSchedule schedule) {
  StagePlan plan{.target_rate = 0.01, .initial_capacity = 10'000};
  plan.error_schedule = schedule;
  plan.max_capacity = 10'200'000;
  return plan;
}

/// Returns the bits per key of a filter whose first num_stages stages are full.
double bits_per_key(const StagePlan& plan, unsigned num_stages) {
  double bits = 0.0;
  double keys = 0.0;
  for (unsigned i = 0; i < num_stages; ++i) {
    const auto stage = plan_stage(plan, i);
    bits += static_cast<double>(stage.num_bits());
    keys += static_cast<double>(stage.capacity);
  }
  return bits / keys;
}

}  // namespace

TEST_CASE("scalable stages: the error rates of every schedule add up to at most P",
          "[variants][scalable]") {
  for (const auto schedule :
       {ErrorSchedule::kGeometric, ErrorSchedule::kQuadratic, ErrorSchedule::kHorizon}) {
    const StagePlan plan = plan_with(schedule);
    double sum = 0.0;
    for (unsigned i = 0; i < 40; ++i) sum += stage_error_rate(plan, i);
    CHECK(sum <= plan.target_rate * (1.0 + 1e-12));
    CHECK(sum > 0.97 * plan.target_rate);
  }
}

TEST_CASE("scalable stages: the horizon gives each stage its share and continues geometrically",
          "[variants][scalable]") {
  StagePlan plan{.target_rate = 0.01, .initial_capacity = 100};
  plan.error_schedule = ErrorSchedule::kHorizon;
  plan.max_capacity = 1000;
  plan.tightening_ratio = 0.5;
  // The capacities are 100, 200, 400 and the remaining 300. After max_capacity, the capacities
  // continue with n_0 2^4.
  CHECK(stage_capacity(plan, 2) == 400);
  CHECK(stage_capacity(plan, 3) == 300);
  CHECK(stage_capacity(plan, 4) == 1600);
  CHECK(stage_error_rate(plan, 0) == Approx(0.005 * 0.1).epsilon(1e-14));
  CHECK(stage_error_rate(plan, 3) == Approx(0.005 * 0.3).epsilon(1e-14));
  CHECK(stage_error_rate(plan, 4) == Approx(0.0025).epsilon(1e-14));
  CHECK(stage_error_rate(plan, 5) == Approx(0.00125).epsilon(1e-14));
}

TEST_CASE("scalable stages: memory per key is that of theory section 4", "[variants][scalable]") {
  // Theory 4 gives one decimal digit for P = 1 %, s = 2 and n0 = 1e4, with full stages
  // (n = 1.02e7 and 6.3e5).
  StagePlan plan = plan_with(ErrorSchedule::kHorizon);
  plan.slice_sizing = SliceSizing::kTight;
  plan.horizon_share = 1.0;
  CHECK(std::abs(bits_per_key(plan, 10) - 12.5) <= 0.05);
  CHECK(std::abs(bits_per_key(plan, 6) - 18.1) <= 0.05);
  plan = plan_with(ErrorSchedule::kQuadratic);
  plan.slice_sizing = SliceSizing::kTight;
  CHECK(std::abs(bits_per_key(plan, 10) - 19.7) <= 0.05);
  CHECK(std::abs(bits_per_key(plan, 6) - 17.2) <= 0.05);
  plan = plan_with(ErrorSchedule::kGeometric);
  plan.slice_sizing = SliceSizing::kTight;
  plan.tightening_ratio = 0.9;
  CHECK(std::abs(bits_per_key(plan, 10) - 16.1) <= 0.05);
  CHECK(std::abs(bits_per_key(plan, 6) - 15.3) <= 0.05);
}

TEST_CASE("scalable stages: tight slices are the shortest that keep the stage's rate",
          "[variants][scalable]") {
  for (const double p : {0.3, 0.01, 1e-6}) {
    for (const std::uint64_t n0 : {1u, 10u, 1000u, 1'000'000u}) {
      StagePlan plan{.target_rate = p, .initial_capacity = n0};
      plan.slice_sizing = SliceSizing::kTight;
      for (unsigned i = 0; i < 5; ++i) {
        auto stage = plan_stage(plan, i);
        INFO("P " << p << ", n0 " << n0 << ", stage " << i);
        CHECK(stage_rate(stage) <= stage.error_rate * (1.0 + 1e-12));
        const auto bits = stage.num_bits();
        --stage.slice_bits;
        if (stage.slice_bits > 0) CHECK(stage_rate(stage) > stage.error_rate * (1.0 - 1e-12));
        for (unsigned k = 1; k <= 40; ++k) {  // other k need as many bits or more
          ScalableStage other{stage.capacity, stage.error_rate, k, (bits - 1) / k};
          if (other.slice_bits > 1) CHECK(stage_rate(other) > stage.error_rate * (1.0 - 1e-12));
        }
      }
    }
  }
}

TEST_CASE("scalable stages: half-full slices keep the stage's rate and hold half at capacity",
          "[variants][scalable]") {
  const StagePlan plan = plan_with(ErrorSchedule::kGeometric);
  for (unsigned i = 0; i < 10; ++i) {
    const auto stage = plan_stage(plan, i);
    CHECK(stage_rate(stage) <= stage.error_rate);
    CHECK(std::pow(stage_rate(stage), 1.0 / stage.num_hashes) == Approx(0.5).epsilon(1e-3));
  }
}

TEST_CASE("scalable stages: exact powers of two are not rounded up", "[variants][scalable]") {
  for (int e = 1; e < 60; ++e) {
    CHECK(half_fill_num_hashes(std::ldexp(1.0, -e)) == static_cast<unsigned>(e));
    CHECK(half_fill_num_hashes(std::ldexp(0.99, -e)) == static_cast<unsigned>(e) + 1);
  }
  CHECK(half_fill_num_hashes(0.9) == 1);
}

TEST_CASE("scalable stages: the growth factor may be a fraction", "[variants][scalable]") {
  StagePlan plan{.target_rate = 0.01, .initial_capacity = 10};
  plan.growth_factor = 1.5;
  CHECK(stage_capacity(plan, 1) == 15);
  CHECK(stage_capacity(plan, 2) == 23);  // 22.5 is rounded away from zero
  plan.growth_factor = 1.0;
  CHECK(stage_capacity(plan, 50) == 10);
}

TEST_CASE("scalable stages: initial_rate replaces P(1-r)", "[variants][scalable]") {
  StagePlan plan{.target_rate = 0.01};
  CHECK(stage_error_rate(plan, 0) == Approx(0.005));
  plan.initial_rate = 0.01;
  CHECK(stage_error_rate(plan, 0) == 0.01);
}

TEST_CASE("scalable stages: impossible plans are refused", "[variants][scalable]") {
  const auto refused = [](auto change) {
    StagePlan plan;
    change(plan);
    CHECK_THROWS_AS(validate_stage_plan(plan), ConfigError);
  };
  CHECK_NOTHROW(validate_stage_plan(StagePlan{}));
  refused([](StagePlan& p) { p.target_rate = 0.0; });
  refused([](StagePlan& p) { p.target_rate = std::nan(""); });
  refused([](StagePlan& p) { p.initial_capacity = 0; });
  refused([](StagePlan& p) { p.growth_factor = 0.99; });
  refused([](StagePlan& p) { p.growth_factor = HUGE_VAL; });
  refused([](StagePlan& p) { p.tightening_ratio = 1.0; });
  refused([](StagePlan& p) { p.initial_rate = 1.0; });
  refused([](StagePlan& p) { p.error_schedule = ErrorSchedule::kHorizon; });
  refused([](StagePlan& p) { p.horizon_share = 0.0; });
  StagePlan plan;
  CHECK_THROWS_AS(plan_stage(plan, 200), ConfigError);
}

TEST_CASE("scalable stages: StageSequence returns the stages of the plan", "[variants][scalable]") {
  StagePlan plan{.target_rate = 0.01, .initial_capacity = 100};
  plan.error_schedule =
      GENERATE(ErrorSchedule::kGeometric, ErrorSchedule::kQuadratic, ErrorSchedule::kHorizon);
  plan.growth_factor = GENERATE(1.0, 1.3);
  plan.max_capacity = 1234;
  plan.slice_sizing = GENERATE(SliceSizing::kHalfFill, SliceSizing::kTight);
  StageSequence sequence(plan);
  for (unsigned i = 0; i < 40; ++i) {
    const ScalableStage next = sequence.next();
    const ScalableStage stage = plan_stage(plan, i);
    INFO("stage " << i);
    CHECK(next.capacity == stage.capacity);
    CHECK(next.error_rate == stage.error_rate);
    CHECK(next.num_hashes == stage.num_hashes);
    CHECK(next.slice_bits == stage.slice_bits);
  }
}

TEST_CASE("scalable stages: tight slices have the fewest bits over all k", "[variants][scalable]") {
  const std::uint64_t capacity = GENERATE(1, 2, 3, 10, 57, 1000, 1'000'000, 1ULL << 53U);
  const double rate = GENERATE(0.99, 0.5, 0.2, 1e-3, 1e-9, 1e-19, 1e-30, 0x1p-128);
  ScalableStage stage{capacity, rate};
  stage_detail::size_tight_slices(stage);
  double least = HUGE_VAL;
  unsigned best = 0;
  for (unsigned k = 1; k <= std::min(half_fill_num_hashes(rate) + 2, kMaxNumHashes); ++k) {
    const double bits = k * stage_detail::least_slice_bits(capacity, rate, k);
    if (bits >= least) continue;
    least = bits;
    best = k;
  }
  INFO("capacity " << capacity << ", rate " << rate);
  CHECK(stage.num_hashes == best);
  CHECK(stage.slice_bits == static_cast<std::uint64_t>(least / best));
}

TEST_CASE("scalable stages: no stage has more than 64 hashes, and each still keeps its rate",
          "[variants][scalable]") {
  StagePlan plan{.target_rate = GENERATE(0.5, 1e-18, 1e-30, 5e-324), .initial_capacity = 1000};
  plan.error_schedule =
      GENERATE(ErrorSchedule::kGeometric, ErrorSchedule::kQuadratic, ErrorSchedule::kHorizon);
  plan.slice_sizing = GENERATE(SliceSizing::kHalfFill, SliceSizing::kTight);
  plan.growth_factor = 1.0;
  plan.max_capacity = 100'000;
  StageSequence stages(plan);
  for (unsigned i = 0; i < 1000; ++i) {
    const ScalableStage stage = stages.next();
    INFO("stage " << i << ", rate " << stage.error_rate);
    REQUIRE(stage.num_hashes <= kMaxNumHashes);
    REQUIRE(stage.error_rate >= kLeastStageRate);
    const bool is_half_full = plan.slice_sizing == SliceSizing::kHalfFill &&
                              half_fill_num_hashes(stage.error_rate) <= kMaxNumHashes;
    if (is_half_full) {
      REQUIRE(stage.slice_bits == 1443);  // ceil(1000 / ln 2), as in the paper
    } else {
      REQUIRE(stage_rate(stage) <= stage.error_rate * (1.0 + 1e-12));
    }
    REQUIRE(std::pow(max_slice_fill(plan, stage), stage.num_hashes) <=
            stage.error_rate * (1.0 + 1e-12));
    // Even the lowest rate needs fewer than 223 bits per key.
    REQUIRE(static_cast<double>(stage.num_bits()) < 223.0 * static_cast<double>(stage.capacity));
  }
}

TEST_CASE("scalable stages: 65 hashes at half fill become 64 hashes in the shortest slices",
          "[variants][scalable]") {
  StagePlan plan{.initial_capacity = 1000};
  plan.initial_rate = 0x1p-64;
  CHECK(plan_stage(plan, 0).num_hashes == 64);
  CHECK(plan_stage(plan, 0).slice_bits == 1443);  // ceil(1000 / ln 2)
  CHECK(max_slice_fill(plan, plan_stage(plan, 0)) == 0.5);
  plan.initial_rate = 0x1p-65;
  ScalableStage stage = plan_stage(plan, 0);
  CHECK(stage.num_hashes == 64);
  CHECK(max_slice_fill(plan, stage) == Approx(std::exp2(-65.0 / 64)).epsilon(1e-14));
  CHECK(stage_rate(stage) <= stage.error_rate);
  --stage.slice_bits;
  CHECK(stage_rate(stage) > stage.error_rate);
}

TEST_CASE("scalable stages: a stage of a file with 65 hashes still closes at half fill",
          "[variants][scalable]") {
  const StagePlan plan;
  CHECK(max_slice_fill(plan, {1000, 0x1p-65, 65, 1443, 0}) == 0.5);
}
