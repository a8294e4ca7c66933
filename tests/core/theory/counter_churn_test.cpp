#include "core/theory/counter_churn.hpp"

#include <cmath>
#include <stdexcept>
#include <vector>

#include "core/theory/counter_tails.hpp"
#include "tests/support/catch.hpp"

using namespace bloometry::theory;

namespace {

/// Returns expected_stuck_counters(), computed by stepping through the rounds of the chain.
double stuck_by_stepping(std::uint64_t n, std::uint64_t m, unsigned k, unsigned top,
                         unsigned num_rounds) {
  const double keys = static_cast<double>(n);
  const double hit = 1.0 - std::pow(1.0 - 1.0 / static_cast<double>(m), k);
  std::vector<double> share(top + 1);
  for (unsigned v = 0; v < top; ++v) share[v] = counter_count_per_position(n, m, k, v);
  share[top] = counter_tail_per_position(n, m, k, top);
  for (unsigned round = 0; round < num_rounds; ++round) {
    for (unsigned v = 1; v < top; ++v) {
      const double falls = share[v] * v / keys;
      share[v] -= falls;
      share[v - 1] += falls;
    }
    for (unsigned v = top; v > 0; --v) {
      const double rises = share[v - 1] * hit;
      share[v] += rises;
      share[v - 1] -= rises;
    }
  }
  return static_cast<double>(m) * share[top];
}

}  // namespace

TEST_CASE("counter churn: the matrix power equals stepping through the rounds", "[core][theory]") {
  for (const unsigned top : {1u, 2u, 3u, 15u}) {
    for (const unsigned num_rounds : {0u, 1u, 2u, 100u, 3000u}) {
      INFO("top " << top << ", rounds " << num_rounds);
      // Each churn round has one or two rounding errors in either form.
      CHECK(expected_stuck_counters(50, 100, 4, top, num_rounds) ==
            Approx(stuck_by_stepping(50, 100, 4, top, num_rounds))
                .epsilon(1e-14 + num_rounds * 1e-15));
    }
  }
}

TEST_CASE(
    "counter churn: the first round saturates as many counters as an insert beside n - 1 keys",
    "[core][theory]") {
  // A counter that was at its maximum before the erase is not counted again. The factor 1 - hit
  // excludes such counters (theory 3.2).
  const double hit = 1.0 - std::pow(1.0 - 1.0 / 100, 4);
  for (const unsigned top : {1u, 3u, 7u}) {
    const double first =
        expected_stuck_counters(50, 100, 4, top, 1) - expected_stuck_counters(50, 100, 4, top, 0);
    CHECK(first == Approx((1 - hit) * saturations_per_insert(49, 100, 4, top)).epsilon(1e-10));
  }
}

TEST_CASE("counter churn: large filters have the Poisson rate", "[core][theory]") {
  // The Poisson rate is k P(Pois(ln 2) = 14) = 7 x 3.389363e-14 (theory 3.2).
  const double half_fill = saturations_per_insert_poisson(std::log(2.0), 7, 15);
  CHECK(half_fill == Approx(7 * 3.389363e-14).epsilon(1e-6));
  const std::uint64_t m = 10'000'000;
  const auto n = static_cast<std::uint64_t>(std::log(2.0) * static_cast<double>(m) / 7);
  // The relative difference between the exact rate and the Poisson rate is about 14 (14 + 7 +
  // ...)/n.
  CHECK(saturations_per_insert(n, m, 7, 15) == Approx(half_fill).epsilon(1e-3));
  // After 1e9 churn operations about 2.4e-4 stuck counters are expected. A chain without decrements
  // would give a larger number.
  const double stuck = expected_stuck_counters(n, m, 7, 15, 1'000'000'000);
  CHECK(stuck < 1e9 * half_fill);
  CHECK(stuck > 0.9 * 1e9 * half_fill);
}

TEST_CASE("counter churn: invalid arguments are refused, and nothing saturates without keys",
          "[core][theory]") {
  CHECK(expected_stuck_counters(0, 10, 3, 15, 100) == 0.0);
  CHECK(expected_stuck_counters(1, 10, 3, 2, 100) == 0.0);
  CHECK_THROWS_AS(expected_stuck_counters(1, 10, 3, 0, 1), std::domain_error);
  CHECK_THROWS_AS(expected_stuck_counters(1, 10, 3, 256, 1), std::domain_error);
  CHECK_THROWS_AS(saturations_per_insert(1, 0, 3, 15), std::domain_error);
  CHECK_THROWS_AS(saturations_per_insert_poisson(-1.0, 3, 15), std::domain_error);
}

TEST_CASE("wrongful erase: the loss in finite filters tends to the limit", "[core][theory]") {
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

TEST_CASE("wrongful erase: a single member loses its distinct positions", "[core][theory]") {
  // Every counter of the key is 1. The expected number of distinct positions of two probes on four
  // counters is 4 (1 - 0.75^2).
  CHECK(members_lost_per_wrongful_erase(1, 4, 2) == Approx(4 * (1 - 0.75 * 0.75)).epsilon(1e-14));
  CHECK(members_lost_per_wrongful_erase(0, 4, 2) == 0.0);
  CHECK(share_of_ones(0.0) == 1.0);
  CHECK_THROWS_AS(share_of_ones(-1.0), std::domain_error);
  CHECK_THROWS_AS(members_lost_per_wrongful_erase(1, 0, 2), std::domain_error);
  CHECK_THROWS_AS(members_lost_per_wrongful_erase(0.7, 0), std::domain_error);
}
