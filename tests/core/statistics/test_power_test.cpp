#include "core/statistics/test_power.hpp"

#include <cmath>
#include <stdexcept>

#include "core/statistics/binomial_test.hpp"
#include "core/statistics/significance.hpp"
#include "core/statistics/special_functions.hpp"
#include "tests/support/catch.hpp"

using namespace bloometry::statistics;

namespace {

double binomial_pmf(std::uint64_t positives, std::uint64_t queries, double rate) {
  const auto x = static_cast<double>(positives);
  const auto n = static_cast<double>(queries);
  return std::exp(std::lgamma(n + 1) - std::lgamma(x + 1) - std::lgamma(n - x + 1) +
                  x * std::log(rate) + (n - x) * std::log1p(-rate));
}

/// Returns the power, computed by applying the test to every count.
double summed_power(std::uint64_t queries, double rate, double true_rate, double alpha) {
  double power = 0;
  for (std::uint64_t positives = 0; positives <= queries; ++positives) {
    if (binomial_two_sided_p_value(positives, queries, rate) < alpha) {
      power += binomial_pmf(positives, queries, true_rate);
    }
  }
  return power;
}

}  // namespace

TEST_CASE("test power: equals the sum over all counts that are rejected", "[core][statistics]") {
  for (const std::uint64_t queries : {1U, 20U, 300U, 2'000U}) {
    for (const double rate : {0.001, 0.02, 0.5}) {
      for (const double true_rate : {0.001, 0.01, 0.04, 0.6, 0.95}) {
        for (const double alpha : {0.05, 1e-4, 1e-9}) {
          CAPTURE(queries, rate, true_rate, alpha);
          CHECK(binomial_test_power(queries, rate, true_rate, alpha) ==
                Approx(summed_power(queries, rate, true_rate, alpha)).epsilon(1e-9).margin(1e-300));
        }
      }
    }
  }
}

TEST_CASE("test power: the rejection region ends where the p-value passes the level",
          "[core][statistics]") {
  const RejectionRegion region = rejection_region(1000, 0.1, 1e-6);
  REQUIRE(region.lower);
  REQUIRE(region.upper);
  CHECK(binomial_two_sided_p_value(*region.lower, 1000, 0.1) < 1e-6);
  CHECK(binomial_two_sided_p_value(*region.lower + 1, 1000, 0.1) >= 1e-6);
  CHECK(binomial_two_sided_p_value(*region.upper, 1000, 0.1) < 1e-6);
  CHECK(binomial_two_sided_p_value(*region.upper - 1, 1000, 0.1) >= 1e-6);
  // With so few queries, the test cannot reject on one or both sides.
  CHECK_FALSE(rejection_region(10, 0.1, 1e-6).lower);
  CHECK_FALSE(rejection_region(10, 0.5, 1e-6).upper);
  CHECK(rejection_region(10, 0.0, 1e-6).upper == 1U);
}

TEST_CASE("test power: the claimed rate is rejected with probability at most the level",
          "[core][statistics]") {
  for (const std::uint64_t queries : {10U, 1'000U, 1'000'000U}) {
    for (const double rate : {0.0, 1e-4, 0.3, 1.0}) {
      CHECK(binomial_test_power(queries, rate, rate, 1e-6) <= 1e-6);
    }
  }
}

TEST_CASE(
    "test power: the smallest detectable excess has the requested power, a smaller one does not",
    "[core][statistics]") {
  for (const std::uint64_t queries : {1'000U, 100'000U, 10'000'000U}) {
    const double excess = smallest_excess_found(queries, 0.01, 1e-9, 0.99).value();
    CAPTURE(queries, excess);
    CHECK(binomial_test_power(queries, 0.01, 0.01 * (1 + excess), 1e-9) ==
          Approx(0.99).epsilon(1e-6));
    CHECK(binomial_test_power(queries, 0.01, 0.01 * (1 + 0.99 * excess), 1e-9) < 0.99);
  }
  CHECK_FALSE(smallest_excess_found(10, 0.5, 1e-6, 0.99));
}

TEST_CASE("test power: queries needed follow ((z_a + z_b) / d)^2 positives where many are needed",
          "[core][statistics]") {
  // By theory 9.3 with the variance of each hypothesis, z_a sd_0 + z_b sd_1 = Q rate d. The
  // remaining difference is caused by skewness, which decreases as 1/sqrt(positives).
  const double rate = 0.01;
  const double z_a = two_sided_z(1e-9);
  const double z_b = normal_upper_quantile(0.01);
  for (const double excess : {0.01, 0.1, -0.1}) {
    const double true_rate = rate * (1 + excess);
    const double root =
        (z_a * std::sqrt(rate * (1 - rate)) + z_b * std::sqrt(true_rate * (1 - true_rate))) /
        (rate * excess);
    const std::uint64_t queries = queries_to_find(rate, true_rate, 1e-9, 0.99).value();
    const double positives = static_cast<double>(queries) * rate;
    CAPTURE(excess, queries, root * root);
    CHECK(std::abs(static_cast<double>(queries) / (root * root) - 1) < 3 / std::sqrt(positives));
    CHECK(binomial_test_power(queries, rate, true_rate, 1e-9) >= 0.99);
    CHECK(binomial_test_power(queries - 1, rate, true_rate, 1e-9) < 0.99);
  }
  CHECK_FALSE(queries_to_find(0.1, 0.1, 1e-6, 0.99));
}

TEST_CASE("test power: impossible arguments are refused", "[core][statistics]") {
  CHECK_THROWS_AS(rejection_region(10, 1.5, 0.1), std::domain_error);
  CHECK_THROWS_AS(rejection_region(10, 0.5, 0.0), std::domain_error);
  CHECK_THROWS_AS(binomial_test_power(10, 0.5, -0.1, 0.1), std::domain_error);
  CHECK_THROWS_AS(smallest_excess_found(10, 0.0, 0.1, 0.5), std::domain_error);
  CHECK_THROWS_AS(smallest_excess_found(10, 0.1, 0.5, 0.4), std::domain_error);
  CHECK_THROWS_AS(queries_to_find(0.1, 0.2, 0.1, 1.0), std::domain_error);
}
