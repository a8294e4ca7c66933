// Compares age-partitioned filters with theory at every phase of their generations. Both assertions
// have the false-alarm probability in false_alarm.hpp, divided by the number of phases.

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "core/statistics/binomial_test.hpp"
#include "core/statistics/significance.hpp"
#include "tests/statistical/false_alarm.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/digests.hpp"
#include "tests/support/test_seed.hpp"
#include "variants/age_partitioned/age_partitioned_filter.hpp"
#include "variants/age_partitioned/age_partitioned_theory.hpp"

namespace bloometry {
namespace {

/// Returns the spec of a filter with (k, l) = (7, 5) whose slices become half full.
FilterSpec half_full_age_spec(double generation_capacity) {
  const AgeShape shape{7, 5, static_cast<std::uint64_t>(generation_capacity),
                       static_cast<std::uint64_t>(7 * generation_capacity / std::log(2.0))};
  return {.num_bits = shape.num_bits(),
          .num_hashes = 7,
          .params = {{"generations", 5.0}, {"generation_capacity", generation_capacity}}};
}

}  // namespace

TEST_CASE("age_partitioned: the mean rate of 1000 filters follows theory at every phase",
          "[statistical]") {
  // 480 inserts write the oldest slice, and 40 more are a whole generation at steady state. The
  // first 80 inserts are left out, because the rate is skewed.
  constexpr std::uint64_t kFirst = 80;
  constexpr std::uint64_t kLast = 520;
  constexpr std::uint64_t kNumFilters = 1000;
  const FilterSpec spec = half_full_age_spec(40);
  const std::uint64_t seed = test::test_seed();
  std::vector<double> sums(kLast + 1);
  for (std::uint64_t i = 0; i < kNumFilters; ++i) {
    BasicAgePartitionedFilter<IndependentProbes> filter(spec);
    const auto keys = test::member_digests(kLast, seed + i);
    for (std::uint64_t n = 1; n <= kLast; ++n) {
      filter.insert(keys[n - 1]);
      if (n >= kFirst) sums[n] += filter.state().conditional_false_positive_rate;
    }
  }
  double largest = 0;
  for (std::uint64_t n = kFirst; n <= kLast; ++n) {
    const Prediction prediction = AgePartitionedTheory::predict(spec, ProbeModel::kPartitioned, n);
    const double stddev = *prediction.rate_stddev / std::sqrt(double{kNumFilters});
    const double z = (sums[n] / kNumFilters - *prediction.exact) / stddev;
    largest = std::max(largest, std::abs(z));
  }
  // The skewness of the rate of a filter is below 2. At z = 8, the tail of the mean of N filters is
  // therefore at most e^(2 z^3 / (6 sqrt N)) = 220 times the normal tail (first Edgeworth term), so
  // the threshold is divided by 1000.
  const double threshold = test::rejection_threshold() / (kLast - kFirst + 1);
  CAPTURE(largest, seed);
  CHECK(largest < statistics::two_sided_z(threshold / 1000));
}

TEST_CASE("age_partitioned: false positives given the state are binomial at every phase",
          "[statistical]") {
  constexpr std::uint64_t kPhases = 20;
  constexpr std::uint64_t kQueries = 100'000;
  const FilterSpec spec = half_full_age_spec(1000);
  const std::uint64_t seed = test::test_seed();
  AgePartitionedFilter filter(spec);
  const auto keys = test::member_digests(15'000, seed);
  auto insert_up_to = [&, next = std::size_t{0}](std::size_t last) mutable {
    for (; next < last; ++next) filter.insert(keys[next]);
  };
  insert_up_to(14'000);  // each slice has been cleared
  double least = 1;
  for (std::uint64_t phase = 1; phase <= kPhases; ++phase) {
    insert_up_to(14'000 + phase * 1000 / kPhases);
    const double rate = filter.state().conditional_false_positive_rate;
    std::uint64_t num_positives = 0;
    for (const Digest& key : test::digests(1 + 2 * kQueries * phase, 2, kQueries, seed)) {
      num_positives += filter.contains(key) ? 1 : 0;
    }
    least = std::min(least, statistics::binomial_two_sided_p_value(num_positives, kQueries, rate));
  }
  CAPTURE(least, seed);
  CHECK(least > test::rejection_threshold() / kPhases);
}

}  // namespace bloometry
