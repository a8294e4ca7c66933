#include "core/statistics/ratio_interval.hpp"

#include <array>
#include <cmath>
#include <limits>
#include <numbers>
#include <random>
#include <stdexcept>
#include <tuple>
#include <vector>

#include "core/statistics/special_functions.hpp"
#include "tests/support/catch.hpp"

namespace bloometry::statistics {
namespace {

std::vector<double> exponentials(const std::vector<double>& logarithms) {
  std::vector<double> values;
  for (const double logarithm : logarithms) values.push_back(std::exp(logarithm));
  return values;
}

bool is_unknown(const Interval& interval) {
  return interval.lower == 0 && interval.upper == std::numeric_limits<double>::infinity();
}

}  // namespace

TEST_CASE("ratio_interval: Student's quantile for 1 and 2 degrees is that of the closed forms",
          "[statistics]") {
  for (const double alpha : {0.5, 0.05, 1e-3, 1e-9, 1e-15}) {
    CAPTURE(alpha);
    CHECK(student_two_sided_quantile(1, alpha) ==
          Approx(1 / std::tan(std::numbers::pi / 2 * alpha)).epsilon(1e-10));
    CHECK(student_two_sided_quantile(2, alpha) ==
          Approx((1 - alpha) * std::sqrt(2 / (alpha * (2 - alpha)))).epsilon(1e-10));
  }
}

// The reference values are solutions of Simpson's integral of the density, computed in Python.
TEST_CASE("ratio_interval: Student's quantile is that of the integrated density", "[statistics]") {
  CHECK(student_two_sided_quantile(10, 0.05) == Approx(2.2281388520).epsilon(1e-9));
  CHECK(student_two_sided_quantile(4, 1e-4) == Approx(15.5441005816).epsilon(1e-9));
  CHECK(student_two_sided_quantile(8, 1e-6) == Approx(13.2571351022).epsilon(1e-9));
  CHECK(student_two_sided_quantile(5.5, 2.5e-4) == Approx(8.3583294835).epsilon(1e-9));
  CHECK(student_two_sided_quantile(1e9, 0.05) ==
        Approx(normal_upper_quantile(0.025)).epsilon(1e-6));
}

// The logarithms have means 2 and 5, and variances 1 and 20/3. The standard error is
// sqrt(1/3 + 5/3), and the smaller sample has 2 degrees of freedom.
TEST_CASE("ratio_interval: the interval has the degrees of freedom of the smaller sample",
          "[statistics]") {
  const auto above = exponentials({1, 2, 3});
  const auto below = exponentials({2, 4, 6, 8});
  const double margin = 4.30265272974946 * std::sqrt(2.0);
  const RatioEstimate estimate = ratio_of_means(above, below, 0.05);
  CHECK(estimate.ratio == Approx(std::exp(-3.0)));
  CHECK(std::log(estimate.interval.lower) == Approx(-3 - margin).epsilon(1e-9));
  CHECK(std::log(estimate.interval.upper) == Approx(-3 + margin).epsilon(1e-9));
  const RatioEstimate inverse = ratio_of_means(below, above, 0.05);
  CHECK(inverse.interval.lower == Approx(1 / estimate.interval.upper));
}

TEST_CASE("ratio_interval: a sample compared with itself has the ratio 1", "[statistics]") {
  const std::array values = {3.0, 4.0, 7.0};
  const RatioEstimate estimate = ratio_of_means(values, values, 1e-6);
  CHECK(estimate.ratio == Approx(1));
  CHECK(estimate.interval.lower * estimate.interval.upper == Approx(1));
  CHECK(estimate.interval.lower < 1);
}

TEST_CASE("ratio_interval: the unit of the values does not matter", "[statistics]") {
  const std::vector<double> above = {3, 4, 7};
  const std::vector<double> below = {2, 2.5, 2.2};
  const RatioEstimate estimate = ratio_of_means(above, below, 0.01);
  for (const double unit : {1e-300, 1e300}) {
    std::vector<double> scaled_above;
    std::vector<double> scaled_below;
    for (const double value : above) scaled_above.push_back(unit * value);
    for (const double value : below) scaled_below.push_back(unit * value);
    const RatioEstimate scaled = ratio_of_means(scaled_above, scaled_below, 0.01);
    CHECK(scaled.ratio == Approx(estimate.ratio).epsilon(1e-9));
    CHECK(scaled.interval.upper == Approx(estimate.interval.upper).epsilon(1e-9));
  }
}

TEST_CASE("ratio_interval: the interval is unknown if the spread cannot be estimated",
          "[statistics]") {
  const std::array two = {1.0, 2.0};
  const std::array one = {1.5};
  const std::array equal = {0.1, 0.1, 0.1};
  CHECK(is_unknown(ratio_of_means(one, two, 0.01).interval));
  CHECK(is_unknown(ratio_of_means(two, one, 0.01).interval));
  CHECK(is_unknown(ratio_of_means(equal, equal, 0.01).interval));
  CHECK_FALSE(is_unknown(ratio_of_means(equal, two, 0.01).interval));
  CHECK(ratio_of_means(equal, one, 0.01).ratio == Approx(0.1 / 1.5));
}

TEST_CASE("ratio_interval: invalid arguments are refused", "[statistics]") {
  const std::array values = {1.0, 2.0};
  const std::array zero = {0.0, 1.0};
  const std::array infinite = {1.0, std::numeric_limits<double>::infinity()};
  CHECK_THROWS_AS(ratio_of_means({}, values, 0.01), std::domain_error);
  CHECK_THROWS_AS(ratio_of_means(values, {}, 0.01), std::domain_error);
  CHECK_THROWS_AS(ratio_of_means(zero, values, 0.01), std::domain_error);
  CHECK_THROWS_AS(ratio_of_means(values, infinite, 0.01), std::domain_error);
  CHECK_THROWS_AS(ratio_of_means(values, values, 0), std::domain_error);
  CHECK_THROWS_AS(ratio_of_means(values, values, 1), std::domain_error);
  CHECK_THROWS_AS(student_two_sided_quantile(0, 0.01), std::domain_error);
}

// The number of wrong intervals is binomial with a probability of at most alpha. The test fails for
// correct code with probability of at most 1e-6 per pair of samples. Welch's degrees of freedom
// fail for 11 and 3 values. If the larger variance belongs to the smaller sample, the bound is
// nearly reached, and the lower limit detects wider intervals.
TEST_CASE("ratio_interval: intervals exclude the true ratio with at most the probability alpha",
          "[statistics]") {
  constexpr int kNumPairs = 50'000;
  constexpr double kAlpha = 0.01;
  std::mt19937_64 random(20261128);
  std::normal_distribution<double> normal;
  const auto sample = [&](std::size_t size, double mean, double deviation) {
    std::vector<double> logarithms(size);
    for (double& logarithm : logarithms) logarithm = mean + deviation * normal(random);
    return exponentials(logarithms);
  };
  for (const auto& [num_above, num_below, deviation] :
       {std::tuple(5, 5, 0.02), std::tuple(5, 5, 1.0), std::tuple(11, 3, 0.04),
        std::tuple(11, 5, 1.0)}) {
    CAPTURE(num_above, num_below, deviation);
    int num_wrong = 0;
    for (int i = 0; i < kNumPairs; ++i) {
      const auto above = sample(static_cast<std::size_t>(num_above), 0.3, 0.02);
      const auto below = sample(static_cast<std::size_t>(num_below), 0.1, deviation);
      const Interval interval = ratio_of_means(above, below, kAlpha).interval;
      const double truth = std::exp(0.2);
      if (truth < interval.lower || truth > interval.upper) ++num_wrong;
    }
    CAPTURE(num_wrong);
    CHECK(binomial_upper_tail(kNumPairs, kAlpha, num_wrong) > 1e-6);
    if (deviation == 1.0) CHECK(binomial_lower_tail(kNumPairs, 0.8 * kAlpha, num_wrong) > 1e-6);
  }
}

}  // namespace bloometry::statistics
