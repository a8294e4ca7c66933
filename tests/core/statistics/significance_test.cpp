#include "core/statistics/significance.hpp"

#include <cmath>
#include <stdexcept>

#include "core/statistics/special_functions.hpp"
#include "tests/support/catch.hpp"

using namespace bloometry::statistics;

TEST_CASE("significance: the two-sided quantile inverts the two-sided p-value",
          "[core][statistics]") {
  for (const double alpha : {0.5, 0.05, 1e-6, 1e-12, 1e-100}) {
    // A relative error of 1e-16 in z gives a relative error of z^2 1e-16 in the tail.
    CHECK(2 * normal_upper_tail(two_sided_z(alpha)) == Approx(alpha).epsilon(1e-12));
  }
}

TEST_CASE("significance: bonferroni divides the false alarm by the number of tests",
          "[core][statistics]") {
  CHECK(bonferroni_threshold(1e-6, 1000) == Approx(1e-9).epsilon(1e-15));
  CHECK(two_sided_z(bonferroni_threshold(1e-6, 1000)) == Approx(6.10941020).epsilon(1e-8));
  CHECK_THROWS_AS(bonferroni_threshold(1e-6, 0), std::domain_error);
  CHECK_THROWS_AS(bonferroni_threshold(0.0, 1), std::domain_error);
}

TEST_CASE("significance: invalid arguments are refused", "[core][statistics]") {
  CHECK_THROWS_AS(two_sided_z(0.0), std::domain_error);
  CHECK_THROWS_AS(two_sided_z(1.0), std::domain_error);
  CHECK_THROWS_AS(two_sided_z(std::nan("")), std::domain_error);
  CHECK_THROWS_AS(queries_for_relative_precision(0.0, 0.1, 0.05), std::domain_error);
  CHECK_THROWS_AS(queries_for_relative_precision(0.1, 0.0, 0.05), std::domain_error);
}
