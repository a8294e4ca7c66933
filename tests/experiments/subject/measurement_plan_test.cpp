#include "experiments/subject/measurement_plan.hpp"

#include "core/statistics/total_positives_test.hpp"
#include "core/theory/rate_law.hpp"
#include "tests/support/catch.hpp"

using namespace bloometry;

TEST_CASE("measurement plan: detects its deviation with the planned power", "[subject]") {
  struct Point {
    std::uint64_t n;
    std::uint64_t m;
    unsigned k;
  };

  for (const auto& [n, m, k] : {Point{10, 96, 7}, Point{100, 959, 7}, Point{1000, 2900, 2},
                                Point{10'000, 95'851, 7}, Point{1'000'000, 9'585'059, 7}}) {
    for (const double deviation : {0.1, 0.3}) {
      const auto rates = theory::rate_law(ProbeModel::kWithReplacement, n, m, k);
      const MeasurementGoal goal{.deviation = deviation};
      const MeasurementPlan plan = plan_measurement(rates, goal, {}, {});
      const auto [below, above] =
          statistics::TotalPositivesTest(rates, plan.num_filters, plan.num_queries)
              .detected(goal.false_alarm, goal.miss);
      INFO("(" << n << ", " << m << ", " << k << ") " << deviation << ": " << plan.num_filters
               << " filters of " << plan.num_queries);
      // The plan's closed form omits third moments (a few per cent of the deviation) and rounds up
      // to two digits. The detectable deviation exceeds the requested deviation by at most a sixth.
      CHECK(above - 1 < deviation * 7 / 6);
      CHECK(1 - below < deviation * 7 / 6);
      CHECK(above - 1 > deviation / 2);  // the plan is not far larger than necessary
      CHECK(plan.num_filters >= 2);
      CHECK(plan.reaches_goal());
    }
  }
}

TEST_CASE("measurement plan: given numbers are kept, and the number of queries is limited",
          "[subject]") {
  const auto rates = theory::rate_law(ProbeModel::kWithReplacement, 1000, 50'000, 20);
  const MeasurementPlan given = plan_measurement(rates, {}, 7, 11);
  CHECK(given.num_filters == 7);
  CHECK(given.num_queries == 11);
  CHECK_FALSE(given.reaches_goal());
  const MeasurementPlan capped = plan_measurement(rates, {}, {}, {});
  CHECK(capped.num_filters * capped.num_queries <= 21'000'000);  // 2e7, rounded up to two digits
}
