// Compares the power of other projects' rate tests with the power of verify at the same number of
// queries. The test fails if the computed table differs from the table in experiments/README.md.
//
// The numbers of keys, the numbers of queries and the limits come from these test sources: leveldb
// and RocksDB util/bloom_test.cc (VaryingLengths, FullVaryingLengths, OptimizeForMemory),
// Boost.Bloom test/test_fpr.cpp, Guava BloomFilterTest (known false positives, 64),
// bits-and-blooms/bloom bloom_test.go (testEstimated), Caffeine simulator MembershipTest.

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <fstream>
#include <functional>
#include <optional>
#include <sstream>
#include <string>
#include <vector>

#include "core/statistics/special_functions.hpp"
#include "core/statistics/test_power.hpp"
#include "core/theory/standard_rates.hpp"
#include "test_folders.hpp"
#include "tests/support/catch.hpp"

namespace bloometry {
namespace {

constexpr double kPower = 0.99;
constexpr double kOurFalseAlarm = 1e-6;

/// A rate test of another project. The function `rejects` returns the probability that the test
/// rejects a filter with the given rate.
struct PublicTest {
  std::string name;
  std::string limit;
  double honest_rate = 0;
  std::uint64_t num_queries = 0;  // over all filters
  std::function<double(double rate)> rejects;
};

/// Returns P(X <= lower or X >= upper) as a function of the rate, where X ~ Bin(queries, rate) is
/// the number of false positives.
std::function<double(double)> outside(double queries, std::optional<double> lower, double upper) {
  return [=](double rate) {
    const double below = lower ? statistics::binomial_lower_tail(queries, rate, *lower) : 0;
    return std::min(1.0, below + statistics::binomial_upper_tail(queries, rate, upper));
  };
}

double binomial_coefficient(int n, int k) {
  double product = 1;
  for (int i = 0; i < k; ++i) product *= static_cast<double>(n - i) / (i + 1);
  return product;
}

/// Returns the rejection probability of the test in leveldb and RocksDB, which makes 10,000 queries
/// of each of 37 filters. Every observed rate must be at most 2 %. The number of rates above 1.25 %
/// must be at most a fifth of the number of other rates. The computation assumes that every filter
/// has the rate of a large filter.
double varying_lengths_rejects(double rate) {
  constexpr int kNumLimitFilters = 37;
  const double good = statistics::binomial_lower_tail(10'000, rate, 125);
  const double mediocre = statistics::binomial_lower_tail(10'000, rate, 200) - good;
  double passes = 0;
  for (int i = 0; i <= (kNumLimitFilters - i) / 5; ++i) {
    passes += binomial_coefficient(kNumLimitFilters, i) * std::pow(mediocre, i) *
              std::pow(good, kNumLimitFilters - i);
  }
  return std::max(0.0, 1 - passes);
}

double exact(std::uint64_t n, std::uint64_t m, unsigned k) {
  return theory::exact_rate(ProbeModel::kWithReplacement, n, m, k);
}

std::vector<PublicTest> public_tests() {
  return {
      {"leveldb, 10 bits per key", "37 filters: all <= 2 %, a sixth > 1.25 %",
       exact(10'000, 100'000, 6), 370'000, varying_lengths_rejects},
      // RocksDB's own measurement with 512-bit blocks is 0.957 % (comment in RocksDB's source).
      {"RocksDB, 10 bits per key", "37 filters: all <= 2 %, a sixth > 1.25 %", 0.00957, 370'000,
       varying_lengths_rejects},
      {"RocksDB, mean of 100 filters", "0.8 to 1.1 %", 0.00957, 1'000'000,
       outside(1e6, 7'999, 11'001)},
      {"Boost.Bloom, 1 %", "0.25 to 1.75 %", 0.01, 1'000'000, outside(1e6, 2'500, 17'500)},
      {"Boost.Bloom, 0.001 %", "0.00025 to 0.00175 %", 1e-5, 1'000'000, outside(1e6, 2, 18)},
      {"Guava, 3 %", "within 0.033 % of the filter's own estimate", 0.03, 1'000'000,
       outside(1e6, 29'669, 30'331)},
      {"bits-and-blooms, 1 %", "<= 1.1 %", exact(10'000, 95'851, 7), 100'000,
       outside(1e5, std::nullopt, 1'101)},
      {"bits-and-blooms, 0.01 %", "<= 0.011 %", exact(10'000, 191'702, 14), 100'000,
       outside(1e5, std::nullopt, 12)},
      {"Caffeine, 3 %", "< 23 %", 0.03, 1'048'576, outside(1'048'576, std::nullopt, 241'173)},
  };
}

/// Returns the smallest d such that the test rejects a filter of d times the correct rate with
/// probability kPower.
double smallest_factor_found(const PublicTest& test) {
  double low = 1;
  double high = 1 / test.honest_rate;
  for (int i = 0; i < 200; ++i) {
    const double middle = 0.5 * (low + high);
    (test.rejects(middle * test.honest_rate) < kPower ? low : high) = middle;
  }
  return high;
}

std::string printed(const char* format, double value) {
  char text[32];
  std::snprintf(text, sizeof text, format, value);
  return text;
}

std::string probability_text(double p) {
  if (p < 1e-15) return "< 1e-15";  // below the rounding error
  return p < 0.001 ? printed("%.0e", p) : printed("%.2g %%", 100 * p);
}

std::string table() {
  std::string text =
      "| test | queries | its limit | correct filter fails | finds rate x | ours at 1e-6 finds x "
      "|\n"
      "|---|---|---|---|---|---|\n";
  for (const PublicTest& test : public_tests()) {
    const double ours = 1 + *statistics::smallest_excess_found(test.num_queries, test.honest_rate,
                                                               kOurFalseAlarm, kPower);
    text += "| " + test.name + " | " + std::to_string(test.num_queries) + " | " + test.limit +
            " | " + probability_text(test.rejects(test.honest_rate)) + " | " +
            printed("%.3g", smallest_factor_found(test)) + " | " + printed("%.3g", ours) + " |\n";
  }
  return text;
}

}  // namespace

TEST_CASE("limits of public rate tests equal the table in experiments/README.md", "[statistics]") {
  std::ifstream file(std::string(test::kConfigFolder) + "/../README.md");
  REQUIRE(file);
  std::stringstream readme;
  readme << file.rdbuf();
  INFO(table());
  CHECK(readme.str().find(table()) != std::string::npos);
}

}  // namespace bloometry
