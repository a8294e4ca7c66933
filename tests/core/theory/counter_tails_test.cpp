#include "core/theory/counter_tails.hpp"

#include <cmath>
#include <stdexcept>

#include "tests/support/catch.hpp"

using namespace bloometry::theory;

TEST_CASE("counter tails: equal the sums of probabilities", "[core][theory]") {
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

TEST_CASE("counter tails: single counts are the differences of tails", "[core][theory]") {
  for (const std::uint64_t count : {0u, 1u, 3u, 14u, 30u}) {
    INFO("count " << count);
    // The error of the difference is at most 1000 eps times the larger tail.
    const auto difference = [](double tail, double next) {
      return Approx(tail - next).margin(1000 * 2.2e-16 * tail).epsilon(0);
    };
    CHECK(counter_count_poisson(7.5, count) ==
          difference(counter_tail_poisson(7.5, count), counter_tail_poisson(7.5, count + 1)));
    CHECK(counter_count_per_position(40, 50, 3, count) ==
          difference(counter_tail_per_position(40, 50, 3, count),
                     counter_tail_per_position(40, 50, 3, count + 1)));
  }
  // At a mean of 10^4, e^-mean underflows. The expected probability of the mean is the normal
  // approximation 1/sqrt(2 pi v), with a relative error of 1/(12 mean).
  CHECK(counter_count_poisson(1e4, 10'000) == Approx(0.00398942280).epsilon(2e-5));
  CHECK(counter_count_per_position(1'000'000, 100, 1, 10'000) ==
        Approx(1.0 / std::sqrt(2 * 3.14159265359 * 9900)).epsilon(2e-5));
  CHECK(counter_count_per_position(5, 1, 3, 5) == 1.0);
  CHECK(counter_count_per_position(5, 10, 3, 6) == 0.0);
  CHECK(counter_count_poisson(0.0, 0) == 1.0);
}

TEST_CASE("counter tails: Fan's bound is above both tails", "[core][theory]") {
  for (const std::uint64_t a : {1u, 2u, 8u, 16u, 100u}) {
    CHECK(fan_counter_bound(0.7, a) >= counter_tail_per_probe(1000, 10'000, 7, a));
    CHECK(fan_counter_bound(0.7, a) >= counter_tail_poisson(0.7, a));
  }
  CHECK_THROWS_AS(fan_counter_bound(0.7, 0), std::domain_error);
}

TEST_CASE("counter tails: impossible events have probability 0", "[core][theory]") {
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
