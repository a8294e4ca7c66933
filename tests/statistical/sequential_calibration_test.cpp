#include <array>
#include <cmath>
#include <cstdint>
#include <random>
#include <vector>

#include "core/statistics/seed_sequence.hpp"
#include "core/statistics/sequential_test.hpp"
#include "core/statistics/special_functions.hpp"
#include "core/theory/rate_law.hpp"
#include "tests/statistical/false_alarm.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/test_seed.hpp"

using namespace bloometry::statistics;
using Decision = SequentialTest::Decision;

namespace {

constexpr unsigned kNumRuns = 10'000;

std::mt19937_64 generator(std::uint64_t run) {
  return std::mt19937_64(
      bloometry::SeedSequence(bloometry::test::test_seed()).seed("sequential", "test", run));
}

/// Returns the rate given the fill of a filter of 24 bits with 4 keys of 3 probes. The 12 probes
/// fall on independent positions.
double rate_of_tiny_filter(std::mt19937_64& random) {
  std::array<bool, 24> bits{};
  std::uniform_int_distribution<std::size_t> position(0, bits.size() - 1);
  for (int ball = 0; ball < 12; ++ball) bits[position(random)] = true;
  double ones = 0.0;
  for (const bool bit : bits) ones += bit ? 1.0 : 0.0;
  return std::pow(ones / 24.0, 3.0);
}

/// Returns the smallest p-value of a run on correct filters. The p-value is evaluated after every
/// batch. The run continues after a decision, so that a later false alarm is also counted.
template <class DrawRate>
double watched_p_value(const RateMixture& law, unsigned num_filters, unsigned num_batches,
                       int batch, std::uint64_t run, DrawRate draw_rate) {
  std::mt19937_64 random = generator(run);
  SequentialTest test(law, {});
  for (unsigned filter = 0; filter < num_filters; ++filter) {
    if (filter > 0) test.begin_filter();
    std::binomial_distribution<int> false_positives(batch, draw_rate(random));
    for (unsigned i = 0; i < num_batches; ++i) {
      test.observe(static_cast<std::uint64_t>(false_positives(random)),
                   static_cast<std::uint64_t>(batch));
    }
  }
  return test.p_value();
}

/// Checks that the number of false alarms is consistent with a false-alarm probability of at most
/// alpha.
void check_false_alarms(const std::vector<double>& p_values) {
  for (const double alpha : {0.05, 0.01}) {
    double num_crossings = 0.0;
    for (const double p_value : p_values) num_crossings += p_value <= alpha ? 1.0 : 0.0;
    INFO("false alarm " << alpha << ": " << num_crossings << " of " << p_values.size()
                        << " honest runs crossed, seed " << bloometry::test::test_seed());
    CHECK(binomial_upper_tail(static_cast<double>(p_values.size()), alpha, num_crossings) >=
          bloometry::test::rejection_threshold());
    if (alpha == 0.05) CHECK(num_crossings > 0.0);  // about 100 crossings are expected
  }
}

/// Returns the mean over 200 runs of the number of queries until a rejection at level 1e-6. The
/// rate of the filter is `factor` times the expected rate.
double mean_queries_to_reject(double rate, double factor, int batch) {
  constexpr std::uint64_t kRuns = 200;
  double total = 0.0;
  for (std::uint64_t run = 0; run < kRuns; ++run) {
    std::mt19937_64 random = generator(kNumRuns + run);
    std::binomial_distribution<int> false_positives(batch, rate * factor);
    SequentialTest test(RateMixture::certain(rate), {.false_alarm = 1e-6, .miss = 1e-12});
    while (test.decision() == Decision::kOpen) {
      test.observe(static_cast<std::uint64_t>(false_positives(random)),
                   static_cast<std::uint64_t>(batch));
      total += batch;
    }
    REQUIRE(test.decision() == Decision::kRejected);
  }
  return total / kRuns;
}

/// Returns the Kullback-Leibler divergence per answer between the true rate, `rate` * `factor`, and
/// `rate`. Every test at level alpha needs at least about log(1/alpha)/divergence queries (Wald).
double divergence(double rate, double factor) {
  const double q = rate * factor;
  return q * std::log(factor) + (1.0 - q) * std::log((1.0 - q) / (1.0 - rate));
}

}  // namespace

TEST_CASE("sequential test: keeps its false alarm for any number of looks",
          "[statistical][sequential]") {
  const RateMixture law = RateMixture::certain(0.01);
  std::vector<double> p_values;
  for (std::uint64_t run = 0; run < kNumRuns; ++run) {
    p_values.push_back(
        watched_p_value(law, 1, 100, 100, run, [](std::mt19937_64&) { return 0.01; }));
  }
  check_false_alarms(p_values);
}

TEST_CASE("sequential test: keeps its false alarm over filters of unknown fill",
          "[statistical][sequential]") {
  const RateMixture law =
      bloometry::theory::rate_law(bloometry::ProbeModel::kWithReplacement, 4, 24, 3);
  std::vector<double> p_values;
  for (std::uint64_t run = 0; run < kNumRuns; ++run) {
    p_values.push_back(watched_p_value(law, 8, 4, 40, run, rate_of_tiny_filter));
  }
  check_false_alarms(p_values);
}

TEST_CASE("sequential test: needs at most 1.6 times the lower bound of queries",
          "[statistical][sequential]") {
  for (const auto& [factor, batch] : {std::pair{1.1, 1000}, {2.0, 100}, {0.5, 100}}) {
    const double fewest = std::log(1e6) / divergence(0.01, factor);
    const double needed = mean_queries_to_reject(0.01, factor, batch);
    INFO("rate 0.01 x " << factor << ": " << needed << " queries, bound " << fewest);
    // The grid of factors adds log 31 = 3.4 to log(1e6) = 13.8. A true factor between two grid
    // points adds a little. The limit of 1.6 times the bound leaves about the same margin for the
    // spread of 200 runs.
    CHECK(needed < 1.6 * fewest);
  }
}
