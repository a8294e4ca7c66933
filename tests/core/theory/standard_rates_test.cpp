#include "core/theory/standard_rates.hpp"

#include <chrono>
#include <cmath>
#include <stdexcept>
#include <vector>

#include "tests/support/catch.hpp"

using namespace bloometry::theory;
using bloometry::ProbeModel;

TEST_CASE("standard rates: classic < semi < exact W < Goel-Gupta bound for k >= 2",
          "[core][theory]") {
  for (const std::uint64_t m : {50u, 1000u, 100000u}) {
    for (const unsigned k : {2u, 3u, 7u, 14u}) {
      for (const std::uint64_t n : {m / 50, m / 10, m / 5}) {
        INFO("n " << n << ", m " << m << ", k " << k);
        CHECK(classic_rate(n, m, k) < semi_rate(n, m, k));
        CHECK(semi_rate(n, m, k) < exact_rate_with_replacement(n, m, k));
        CHECK(exact_rate_with_replacement(n, m, k) < goel_gupta_upper_rate(n, m, k));
      }
    }
  }
}

TEST_CASE("standard rates: with one hash the three models and the semi form are equal",
          "[core][theory]") {
  for (const std::uint64_t n : {1u, 10u, 500u, 10000u}) {
    const double semi = semi_rate(n, 1000, 1);
    CHECK(exact_rate_with_replacement(n, 1000, 1) == Approx(semi).epsilon(1e-14));
    CHECK(exact_rate_distinct(n, 1000, 1) == Approx(semi).epsilon(1e-14));
    CHECK(exact_rate_partitioned(n, 1000, 1) == Approx(semi).epsilon(1e-14));
    CHECK(second_order_rate(n, 1000, 1) == Approx(semi).epsilon(1e-14));
  }
}

TEST_CASE("standard rates: the first slices get the spare bits if k does not divide m",
          "[core][theory]") {
  // The 3 slices of 11 bits have 4, 4 and 3 bits.
  const double by_hand = std::pow(1.0 - std::pow(0.75, 5), 2) * (1.0 - std::pow(2.0 / 3.0, 5));
  CHECK(exact_rate_partitioned(5, 11, 3) == Approx(by_hand).epsilon(1e-14));
  CHECK(exact_rate_of_slices(5, std::vector<std::uint64_t>{4, 4, 3}) ==
        Approx(by_hand).epsilon(1e-14));
}

TEST_CASE("standard rates: no key gives rate 0, an overfull filter 1", "[core][theory]") {
  const auto full = std::uint64_t{1} << 62;
  for (const auto model :
       {ProbeModel::kWithReplacement, ProbeModel::kDistinct, ProbeModel::kPartitioned}) {
    CHECK(exact_rate(model, 0, 64, 4) == 0.0);
    CHECK(exact_rate(model, full, 64, 4) == 1.0);
    CHECK(exact_rate(model, 1, 1, 1) == 1.0);
  }
  CHECK(classic_rate(0, 64, 4) == 0.0);
  CHECK(semi_rate(0, 1, 4) == 0.0);
  CHECK(second_order_rate(0, 64, 4) == 0.0);
  CHECK(goel_gupta_upper_rate(1, 1, 4) == 1.0);
}

TEST_CASE("standard rates: tiny rates keep their relative precision", "[core][theory]") {
  // For one key in m = 1e12 bits, every form tends to (n k/m)^k.
  const double leading = std::pow(3e-12, 3);
  CHECK(classic_rate(1, 1'000'000'000'000, 3) == Approx(leading).epsilon(1e-11));
  CHECK(semi_rate(1, 1'000'000'000'000, 3) == Approx(leading).epsilon(1e-11));
  CHECK(exact_rate_partitioned(1, 999'999'999'999, 3) ==
        Approx(std::pow(1.0 / 333'333'333'333.0, 3)).epsilon(1e-14));
}

TEST_CASE("standard rates: no key gives rate 0, in the upper bound too", "[core][theory]") {
  for (const std::uint64_t m : {1u, 2u, 1000u}) {
    CHECK(goel_gupta_upper_rate(0, m, 3) == 0.0);
    CHECK(second_order_rate(0, m, 3) == 0.0);
    CHECK(classic_rate(0, m, 3) == 0.0);
  }
}

TEST_CASE("standard rates: impossible geometries are refused", "[core][theory]") {
  CHECK_THROWS_AS(classic_rate(1, 0, 1), std::domain_error);
  CHECK_THROWS_AS(semi_rate(1, 1, 0), std::domain_error);
  CHECK_THROWS_AS(goel_gupta_upper_rate(1, 0, 1), std::domain_error);
  CHECK_THROWS_AS(second_order_rate(1, 0, 1), std::domain_error);
  CHECK_THROWS_AS(exact_rate_partitioned(1, 3, 4), std::domain_error);
  CHECK_THROWS_AS(exact_rate_distinct(1, 3, 4), std::domain_error);
  CHECK_NOTHROW(exact_rate_with_replacement(1, 3, 4));
}

// bloometry_theory_tests "[timing]" prints the time that a report on many points needs.
TEST_CASE("standard rates: prints the time of 10^4 exact rates", "[.timing]") {
  for (const bool is_large : {false, true}) {
    const auto start = std::chrono::steady_clock::now();
    double sum = 0.0;
    unsigned num_rates = 0;
    for (unsigned i = 0; i < 20; ++i) {
      for (unsigned j = 0; j < 20; ++j) {
        const std::uint64_t n = (is_large ? 1'000'000 : 100) + std::uint64_t{37} * i;
        const std::uint64_t m = n * (4 + j);  // 4 to 23 bits per key
        for (unsigned k = 1; k <= 25; ++k, ++num_rates) {
          sum += exact_rate_with_replacement(n, m, k);
        }
      }
    }
    const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start;
    WARN(num_rates << " exact rates, n from " << (is_large ? "1e6" : "100") << ": "
                   << elapsed.count() << " s (sum " << sum << ")");
  }
}
