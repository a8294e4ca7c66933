// Tests two results of theory 3.2 and 3.3 about counting filters: the number of saturated counters,
// and the mean loss of members per wrongful erase. Each of the 2 assertions has the false-alarm
// probability in false_alarm.hpp.

#include <cmath>
#include <vector>

#include "core/engine/batch.hpp"
#include "core/statistics/special_functions.hpp"
#include "core/theory/counter_churn.hpp"
#include "core/theory/counter_tails.hpp"
#include "tests/statistical/false_alarm.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/digests.hpp"
#include "tests/support/test_seed.hpp"
#include "variants/counting/counting_filter.hpp"

namespace bloometry {
namespace {

/// Returns the number of members that a filter loses on average per wrongful erase of a key that
/// tests positive.
double mean_members_lost(const CountingFilter& filter, const std::vector<Digest>& members,
                         std::uint64_t num_erases, std::uint64_t seed) {
  std::uint64_t num_done = 0;
  std::uint64_t num_lost = 0;
  for (std::uint64_t item = 1; num_done < num_erases; item += 2) {
    const Digest wrong = test::digest_of_item(item, seed);
    if (!filter.contains(wrong)) continue;
    CountingFilter damaged = filter;
    damaged.erase(wrong);
    num_lost += members.size() - count_positives(damaged, std::span(members));
    ++num_done;
  }
  return static_cast<double>(num_lost) / static_cast<double>(num_done);
}

}  // namespace

TEST_CASE("counting: as many counters saturate at load 8 as the binomial tail predicts",
          "[statistical]") {
  const std::uint64_t seed = test::test_seed();
  const double expected = 10000 * theory::counter_tail_per_position(10000, 10000, 8, 15);
  CHECK(expected == Approx(171.6913541).epsilon(1e-8));  // theory 3.2
  BasicCountingFilter<IndependentProbes> filter({.num_counters = 10000, .num_hashes = 8});
  for (const Digest& key : test::member_digests(10000, seed)) filter.insert(key);
  const auto observed = static_cast<double>(*filter.state().num_saturated);
  // The law is nearly Poisson, but its variance is smaller, so the test is conservative.
  const double p_value = 2 * std::min(statistics::poisson_lower_tail(expected, observed),
                                      statistics::poisson_upper_tail(expected, observed));
  CAPTURE(expected, observed, p_value, seed);
  CHECK(p_value > test::rejection_threshold());
}

TEST_CASE("counting: a wrongful erase loses k L / (e^L - 1) members on average", "[statistical]") {
  // By theory 3.3, the loss is 4.752 members at n = 1000, m = 9586, k = 7; a simulation gave 4.727
  // +- 0.028. The spread between filters is estimated from 100 filters. The error of the Poisson
  // limit is far smaller than the standard error.
  const std::uint64_t seed = test::test_seed();
  constexpr int kNumFilters = 100;
  const double expected = theory::members_lost_per_wrongful_erase(7000.0 / 9586, 7);
  double sum = 0;
  double sum_of_squares = 0;
  for (std::uint64_t i = 0; i < kNumFilters; ++i) {
    const auto members = test::member_digests(1000, seed + i);
    CountingFilter filter({.num_counters = 9586, .num_hashes = 7});
    for (const Digest& key : members) filter.insert(key);
    const double mean = mean_members_lost(filter, members, 10, seed + i);
    sum += mean;
    sum_of_squares += mean * mean;
  }
  const double mean = sum / kNumFilters;
  const double variance = (sum_of_squares - sum * mean) / (kNumFilters - 1);
  const double limit =
      statistics::two_sided_z(test::rejection_threshold()) * std::sqrt(variance / kNumFilters);
  CAPTURE(expected, mean, limit, seed);
  CHECK(std::abs(mean - expected) < limit);
}

}  // namespace bloometry
