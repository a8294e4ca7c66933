#include "core/statistics/binomial_interval.hpp"

#include <cmath>
#include <stdexcept>

#include "core/statistics/special_functions.hpp"
#include "tests/support/catch.hpp"

using namespace bloometry::statistics;

TEST_CASE("clopper-pearson: each bound leaves alpha/2 in its tail", "[core][statistics]") {
  for (const std::uint64_t queries : {1u, 10u, 1000u, 1'000'000'000u}) {
    for (const double share : {0.0, 1e-6, 0.01, 0.5, 1.0}) {
      for (const double alpha : {0.5, 0.05, 1e-6, 1e-12}) {
        const auto positives = static_cast<std::uint64_t>(share * static_cast<double>(queries));
        const auto [lower, upper] = clopper_pearson(positives, queries, alpha);
        const double q = static_cast<double>(queries);
        const double x = static_cast<double>(positives);
        INFO("positives " << positives << ", queries " << queries << ", alpha " << alpha);
        // A bound near 1 is a multiple of 1.1e-16. The relative error of such a bound is multiplied
        // by x in p^x, and by (Q - x)/(1 - p) in (1-p)^(Q-x).
        const double tolerance = 1e-9 + 2.3e-16 * x;
        if (positives > 0) {
          CHECK(binomial_upper_tail(q, lower, x) == Approx(alpha / 2).epsilon(tolerance));
        }
        if (positives < queries) {
          CHECK(binomial_lower_tail(q, upper, x) ==
                Approx(alpha / 2).epsilon(tolerance + 2.3e-16 * (q - x) / (1.0 - upper)));
        }
        CHECK(lower <= upper);
      }
    }
  }
}

TEST_CASE("clopper-pearson: the bound is 0 without positives and 1 for only positives",
          "[core][statistics]") {
  CHECK(clopper_pearson(0, 1000, 0.05).lower == 0.0);
  CHECK(clopper_pearson(1000, 1000, 0.05).upper == 1.0);
  CHECK(clopper_pearson(0, 0, 0.05).lower == 0.0);
  CHECK(clopper_pearson(0, 0, 0.05).upper == 1.0);
  CHECK(clopper_pearson(0, 1'000'000'000, 1e-6).upper ==
        Approx(-std::expm1(std::log(0.5e-6) / 1e9)).epsilon(1e-13));
}

TEST_CASE("clopper-pearson: invalid arguments are refused", "[core][statistics]") {
  CHECK_THROWS_AS(clopper_pearson(2, 1, 0.05), std::domain_error);
  CHECK_THROWS_AS(clopper_pearson(1, 2, 0.0), std::domain_error);
  CHECK_THROWS_AS(clopper_pearson(1, 2, 1.0), std::domain_error);
  CHECK_THROWS_AS(clopper_pearson(1, 2, std::nan("")), std::domain_error);
}
