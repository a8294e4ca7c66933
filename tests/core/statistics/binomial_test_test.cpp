#include "core/statistics/binomial_test.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <vector>

#include "tests/support/catch.hpp"

namespace {

using namespace bloometry::statistics;

std::vector<double> binomial_pmf(unsigned trials, double p) {
  std::vector<double> pmf(trials + 1, 0.0);
  pmf[0] = 1.0;
  for (unsigned t = 0; t < trials; ++t) {
    for (unsigned x = t + 1; x > 0; --x) pmf[x] = pmf[x] * (1.0 - p) + pmf[x - 1] * p;
    pmf[0] *= 1.0 - p;
  }
  return pmf;
}

}  // namespace

TEST_CASE("binomial test: equals twice the smaller summed tail", "[core][statistics]") {
  for (const double p : {1e-3, 0.1, 0.5, 0.97}) {
    const auto pmf = binomial_pmf(60, p);
    for (unsigned x = 0; x <= 60; ++x) {
      double lower = 0.0;
      double upper = 0.0;
      for (unsigned i = 0; i <= x; ++i) lower += pmf[i];
      for (unsigned i = 60; i + 1 > x; --i) upper += pmf[i];
      INFO("p " << p << ", positives " << x);
      CHECK(binomial_two_sided_p_value(x, 60, p) ==
            Approx(std::min(1.0, 2.0 * std::min(lower, upper))).epsilon(1e-11));
      CHECK(binomial_randomised_pit(x, 60, p, 0.3) ==
            Approx(lower - 0.7 * pmf[x]).epsilon(1e-11).margin(1e-15));
    }
  }
}

TEST_CASE("binomial test: a p-value is at most alpha with probability at most alpha",
          "[core][statistics]") {
  const auto pmf = binomial_pmf(200, 0.03);
  for (const double level : {0.5, 0.05, 1e-3, 1e-6}) {
    double rejected = 0.0;
    for (unsigned x = 0; x <= 200; ++x) {
      if (binomial_two_sided_p_value(x, 200, 0.03) <= level) rejected += pmf[x];
    }
    CHECK(rejected <= level);
  }
}

TEST_CASE("binomial test: rates 0 and 1 give p-value 0 or 1", "[core][statistics]") {
  CHECK(binomial_two_sided_p_value(0, 100, 0.0) == 1.0);
  CHECK(binomial_two_sided_p_value(1, 100, 0.0) == 0.0);
  CHECK(binomial_two_sided_p_value(100, 100, 1.0) == 1.0);
  CHECK(binomial_two_sided_p_value(99, 100, 1.0) == 0.0);
  CHECK(binomial_two_sided_p_value(0, 0, 0.3) == 1.0);
}

TEST_CASE("binomial test: far tails are exact, not normal approximations", "[core][statistics]") {
  // With an expectation of 1e-12 positives, one positive has probability 1e-12 but a normal z of
  // 1e6.
  CHECK(binomial_two_sided_p_value(1, 1'000'000, 1e-18) == Approx(2e-12).epsilon(1e-5));
  // For large counts, the expected p-value is a 400-digit evaluation of 2 P(Bin(1e9, 0.01) >= 1e7 +
  // 20000), where z = 6.36.
  CHECK(binomial_two_sided_p_value(10'020'000, 1'000'000'000, 0.01) ==
        Approx(2.09494073839171e-10).epsilon(1e-9));
}

TEST_CASE("binomial test: invalid arguments are refused", "[core][statistics]") {
  CHECK_THROWS_AS(binomial_two_sided_p_value(2, 1, 0.5), std::domain_error);
  CHECK_THROWS_AS(binomial_two_sided_p_value(1, 2, -0.1), std::domain_error);
  CHECK_THROWS_AS(binomial_two_sided_p_value(1, 2, std::nan("")), std::domain_error);
  CHECK_THROWS_AS(binomial_randomised_pit(1, 2, 0.5, 2.0), std::domain_error);
}
