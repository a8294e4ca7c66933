#include "core/rates/rate_given_state.hpp"

#include "tests/support/catch.hpp"
#include "tests/support/probe_models.hpp"

namespace bloometry {
TEST_CASE("rate_given_ones: is (X/m)^k with replacement", "[core][filter]") {
  CHECK(rate_given_ones(kW, 5, 10, 3) == 0.125);
  CHECK(rate_given_ones(kW, 0, 10, 3) == 0);
  CHECK(rate_given_ones(kW, 10, 10, 3) == 1);
}

TEST_CASE("rate_given_ones: is C(X,k)/C(m,k) for distinct probes", "[core][filter]") {
  CHECK(rate_given_ones(kD, 5, 10, 3) == Approx(10.0 / 120).epsilon(1e-15));
  CHECK(rate_given_ones(kD, 2, 10, 3) == 0);
  CHECK(rate_given_ones(kD, 10, 10, 3) == 1);
  CHECK(rate_given_ones(kD, 4, 8, 4) == Approx(1.0 / 70).epsilon(1e-15));
}

TEST_CASE("require_distinct_fit: k > m is refused in model D only", "[core][filter]") {
  CHECK_THROWS_AS(require_distinct_fit(kD, {.num_cells = 3, .num_hashes = 4}), ConfigError);
  CHECK_NOTHROW(require_distinct_fit(kD, {.num_cells = 4, .num_hashes = 4}));
  CHECK_NOTHROW(require_distinct_fit(kW, {.num_cells = 3, .num_hashes = 4}));
}

}  // namespace bloometry
