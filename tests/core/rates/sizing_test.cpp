#include "core/rates/sizing.hpp"

#include "core/error.hpp"
#include "tests/support/catch.hpp"

namespace bloometry {

TEST_CASE("sizing: the classic rate and the best k equal the textbook's", "[core][filter]") {
  CHECK(classic_rate(1e6, 9585059, 7) == Approx(0.01003921456).epsilon(1e-9));
  CHECK(best_num_hashes(1e6, 9585059) == 7);
  CHECK(best_num_hashes(1, 2.10) == 2);  // although (m/n) ln 2 rounds to 1 (theory 1.6)
  CHECK(best_num_hashes(1, 8.7) == 6);
  CHECK(best_num_hashes(1e6, 10) == 1);
  CHECK(best_num_hashes(1, 1e6) == 64);
}

TEST_CASE("sizing: bits_per_key counts the memory of all cells per key of the capacity",
          "[core][filter]") {
  CHECK(requested_cells({.capacity = 1000, .bits_per_key = 9.586}, 1) == 9586);
  CHECK(requested_cells({.capacity = 1000, .bits_per_key = 40}, 4) == 10000);
  CHECK(requested_cells({.num_bits = 40}, 4) == 10);
  CHECK(requested_cells({.num_counters = 40}, 4) == 40);
  CHECK_FALSE(requested_cells({.capacity = 1000}, 1).has_value());
}

TEST_CASE("sizing: uses the requested m and k, or the best k for the capacity", "[core][filter]") {
  const Geometry given = bloom_geometry({.num_bits = 100, .num_hashes = 3}, 1);
  CHECK(given.num_cells == 100);
  CHECK(given.num_hashes == 3);
  CHECK(bloom_geometry({.capacity = 1000, .num_bits = 9586}, 1).num_hashes == 7);
}

TEST_CASE("sizing: incomplete and contradictory specs are refused", "[core][filter]") {
  CHECK_THROWS_WITH(bloom_geometry({.num_bits = 0, .num_hashes = 1}, 1),
                    "num_bits must give between 1 and 2^57 cells, got 0");
  CHECK_THROWS_WITH(bloom_geometry({.num_bits = 10, .num_hashes = 0}, 1),
                    "num_hashes must be in [1, 64], got 0");
  CHECK_THROWS_WITH(bloom_geometry({.num_bits = 10, .num_hashes = 65}, 1),
                    "num_hashes must be in [1, 64], got 65");
  CHECK_THROWS_AS(bloom_geometry({}, 1), ConfigError);
  CHECK_THROWS_AS(bloom_geometry({.num_bits = 10}, 1), ConfigError);
  CHECK_THROWS_AS(bloom_geometry({.bits_per_key = 10, .num_hashes = 3}, 1), ConfigError);
  CHECK_THROWS_AS(
      bloom_geometry({.capacity = 1, .bits_per_key = 1, .num_bits = 10, .num_hashes = 3}, 1),
      ConfigError);
  CHECK_THROWS_AS(bloom_geometry({.capacity = 0, .target_false_positive_rate = 0.01}, 1),
                  ConfigError);
  for (const double rate : {0.0, 1.0, -0.1, 1.5}) {
    CHECK_THROWS_AS(bloom_geometry({.capacity = 9, .target_false_positive_rate = rate}, 1),
                    ConfigError);
  }
}

TEST_CASE("sizing: a counting filter with fewer bits than one counter is refused",
          "[core][filter]") {
  CHECK_THROWS_AS(bloom_geometry({.num_bits = 3, .num_hashes = 1}, 4), ConfigError);
}

}  // namespace bloometry
