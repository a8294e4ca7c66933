#include "tests/support/reference/matrix_power.hpp"

#include <cmath>

#include "core/theory/covering_chain.hpp"
#include "core/theory/occupancy_chain.hpp"
#include "tests/support/catch.hpp"

using namespace bloometry::theory;
using namespace bloometry::test;

TEST_CASE("matrix power: agrees with the chains in every moment", "[core][theory]") {
  for (const unsigned power : {1u, 2u, 7u, 14u, 28u}) {
    // Each of 7e4 steps rounds a number near 1 by about 1.1e-16 with random sign. The expected
    // error is 1e-13 or less.
    CHECK(moment_by_matrix_power(10'000, 95'851, 7, power) ==
          Approx(any_hit_moment(70'000.0, 95'851, power)).epsilon(5e-12));
  }
}

TEST_CASE("matrix power: model D agrees with the covering chain for any number of cells",
          "[core][theory]") {
  const auto hit = hit_probabilities_distinct(1000, 9586, 7, 14);
  for (unsigned j = 0; j <= 14; ++j) {
    CHECK(hit[j] == Approx(cover_probability_distinct(1000, 9586, 7, j)).epsilon(1e-12));
  }
}

TEST_CASE("matrix power: the probability of hitting more cells than there are is 0",
          "[core][theory]") {
  const auto hit = hit_probabilities_with_replacement(100, 2, 3, 5);
  CHECK(hit[0] == 1.0);
  CHECK(hit[2] == Approx(1.0));
  CHECK(hit[3] == 0.0);
  CHECK(moment_by_matrix_power(1, 2, 3, 5) == Approx(any_hit_moment(3.0, 2, 5)).epsilon(1e-14));
}

TEST_CASE("matrix power: the rate without keys is 0", "[core][theory]") {
  CHECK(moment_by_matrix_power(0, 100, 3, 3) == 0.0);
  CHECK(distinct_rate_by_matrix_power(0, 100, 3) == 0.0);
}
