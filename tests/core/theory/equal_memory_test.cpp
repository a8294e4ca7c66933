#include "core/theory/equal_memory.hpp"

#include <cmath>
#include <numbers>
#include <stdexcept>

#include "core/theory/independent_rates.hpp"
#include "core/theory/variable_increment_rates.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/reference/classic_sizing.hpp"
#include "tests/support/reference/increment_set.hpp"

using namespace bloometry::theory;
using namespace bloometry::test;

TEST_CASE("equal memory: equals the classic sizing for a plain filter", "[core][theory]") {
  const PassTable any = PassTable::any_hit(1);
  const OptimalLoad optimum = optimal_load(any);
  CHECK(optimum.load == Approx(std::numbers::ln2).epsilon(1e-14));
  CHECK(optimum.base == Approx(std::pow(0.5, std::numbers::ln2)).epsilon(1e-14));
  for (const double p : {0.9, 0.3, 0.01, 1e-6, 1e-12}) {
    INFO("p " << p);
    const unsigned k = best_num_hashes_for_rate(p);
    CHECK(cells_per_key_for_rate(any, p) == Approx(1.0 / classic_capacity(1, p, k)).epsilon(1e-13));
  }
  for (const std::uint64_t bits : {1u, 3u, 9u, 20u}) {
    CHECK(best_poisson_rate(any, static_cast<double>(bits)).num_hashes == best_num_hashes(1, bits));
  }
}

TEST_CASE("equal memory: the cells per key for p give the rate p, and no k is better",
          "[core][theory]") {
  const PassTable tables[] = {variable_increment_pass_table(1, 4), bh_pass_table(1, 8, 3),
                              increment_set_pass_table(1, IncrementSet({8, 12, 14, 15}))};
  for (const PassTable& table : tables) {
    for (const double p : {0.5, 0.01, 1e-6}) {
      const double cells = cells_per_key_for_rate(table, p);
      INFO("p " << p << ", cells per key " << cells);
      CHECK(best_poisson_rate(table, cells).rate == Approx(p).epsilon(1e-12));
      CHECK(best_poisson_rate(table, cells * 0.999).rate > p);
    }
    // For real k, the lowest rate is base^(cells per key).
    const auto [load, base] = optimal_load(table);
    for (unsigned k = 1; k <= 20; ++k) {
      CHECK(poisson_rate(table, 10.0, k) >= std::pow(base, 10.0) * (1 - 1e-12));
    }
    CHECK(poisson_rate(table, 7 / load, 7) == Approx(std::pow(base, 7 / load)).epsilon(1e-12));
  }
}

TEST_CASE("equal memory: invalid arguments are refused", "[core][theory]") {
  const PassTable any = PassTable::any_hit(1);
  CHECK_THROWS_AS(cells_per_key_for_rate(any, 0.0), std::domain_error);
  CHECK_THROWS_AS(cells_per_key_for_rate(any, 1.0), std::domain_error);
  CHECK_THROWS_AS(best_poisson_rate(any, 0.0), std::domain_error);
  CHECK_THROWS_AS(poisson_rate(any, 1.0, 0), std::domain_error);
  CHECK_THROWS_AS(probe_pass_probability(any, -1.0), std::domain_error);
  CHECK(probe_pass_probability(any, 1e9) == 1.0);
}
