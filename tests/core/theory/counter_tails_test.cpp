#include "core/theory/counter_tails.hpp"

#include <cmath>
#include <stdexcept>

#include "tests/support/catch.hpp"

using namespace bloometry::theory;

TEST_CASE("counter tails: equal their sums of probabilities", "[core][theory]") {
  const auto binomial_tail = [](unsigned trials, double p, unsigned at_least) {
    double term = std::pow(1.0 - p, trials);
    double sum = at_least == 0 ? term : 0.0;
    for (unsigned j = 1; j <= trials; ++j) {
      term *= (trials - j + 1.0) / j * p / (1.0 - p);
      if (j >= at_least) sum += term;
    }
    return sum;
  };
  for (const unsigned at_least : {0u, 1u, 3u, 15u, 16u, 30u}) {
    INFO("at least " << at_least);
    CHECK(counter_tail_per_probe(20, 50, 3, at_least) ==
          Approx(binomial_tail(60, 0.02, at_least)).epsilon(1e-12));
    CHECK(counter_tail_per_position(40, 50, 3, at_least) ==
          Approx(binomial_tail(40, 1.0 - std::pow(0.98, 3), at_least)).epsilon(1e-12));
  }
}

TEST_CASE("counter tails: what cannot happen has probability 0", "[core][theory]") {
  CHECK(counter_tail_per_probe(1, 50, 3, 4) == 0.0);
  CHECK(counter_tail_per_position(1, 50, 3, 2) == 0.0);
  CHECK(counter_tail_per_probe(0, 50, 3, 1) == 0.0);
  CHECK(counter_tail_poisson(0.0, 1) == 0.0);
  CHECK(counter_tail_poisson(0.0, 0) == 1.0);
  CHECK(counter_tail_per_probe(5, 1, 3, 15) == 1.0);
}

TEST_CASE("counter tails: impossible loads are refused", "[core][theory]") {
  CHECK_THROWS_AS(counter_tail_poisson(-1.0, 3), std::domain_error);
  CHECK_THROWS_AS(counter_tail_poisson(std::nan(""), 3), std::domain_error);
  CHECK_THROWS_AS(counter_tail_per_probe(1, 0, 1, 1), std::domain_error);
}
