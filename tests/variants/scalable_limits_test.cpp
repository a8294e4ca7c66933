#include "variants/scalable/scalable_limits.hpp"

#include <cmath>

#include "core/error.hpp"
#include "tests/support/catch.hpp"

using namespace bloometry;

TEST_CASE("scalable limits: the error rates of every schedule sum to P", "[variants][scalable]") {
  for (const double p : {0.3, 0.01, 1e-9}) {
    StagePlan plan;
    plan.target_rate = p;
    SECTION("geometric, P = " + std::to_string(p)) {
      plan.tightening_ratio = GENERATE(0.1, 0.5, 0.9, 0.999);
      CHECK(rate_limits(plan).sum == Approx(p).epsilon(1e-12));
    }
    SECTION("quadratic, P = " + std::to_string(p)) {
      plan.error_schedule = ErrorSchedule::kQuadratic;
      CHECK(rate_limits(plan).sum == Approx(p).epsilon(1e-12));
    }
    SECTION("horizon, P = " + std::to_string(p)) {
      plan.error_schedule = ErrorSchedule::kHorizon;
      plan.max_capacity = 123'456;
      CHECK(rate_limits(plan).sum == Approx(p).epsilon(1e-12));
    }
    CHECK(rate_limits(plan).compound < p);
  }
}

TEST_CASE("scalable limits: the compound rate is the product over the stages",
          "[variants][scalable]") {
  StagePlan plan;
  plan.target_rate = 0.3;
  SECTION("geometric") {
    CHECK(rate_limits(plan).compound < 0.3);
  }
  SECTION("quadratic") {
    plan.error_schedule = ErrorSchedule::kQuadratic;
  }
  SECTION("horizon") {
    plan.error_schedule = ErrorSchedule::kHorizon;
    plan.max_capacity = 100'000;
  }
  double log_none = 0.0;
  double rest = 0.0;
  const unsigned num_stages = 100'000;
  for (unsigned i = 0; i < num_stages; ++i) log_none += std::log1p(-stage_error_rate(plan, i));
  // For the quadratic schedule, the rest is sum_{i > N} P 6/(pi^2 i^2) ~ P 6/(pi^2 N).
  if (plan.error_schedule == ErrorSchedule::kQuadratic) rest = 0.3 * 0.6079271 / num_stages;
  CHECK(rate_limits(plan).compound == Approx(-std::expm1(log_none - rest)).epsilon(1e-10));
}

TEST_CASE("scalable limits: schedules whose sum hardly converges are refused",
          "[variants][scalable]") {
  StagePlan plan;
  plan.tightening_ratio = 1 - 0x1p-53;
  CHECK_THROWS_AS(rate_limits(plan), ConfigError);
  plan.tightening_ratio = 0.5;
  plan.target_rate = 1e-295;  // reaches the limit 1e-300 before the rest is negligible
  CHECK_THROWS_AS(rate_limits(plan), ConfigError);
}

TEST_CASE("scalable limits: P0 = P exceeds the bound by the factor 1/(1-r)",
          "[variants][scalable]") {
  StagePlan plan;
  plan.tightening_ratio = 0.9;
  plan.initial_rate = plan.target_rate;
  CHECK(rate_limits(plan).sum == Approx(10 * plan.target_rate).epsilon(1e-12));
}
