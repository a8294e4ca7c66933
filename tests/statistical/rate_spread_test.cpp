// Compares two measured statistics with exact values. The first statistic is the variance of the
// rate between filters of one configuration (theory 9.3). The second statistic is the number of
// counters that become stuck under churn (theory 3.2). Each of 31 assertions estimates the standard
// error from its sample.

#include <cmath>
#include <string>
#include <vector>

#include "core/theory/counter_churn.hpp"
#include "tests/statistical/false_alarm.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/digests.hpp"
#include "tests/support/test_seed.hpp"
#include "variants/counting/counting_filter.hpp"
#include "variants/registry/registry.hpp"
#include "variants/registry/theory_registry.hpp"

namespace bloometry {
namespace {

double mean_of(const std::vector<double>& values) {
  double sum = 0.0;
  for (const double value : values) sum += value;
  return sum / static_cast<double>(values.size());
}

/// Returns the standardised deviation z of the sample's mean, computed with the standard deviation
/// of the sample.
double z_of_mean(const std::vector<double>& values, double expected) {
  const double mean = mean_of(values);
  double squares = 0.0;
  for (const double value : values) squares += (value - mean) * (value - mean);
  const double size = static_cast<double>(values.size());
  return (mean - expected) / std::sqrt(squares / (size - 1.0) / size);
}

/// Returns the rate given the state of a filter with the n members of the given seed.
double rate_of_a_filter(const std::string& variant, const std::string& probes,
                        const FilterSpec& spec, std::uint64_t n, std::uint64_t seed) {
  AnyFilter filter = make_filter(variant, probes, spec);
  filter.insert(std::span<const Digest>(test::member_digests(n, seed)));
  return filter.state().conditional_false_positive_rate;
}

/// Checks the mean and the variance of the rate over filters against theory.
void check_spread(const std::string& variant, const FilterSpec& spec, std::uint64_t n,
                  std::uint64_t num_filters, const std::string& probes = "independent") {
  const std::uint64_t seed = test::test_seed();
  const VariantInfo& info = find_variant(variant);
  const Prediction prediction = find_theory(variant).predict(spec, info.scheme(probes).model, n);
  REQUIRE(prediction.exact.has_value());
  REQUIRE(prediction.rate_stddev.has_value());
  std::vector<double> rates;
  std::vector<double> squared_deviations;  // from the exact mean, hence unbiased
  for (std::uint64_t i = 0; i < num_filters; ++i) {
    rates.push_back(rate_of_a_filter(variant, probes, spec, n, seed + i));
    const double deviation = rates.back() - *prediction.exact;
    squared_deviations.push_back(deviation * deviation);
  }
  const double variance = *prediction.rate_stddev * *prediction.rate_stddev;
  // z_of_mean() returns the studentised mean z of N squared deviations, whose skewness is g. The
  // lower tail of z is the normal tail times e^(g z^3/(3 sqrt N)) (first Edgeworth term). The
  // factor is 90 for g = 5 and z = 7, so the threshold is divided by a thousand.
  const double limit = statistics::two_sided_z(test::rejection_threshold() / 1000);
  CAPTURE(variant, *prediction.exact, mean_of(rates), variance, mean_of(squared_deviations), seed);
  CHECK(std::abs(z_of_mean(rates, *prediction.exact)) < limit);
  CHECK(std::abs(z_of_mean(squared_deviations, variance)) < limit);
}

}  // namespace

TEST_CASE("variable_increment: the rates of filters vary as the chain over 2k probes predicts",
          "[statistical]") {
  check_spread("variable_increment", {.num_counters = 300, .num_hashes = 4}, 80, 16000);
}

TEST_CASE("scalable: the rates of filters vary as the product over stages predicts",
          "[statistical]") {
  const FilterSpec spec{.target_false_positive_rate = 0.2,
                        .params = {{"initial_capacity", 20.0},
                                   {"tightening_ratio", 0.5},
                                   {"stage_change", std::string("count")},
                                   {"insert_policy", std::string("blind")}}};
  check_spread("scalable", spec, 130, 16000);
}

TEST_CASE("age_partitioned: the rates of filters vary as the second moments of runs predict",
          "[statistical]") {
  // After 20 inserts, some slices have been written in one generation only. After 96 inserts, all
  // slices have been cleared, and the newest generation is full.
  const FilterSpec spec{.num_bits = 6 * 50,
                        .num_hashes = 3,
                        .params = {{"generations", 3.0}, {"generation_capacity", 12.0}}};
  check_spread("age_partitioned", spec, 20, 16000);
  check_spread("age_partitioned", spec, 96, 16000);
}

TEST_CASE(
    "scalable: the rates of filters with stages of blocks vary as the sum over blocks predicts",
    "[statistical]") {
  const std::string stages = GENERATE(as<std::string>(), "blocked", "lanes");
  const FilterSpec spec{.target_false_positive_rate = 0.2,
                        .params = {{"initial_capacity", 200.0},
                                   {"tightening_ratio", 0.5},
                                   {"stages", stages},
                                   {"stage_change", std::string("count")},
                                   {"insert_policy", std::string("blind")}}};
  check_spread("scalable", spec, 1300, 16000, "remix");
}

TEST_CASE("rotating: the rates of filters vary as the product over generations predicts, per phase",
          "[statistical]") {
  // Before the first rotation, at the start and at the end of a generation at steady state.
  constexpr std::uint64_t kCapacity = 20;
  const std::uint64_t n = GENERATE(std::uint64_t{15}, 5 * kCapacity + 1, 6 * kCapacity);
  const std::string generation = GENERATE(as<std::string>(), "standard", "blocked", "lanes");
  FilterSpec spec{.num_bits = 4 * 100,
                  .num_hashes = generation == "lanes" ? 8U : 3U,
                  .params = {{"generation", generation},
                             {"generation_capacity", double{kCapacity}},
                             {"generations", 4.0}}};
  if (generation != "standard") spec.num_bits = 4 * 2 * 512;
  check_spread("rotating", spec, n, 16000, "remix");
}

TEST_CASE("counting: churn saturates as many counters as the one-counter chain predicts",
          "[statistical]") {
  // The filters have two-bit counters and 200 keys. Each of 400 rounds erases a key and inserts a
  // new key. After the churn, 4.5 times as many counters are saturated as after plain inserts.
  const std::uint64_t seed = test::test_seed();
  constexpr std::uint64_t kKeys = 200;
  constexpr std::uint64_t kRounds = 400;
  const FilterSpec spec{.num_counters = 1000, .num_hashes = 4, .params = {{"counter_bits", 2.0}}};
  const double expected = theory::expected_stuck_counters(kKeys, 1000, 4, 3, kRounds);
  std::vector<double> num_stuck;
  for (std::uint64_t i = 0; i < 400; ++i) {
    BasicCountingFilter<IndependentProbes> filter(spec);
    auto keys = test::member_digests(kKeys + kRounds, seed + i);
    for (std::uint64_t key = 0; key < kKeys; ++key) filter.insert(keys[key]);
    for (std::uint64_t round = 0; round < kRounds; ++round) {
      const std::uint64_t chosen = keys[kKeys + round].hi % kKeys;  // index chosen by the new key
      REQUIRE(filter.erase(keys[chosen]));
      keys[chosen] = keys[kKeys + round];
      filter.insert(keys[chosen]);
    }
    num_stuck.push_back(static_cast<double>(*filter.state().num_saturated));
  }
  CAPTURE(expected, mean_of(num_stuck), seed);
  CHECK(std::abs(z_of_mean(num_stuck, expected)) <
        statistics::two_sided_z(test::rejection_threshold()));
}

}  // namespace bloometry
