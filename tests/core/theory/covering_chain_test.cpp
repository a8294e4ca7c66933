#include "core/theory/covering_chain.hpp"

#include <bit>
#include <cmath>
#include <stdexcept>
#include <vector>

#include "core/theory/standard_rates.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/reference/matrix_power.hpp"

namespace {

using namespace bloometry::theory;

/// Returns the probability that the union of n k-subsets of m cells contains the cells 0..j-1.
/// Computes the law of the union over all bit sets.
double enumerated_cover(unsigned n, unsigned m, unsigned k, unsigned j) {
  std::vector<double> law(std::size_t{1} << m, 0.0);
  law[0] = 1.0;
  double num_subsets = 0.0;
  for (unsigned s = 0; s < law.size(); ++s) {
    if (std::popcount(s) == static_cast<int>(k)) num_subsets += 1.0;
  }
  for (unsigned key = 0; key < n; ++key) {
    std::vector<double> next(law.size(), 0.0);
    for (unsigned s = 0; s < law.size(); ++s) {
      if (std::popcount(s) != static_cast<int>(k)) continue;
      for (unsigned u = 0; u < law.size(); ++u) next[u | s] += law[u] / num_subsets;
    }
    law = next;
  }
  const unsigned wanted = (1u << j) - 1;
  double sum = 0.0;
  for (unsigned u = 0; u < law.size(); ++u) sum += (u & wanted) == wanted ? law[u] : 0.0;
  return sum;
}

}  // namespace

TEST_CASE("covering chain: equals the enumeration of all subsets of tiny filters",
          "[core][theory]") {
  for (unsigned m = 1; m <= 6; ++m) {
    for (unsigned k = 1; k <= m; ++k) {
      for (unsigned j = 0; j <= m; ++j) {
        for (const unsigned n : {0u, 1u, 2u, 3u, 7u}) {
          INFO("n " << n << ", m " << m << ", k " << k << ", cells " << j);
          CHECK(cover_probability_distinct(n, m, k, j) ==
                Approx(enumerated_cover(n, m, k, j)).epsilon(1e-13).margin(1e-300));
        }
      }
    }
  }
}

TEST_CASE("covering chain: agrees with the matrix power within its rounding error",
          "[core][theory]") {
  for (const unsigned k : {1u, 3u, 7u, 14u, 20u}) {
    for (const std::uint64_t n : {1u, 10u, 1000u, 10000u}) {
      INFO("n " << n << ", k " << k);
      // Each of the n steps rounds a probability near 1 by up to 1.1e-16.
      CHECK(exact_rate_distinct(n, 100'000, k) ==
            Approx(bloometry::test::distinct_rate_by_matrix_power(n, 100'000, k))
                .epsilon(1e-11)
                .margin(1e-300));
    }
  }
}

TEST_CASE("covering chain: is precise at the ends of the range", "[core][theory]") {
  // The expected rates are 400-digit evaluations of sum_i (-1)^i C(k,i) [C(m-i,k)/C(m,k)]^n.
  CHECK(exact_rate_distinct(31'250'000'000, 1'000'000'000'000, 64) ==
        Approx(9.0835416116897217e-5).epsilon(1e-14));
  CHECK(exact_rate_distinct(2396, 9586, 32) == Approx(0.98944447458226511).epsilon(1e-14));
  CHECK(exact_rate_distinct(960, 1024, 32) == Approx(0.99999999999814477).epsilon(1e-14));
  CHECK(exact_rate_distinct(28'758, 9586, 10) == Approx(0.99999999999907878).epsilon(1e-14));
}

TEST_CASE("covering chain: degenerate filters have rate 0 or 1, impossible ones are refused",
          "[core][theory]") {
  CHECK(exact_rate_distinct(0, 10, 3) == 0.0);
  CHECK(exact_rate_distinct(1, 10, 10) == 1.0);
  CHECK(exact_rate_distinct(1'000'000'000'000, 10, 3) == 1.0);
  CHECK_THROWS_AS(exact_rate_distinct(1, 10, 11), std::domain_error);
  CHECK_THROWS_AS(cover_probability_distinct(1, 10, 3, 11), std::domain_error);
}
