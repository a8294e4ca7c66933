#include "core/theory/hash_collisions.hpp"

#include <stdexcept>

#include "tests/support/catch.hpp"

using namespace bloometry::theory;

TEST_CASE("hash collisions: the floor of few bits is a fair die, of many n/2^w", "[core][theory]") {
  CHECK(collision_floor(1, 1) == Approx(0.5).epsilon(1e-15));
  CHECK(collision_floor(2, 1) == Approx(0.75).epsilon(1e-15));
  CHECK(collision_floor(0, 32) == 0.0);
  CHECK(collision_floor(1000, 128) == Approx(1000 * 0x1p-128).epsilon(1e-14));
  CHECK(rate_above_floor(0.25, 0.5) == 0.625);
  CHECK_THROWS_AS(collision_floor(1, 0), std::domain_error);
}
