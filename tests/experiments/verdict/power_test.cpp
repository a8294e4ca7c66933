// Tests the power of verify: the tests must detect planted defects as often as predicted. The test
// cases cover three defects; tests/statistical/README.md lists all defects. The file contains 8
// assertions with the false-alarm probability in false_alarm.hpp.

#include <cmath>
#include <string>

#include "core/statistics/binomial_interval.hpp"
#include "tests/experiments/verdict/planted_filters.hpp"
#include "tests/statistical/false_alarm.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/test_seed.hpp"

using namespace bloometry;
using namespace bloometry::test;

namespace {

constexpr std::uint64_t kNumFilters = 100;

void check_share(const std::string& what, double predicted, std::uint64_t num_found) {
  const auto interval = statistics::clopper_pearson(num_found, kNumFilters, rejection_threshold());
  CAPTURE(what, predicted, num_found, test_seed());
  CHECK(predicted >= interval.lower);
  CHECK(predicted <= interval.upper);
}

PowerCounts counts_of(const std::string& name) {
  return count_found(planted_defect(name), kNumFilters, test_seed());
}

}  // namespace

TEST_CASE("power: twice the rate is detected as often as predicted", "[verdict][statistical]") {
  const PowerCounts counts = counts_of("rate x 2");
  CHECK(counts.predicted_by_false_positives == Approx(0.99).margin(0.01));
  check_share("false positives", counts.predicted_by_false_positives,
              counts.num_by_false_positives);
  CHECK(counts.num_by_fill == 0);  // the bits are correct
}

TEST_CASE(
    "power: 10 % of unused bits are detected by false positives and fill as often as predicted",
    "[verdict][statistical]") {
  const PowerCounts counts = counts_of("10 % of m unused");
  CHECK(counts.num_by_histogram == kNumFilters);
  check_share("false positives", counts.predicted_by_false_positives,
              counts.num_by_false_positives);
  check_share("fill", *counts.predicted_by_fill, counts.num_by_fill);
}

TEST_CASE("power: one decrement in 10^4 that is missing is detected after all keys are erased",
          "[verdict][statistical]") {
  const PowerCounts counts = counts_of("1 decrement in 10^4 forgotten, all erased");
  CHECK(*counts.predicted_by_fill == Approx(0.99).margin(0.005));
  check_share("fill", *counts.predicted_by_fill, counts.num_by_fill);
}
