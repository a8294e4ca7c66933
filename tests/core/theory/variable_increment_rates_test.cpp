#include "core/theory/variable_increment_rates.hpp"

#include <cmath>
#include <stdexcept>

#include "core/theory/standard_rates.hpp"
#include "tests/support/catch.hpp"

using namespace bloometry::theory;

TEST_CASE("variable increment: the pass table equals the query rule on every pair of increments",
          "[core][theory]") {
  for (const unsigned L : {1u, 2u, 4u, 8u}) {
    const PassTable table = variable_increment_pass_table(4, L);
    for (unsigned b = 1; b <= 4; ++b) {
      double one = 0.0;
      double two = 0.0;
      for (unsigned a = 0; a < L; ++a) {
        one += std::pow(1.0 / L, b) / L;  // only the inserted increment passes
        for (unsigned c = 0; c < L; ++c) {
          unsigned passing = 0;  // increments v with counter - v = 0 or >= L
          for (unsigned g = 0; g < L; ++g) {
            const unsigned rest = 2 * L + a + c - (L + g);
            if (rest == 0 || rest >= L) ++passing;
          }
          two += std::pow(static_cast<double>(passing) / L, b) / (L * L);
        }
      }
      INFO("L " << L << ", b " << b);
      CHECK(table.pass(b, 0) == 0.0);
      CHECK(table.pass(b, 1) == Approx(one).epsilon(1e-14));
      CHECK(table.pass(b, 2) == Approx(two).epsilon(1e-14));
      CHECK(table.pass(b, 3) == 1.0);
    }
  }
}

TEST_CASE("variable increment: L = 1 equals the counting filter", "[core][theory]") {
  for (const unsigned k : {1u, 3u, 7u}) {
    CHECK(variable_increment_exact_rate(100, 1000, k, 1) ==
          Approx(exact_rate_with_replacement(100, 1000, k)).epsilon(1e-14));
    CHECK(variable_increment_paper_rate(100, 1000, k, 1) ==
          Approx(semi_rate(100, 1000, k)).epsilon(1e-13));
    CHECK(variable_increment_poisson_rate(100, 1000, k, 1) ==
          Approx(classic_rate(100, 1000, k)).epsilon(1e-13));
  }
}

TEST_CASE("variable increment: with one hash the paper's form is exact", "[core][theory]") {
  for (const std::uint64_t n : {0u, 1u, 2u, 3u, 50u, 1000u}) {
    CHECK(variable_increment_paper_rate(n, 100, 1, 4) ==
          Approx(variable_increment_exact_rate(n, 100, 1, 4)).epsilon(1e-13).margin(1e-300));
  }
}

TEST_CASE("variable increment: small loads are precise", "[core][theory]") {
  // With one key, a counter has at most one throw, so that a probe passes with probability n/(m L).
  CHECK(variable_increment_paper_rate(1, 1'000'000'000'000, 1, 4) ==
        Approx(0.25e-12).epsilon(1e-11));
  CHECK(variable_increment_poisson_rate(1, 1'000'000'000'000, 1, 4) ==
        Approx(0.25e-12).epsilon(1e-11));
}

TEST_CASE("variable increment: degenerate filters have rate 0 or 1, impossible ones are refused",
          "[core][theory]") {
  CHECK(variable_increment_exact_rate(0, 10, 3, 4) == 0.0);
  CHECK(variable_increment_paper_rate(0, 10, 3, 4) == 0.0);
  CHECK(variable_increment_poisson_rate(0, 10, 3, 4) == 0.0);
  CHECK(variable_increment_exact_rate(5, 1, 3, 4) == 1.0);
  CHECK(variable_increment_paper_rate(5, 1, 3, 4) == 1.0);
  CHECK_THROWS_AS(variable_increment_exact_rate(1, 10, 3, 0), std::domain_error);
  CHECK_THROWS_AS(variable_increment_paper_rate(1, 0, 3, 4), std::domain_error);
  CHECK_THROWS_AS(variable_increment_exact_rate(1, 10, 0, 4), std::domain_error);
}
