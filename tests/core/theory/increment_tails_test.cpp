#include "core/theory/increment_tails.hpp"

#include <cmath>
#include <stdexcept>

#include "core/theory/counter_tails.hpp"
#include "tests/support/catch.hpp"

using namespace bloometry::theory;

TEST_CASE("increment tails: with the increment 1 they are the counter's", "[core][theory]") {
  const IncrementSet one({1});
  for (const std::uint64_t a : {0u, 1u, 4u, 15u, 60u}) {
    INFO("at least " << a);
    for (const double load : {0.01, 1.0, 8.0}) {
      CHECK(increment_tail_poisson(load, one, a) ==
            Approx(counter_tail_poisson(load, a)).epsilon(1e-13).margin(0));
    }
    CHECK(increment_tail_per_probe(1000, 500, 4, one, a) ==
          Approx(counter_tail_per_probe(1000, 500, 4, a)).epsilon(1e-13).margin(0));
    CHECK(increment_tail_per_probe(10, 1, 4, one, a) == (a <= 40 ? 1.0 : 0.0));
  }
}

TEST_CASE("increment tails: equal the list of all outcomes of one small counter",
          "[core][theory]") {
  // Four throws on three counters: of each, 4 of 6 outcomes miss, and 2 and 3 come once each.
  const IncrementSet set({2, 3});
  for (unsigned at_least = 0; at_least <= 13; ++at_least) {
    unsigned num_above = 0;
    for (unsigned outcome = 0; outcome < 6 * 6 * 6 * 6; ++outcome) {
      unsigned sum = 0;
      for (unsigned left = outcome, i = 0; i < 4; ++i, left /= 6) {
        if (left % 6 < 2) sum += left % 6 + 2;
      }
      num_above += sum >= at_least ? 1 : 0;
    }
    INFO("at least " << at_least);
    CHECK(increment_tail_per_probe(2, 3, 2, set, at_least) ==
          Approx(num_above / 1296.0).epsilon(1e-14).margin(0));
  }
}

TEST_CASE("increment tails: a counter of four bits more is reached in 1e-55", "[core][theory]") {
  // L = 4 with 8 bits at load 1, theory 5.5: full digits of a tail that needs 37 increments.
  CHECK(increment_tail_poisson(1.0, IncrementSet::consecutive(4), 255) ==
        Approx(4.89568e-55).epsilon(1e-6));
  CHECK_THROWS_AS(increment_tail_poisson(-1.0, IncrementSet({1}), 1), std::domain_error);
  CHECK_THROWS_AS(increment_tail_poisson(1.0, IncrementSet({1}), std::uint64_t{1} << 40),
                  std::domain_error);
  CHECK_THROWS_AS(increment_tail_per_probe(1, 0, 1, IncrementSet({1}), 1), std::domain_error);
}
