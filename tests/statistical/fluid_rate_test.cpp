// Tests the fluid recurrence, which gives the expected rate of scalable filters without an exact
// formula. The header of the recurrence states an error of at most 0.3 % for stages of a thousand
// keys. The test covers every policy, the middle and the end of a stage, and stages with slices and
// with blocks. The file contains 18 assertions with the false-alarm probability in false_alarm.hpp.

#include <cmath>
#include <string>

#include "core/statistics/significance.hpp"
#include "tests/statistical/false_alarm.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/digests.hpp"
#include "tests/support/test_seed.hpp"
#include "variants/scalable/scalable_filter.hpp"
#include "variants/scalable/scalable_theory.hpp"

namespace bloometry {
namespace {

constexpr int kNumFluidRuns = 200;

struct Mean {
  double value = 0;
  double standard_error = 0;
};

/// Returns the mean over filters of the rate given the state, at num_keys keys. The filters have
/// disjoint keys.
Mean mean_rate(const FilterSpec& spec, std::uint64_t num_keys, std::uint64_t seed) {
  double sum = 0;
  double sum_of_squares = 0;
  for (std::uint64_t i = 0; i < kNumFluidRuns; ++i) {
    ScalableFilter filter(spec);
    for (const Digest& key : test::digests(i * num_keys, 1, num_keys, seed)) filter.insert(key);
    const double rate = filter.state().conditional_false_positive_rate;
    sum += rate;
    sum_of_squares += rate * rate;
  }
  const double mean = sum / kNumFluidRuns;
  return {mean, std::sqrt((sum_of_squares / kNumFluidRuns - mean * mean) / (kNumFluidRuns - 1))};
}

}  // namespace

TEST_CASE("scalable: the fluid rate is within 0.3 % of simulation", "[statistical]") {
  const std::string stages = GENERATE(as<std::string>(), "partitioned", "blocked", "lanes");
  // The mean of 200 bounded rates is assumed to be normal. The tolerance of 0.3 % is many standard
  // errors of this mean.
  const std::uint64_t seed = test::test_seed();
  const double z = statistics::two_sided_z(test::rejection_threshold());
  for (const auto& [insert_policy, stage_change] :
       {std::pair("check_first", "fill"), std::pair("blind", "fill"),
        std::pair("check_first", "count")}) {
    const FilterSpec spec{.target_false_positive_rate = 0.1,
                          .params = {{"initial_capacity", 1000.0},
                                     {"tightening_ratio", 0.5},
                                     {"insert_policy", std::string(insert_policy)},
                                     {"stage_change", std::string(stage_change)},
                                     {"stages", stages}}};
    for (const std::uint64_t num_keys : {5000U, 7000U}) {
      const double fluid =
          Theory<ScalableFilter>::expected_rate(spec, ProbeModel::kPartitioned, num_keys);
      const Mean simulated = mean_rate(spec, num_keys, seed);
      CAPTURE(stages, insert_policy, stage_change, num_keys, fluid, simulated.value,
              simulated.standard_error, seed);
      CHECK(std::abs(simulated.value - fluid) <= 0.003 * fluid + z * simulated.standard_error);
    }
  }
}

}  // namespace bloometry
