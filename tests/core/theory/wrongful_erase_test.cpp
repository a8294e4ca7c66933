#include "core/theory/wrongful_erase.hpp"

#include <cmath>
#include <stdexcept>

#include "tests/support/catch.hpp"

using namespace bloometry::theory;

TEST_CASE("wrongful erase: small filters tend to the large one", "[core][theory]") {
  const double load = 0.7;
  double previous = 1.0;
  for (const std::uint64_t n : {10u, 100u, 1000u, 100000u}) {
    const double finite = members_lost_per_wrongful_erase(n, n * 10, 7);
    const double error = std::abs(finite / members_lost_per_wrongful_erase(load, 7) - 1.0);
    INFO("n " << n << ", relative difference " << error);
    CHECK(error < 10.0 / static_cast<double>(n));
    CHECK(error < previous);
    previous = error;
  }
}

TEST_CASE("wrongful erase: of a single member it takes that one's positions", "[core][theory]") {
  // All counters of one key are 1; expected distinct positions of two probes on four counters.
  CHECK(members_lost_per_wrongful_erase(1, 4, 2) == Approx(4 * (1 - 0.75 * 0.75)).epsilon(1e-14));
  CHECK(members_lost_per_wrongful_erase(0, 4, 2) == 0.0);
  CHECK(share_of_ones(0.0) == 1.0);
  CHECK_THROWS_AS(share_of_ones(-1.0), std::domain_error);
  CHECK_THROWS_AS(members_lost_per_wrongful_erase(1, 0, 2), std::domain_error);
  CHECK_THROWS_AS(members_lost_per_wrongful_erase(0.7, 0), std::domain_error);
}
