#include "core/theory/fill_moments.hpp"

#include <cmath>
#include <stdexcept>

#include "core/theory/fill_law.hpp"
#include "tests/support/catch.hpp"

using namespace bloometry::theory;
using bloometry::ProbeModel;

constexpr auto kAllModels = {ProbeModel::kWithReplacement, ProbeModel::kDistinct,
                             ProbeModel::kPartitioned};

TEST_CASE("fill moments: equal the mean and variance of the exact law", "[core][theory]") {
  for (const auto model : kAllModels) {
    for (const std::uint64_t m : {4u, 17u, 100u, 1000u}) {
      for (const unsigned k : {1u, 2u, 3u, 4u}) {
        for (const std::uint64_t n : {0u, 1u, 2u, 10u, 100u}) {
          const FillLaw law(model, n, m, k);
          double mean = 0.0;
          double square = 0.0;
          for (auto x = law.support().first; x <= law.support().last; ++x) {
            mean += law.pmf(x) * static_cast<double>(x);
          }
          for (auto x = law.support().first; x <= law.support().last; ++x) {
            square += law.pmf(x) * std::pow(static_cast<double>(x) - mean, 2);
          }
          INFO("model " << static_cast<char>(model) << ", n " << n << ", m " << m << ", k " << k);
          const auto moments = fill_moments(model, n, m, k);
          // The test computes the law in n k steps, each with a rounding error of 1e-16, and drops
          // probabilities below 1e-40.
          CHECK(moments.mean == Approx(mean).epsilon(1e-12));
          CHECK(moments.variance == Approx(square).epsilon(1e-10).margin(1e-24));
        }
      }
    }
  }
}

TEST_CASE("fill moments: are precise where the textbook form cancels", "[core][theory]") {
  // The expected variances are 400-digit evaluations of m q1 + m(m-1) q2 - m^2 q1^2.
  const auto w = ProbeModel::kWithReplacement;
  CHECK(fill_moments(w, 7'142'857'143, 1'000'000'000, 7).variance ==
        Approx(1.9287497978164224e-13).epsilon(2e-14));
  CHECK(fill_moments(w, 8, 3, 20).variance == Approx(2.0068726104824828e-28).epsilon(2e-14));
  CHECK(fill_moments(ProbeModel::kDistinct, 53, 17, 16).variance ==
        Approx(1.0390969937002041e-64).epsilon(5e-14));
  // Two throws on m cells collide with probability 1/m. The number of set cells has mean 2 - 1/m
  // and variance (1/m)(1 - 1/m).
  const double m = 1e12;
  CHECK(fill_moments(w, 2, 1'000'000'000'000, 1).variance ==
        Approx(1.0 / m * (1.0 - 1.0 / m)).epsilon(1e-14));
  CHECK(expected_collisions(w, 2, 1'000'000'000'000, 1) == Approx(1.0 / m).epsilon(1e-14));
}

TEST_CASE("fill moments: one key sets exactly k bits in models D and P", "[core][theory]") {
  for (const auto model : {ProbeModel::kDistinct, ProbeModel::kPartitioned}) {
    CHECK(fill_moments(model, 1, 1000, 7).mean == Approx(7.0).epsilon(1e-14));
    CHECK(fill_moments(model, 1, 1000, 7).variance == 0.0);
    CHECK(expected_collisions(model, 1, 1000, 7) == 0.0);
  }
}

TEST_CASE("fill moments: ones, zeros and collisions add up", "[core][theory]") {
  for (const auto model : kAllModels) {
    for (const std::uint64_t n : {0u, 1u, 30u, 1000u}) {
      const double mean = fill_moments(model, n, 1001, 5).mean;
      CHECK(mean + expected_zeros(model, n, 1001, 5) == Approx(1001.0).epsilon(1e-14));
      CHECK(mean + expected_collisions(model, n, 1001, 5) ==
            Approx(static_cast<double>(5 * n)).epsilon(1e-14));
    }
  }
}

TEST_CASE("fill moments: impossible geometries are refused", "[core][theory]") {
  CHECK_THROWS_AS(fill_moments(ProbeModel::kWithReplacement, 1, 0, 1), std::domain_error);
  CHECK_THROWS_AS(expected_zeros(ProbeModel::kDistinct, 1, 3, 4), std::domain_error);
  CHECK_THROWS_AS(expected_collisions(ProbeModel::kPartitioned, 1, 3, 0), std::domain_error);
}
