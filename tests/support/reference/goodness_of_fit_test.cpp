#include "tests/support/reference/goodness_of_fit.hpp"

#include <cmath>
#include <stdexcept>
#include <vector>

#include "core/statistics/special_functions.hpp"
#include "tests/support/catch.hpp"

using namespace bloometry::statistics;
using namespace bloometry::test;

TEST_CASE("chi-square: two degrees of freedom give an exponential law", "[core][statistics]") {
  for (const double x : {0.0, 0.1, 2.0, 30.0, 500.0}) {
    CHECK(chi_square_p_value(x, 2) == Approx(std::exp(-x / 2)).epsilon(1e-13));
  }
  CHECK(chi_square_p_value(3.841458820694124, 1) == Approx(0.05).epsilon(1e-12));
}

TEST_CASE("chi-square: the statistic equals that of the textbook", "[core][statistics]") {
  const std::vector<std::uint64_t> observed{8, 12, 10, 10};
  CHECK(chi_square_statistic(observed) == Approx(0.8).epsilon(1e-14));
  CHECK_THROWS_AS(chi_square_statistic(std::vector<std::uint64_t>{5}), std::domain_error);
  CHECK_THROWS_AS(chi_square_statistic(std::vector<std::uint64_t>{0, 0}), std::domain_error);
  CHECK_THROWS_AS(chi_square_p_value(1.0, 0), std::domain_error);
  CHECK_THROWS_AS(chi_square_p_value(std::nan(""), 1), std::domain_error);
}

TEST_CASE("kolmogorov: the statistic includes both sides of every step", "[core][statistics]") {
  CHECK(kolmogorov_statistic(std::vector<double>{0.5}) == Approx(0.5));
  CHECK(kolmogorov_statistic(std::vector<double>{0.9, 0.1}) == Approx(0.4));
  CHECK(kolmogorov_statistic(std::vector<double>{0.6, 0.7, 0.8, 0.9}) == Approx(0.6));
  CHECK(kolmogorov_statistic(std::vector<double>{0.1, 0.2, 0.3, 0.4}) == Approx(0.6));
  CHECK_THROWS_AS(kolmogorov_statistic(std::vector<double>{}), std::domain_error);
  CHECK_THROWS_AS(kolmogorov_statistic(std::vector<double>{1.5}), std::domain_error);
  CHECK_THROWS_AS(kolmogorov_statistic(std::vector<double>{std::nan("")}), std::domain_error);
}

TEST_CASE("kolmogorov: the p-value is close to the exact law", "[core][statistics]") {
  // At large n, the p-value equals the p-value of the limit law at 1.36 and 1.95.
  const std::uint64_t n = 100'000'000;
  CHECK(kolmogorov_p_value(1.36e-4, n) == Approx(0.049485877).epsilon(2e-3));
  CHECK(kolmogorov_p_value(1.95e-4, n) == Approx(0.00099591084).epsilon(2e-3));
  // At n = 10, the exact 5 % and 1 % points are 0.40925 and 0.48893 (Miller 1956).
  CHECK(kolmogorov_p_value(0.40925, 10) == Approx(0.05).epsilon(0.03));
  CHECK(kolmogorov_p_value(0.48893, 10) == Approx(0.01).epsilon(0.05));
  // At n = 1, P(D >= d) = 2(1 - d), and the series is conservative.
  CHECK(kolmogorov_p_value(0.975, 1) >= 0.05);
}

TEST_CASE("kolmogorov: the p-value falls from 1 to 0 continuously", "[core][statistics]") {
  double previous = 1.0;
  for (int i = 0; i <= 1000; ++i) {
    const double p = kolmogorov_p_value(i / 1000.0, 20);
    CHECK(p <= previous + 1e-12);
    CHECK(previous - p < 0.02);
    previous = p;
  }
  CHECK(previous < 1e-12);
  CHECK_THROWS_AS(kolmogorov_p_value(0.5, 0), std::domain_error);
  CHECK_THROWS_AS(kolmogorov_p_value(1.5, 3), std::domain_error);
}

TEST_CASE("kolmogorov: the excess is one-sided", "[core][statistics]") {
  CHECK(kolmogorov_excess(std::vector<double>{0.6, 0.7, 0.8, 0.9}) == Approx(0.1));
  CHECK(kolmogorov_excess(std::vector<double>{0.1, 0.2, 0.3, 0.4}) == Approx(0.6));
  CHECK(kolmogorov_excess(std::vector<double>{1, 1, 1}) == 0);
  CHECK_THROWS_AS(kolmogorov_excess(std::vector<double>{1.5}), std::domain_error);
}

TEST_CASE("kolmogorov: Massart's bound is above the exact p-value", "[core][statistics]") {
  // At n = 1, P(D >= d) = 2 (1 - d) exactly for d >= 1/2. In the far tail, the bound must exceed
  // the value of the series.
  for (const double d : {0.5, 0.7, 0.9, 0.99}) CHECK(kolmogorov_p_value_bound(d, 1) >= 2 * (1 - d));
  CHECK(kolmogorov_p_value_bound(0.40925, 10) >= 0.05);
  CHECK(kolmogorov_p_value_bound(0.1, 2'000) == Approx(2 * std::exp(-40.0)));
  CHECK(kolmogorov_p_value_bound(0.1, 2'000) >= kolmogorov_p_value(0.1, 2'000));
  CHECK(kolmogorov_p_value_bound(0, 5) == 1);
  CHECK_THROWS_AS(kolmogorov_p_value_bound(0.5, 0), std::domain_error);
}
