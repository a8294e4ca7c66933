#include "core/theory/set_operations.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <stdexcept>

#include "core/theory/standard_rates.hpp"
#include "tests/support/catch.hpp"

namespace bloometry::theory {
namespace {

/// Returns the share of bits that are set in both filters, as the mean over all outcomes of all
/// probes. Each common key, key of A alone and key of B alone has k probes, each on one of m bits.
double and_fill_by_enumeration(const TwoSets& sets, std::uint64_t m, unsigned k) {
  const std::uint64_t common = sets.n_common * k;
  const std::uint64_t only_a = (sets.n_a - sets.n_common) * k;
  const std::uint64_t probes = common + only_a + (sets.n_b - sets.n_common) * k;
  std::uint64_t outcomes = 1;
  for (std::uint64_t i = 0; i < probes; ++i) outcomes *= m;
  std::uint64_t ones = 0;
  for (std::uint64_t outcome = 0; outcome < outcomes; ++outcome) {
    std::uint64_t bits_a = 0;
    std::uint64_t bits_b = 0;
    std::uint64_t rest = outcome;
    for (std::uint64_t i = 0; i < probes; ++i, rest /= m) {
      const std::uint64_t bit = std::uint64_t{1} << rest % m;
      if (i < common + only_a) bits_a |= bit;
      if (i < common || i >= common + only_a) bits_b |= bit;
    }
    for (std::uint64_t both = bits_a & bits_b; both != 0; both &= both - 1) ++ones;
  }
  return static_cast<double>(ones) / static_cast<double>(outcomes * m);
}

}  // namespace

TEST_CASE("set operations: the mean fill of the AND equals complete enumeration",
          "[core][theory]") {
  struct Point {
    TwoSets sets;
    std::uint64_t m;
    unsigned k;
  };

  for (const Point& p : {Point{{2, 2, 1}, 3, 2}, Point{{3, 2, 0}, 4, 1}, Point{{2, 1, 1}, 5, 3},
                         Point{{1, 3, 1}, 2, 4}, Point{{2, 2, 2}, 4, 2}, Point{{1, 1, 0}, 1, 2}}) {
    CAPTURE(p.sets.n_a, p.sets.n_b, p.sets.n_common, p.m, p.k);
    // The formula has two exponentials and a sum of terms of one sign, with an error of at most 10
    // eps.
    CHECK(and_fill_mean(p.sets, p.m, p.k) ==
          Approx(and_fill_by_enumeration(p.sets, p.m, p.k)).epsilon(2e-15));
  }
}

TEST_CASE("set operations: rates keep the bounds of theory 2", "[core][theory]") {
  for (const std::uint64_t m : {100U, 9586U}) {
    for (const unsigned k : {1U, 3U, 7U}) {
      for (const std::uint64_t n_a : {1U, 10U, 500U, 1000U}) {
        for (const std::uint64_t n_b : {10U, 700U}) {
          const std::uint64_t most = std::min(n_a, n_b);
          for (const std::uint64_t n_common : {std::uint64_t{0}, most / 2, most}) {
            const TwoSets sets{n_a, n_b, n_common};
            const double both = and_rate_approx(sets, m, k);
            CAPTURE(m, k, n_a, n_b, n_common, both);
            // k multiplications have a rounding error of 2k eps.
            CHECK(both >= intersection_filter_rate_approx(sets, m, k) * (1 - 5e-15));
            CHECK(both <= std::min(semi_rate(n_a, m, k), semi_rate(n_b, m, k)) * (1 + 5e-15));
            CHECK(or_rate_approx(sets, m, k) == semi_rate(n_a + n_b - n_common, m, k));
          }
          // For disjoint sets, the fill of the AND is the product of the two fills.
          CHECK(and_fill_mean({n_a, n_b, 0}, m, k) ==
                Approx(semi_rate(n_a * k, m, 1) * semi_rate(n_b * k, m, 1)).epsilon(2e-15));
          CHECK(intersection_filter_rate_approx({n_a, n_b, 0}, m, k) == 0);
        }
        // For equal sets, the AND equals each of the two filters.
        CHECK(and_rate_approx({n_a, n_a, n_a}, m, k) == semi_rate(n_a, m, k));
      }
    }
  }
}

TEST_CASE("set operations: nearly disjoint sets in a nearly empty filter are precise",
          "[core][theory]") {
  // f_A + f_B - f_U is near 1e-18, but the terms are near 1e-9, so a subtraction would lose all
  // digits.
  CHECK(and_fill_mean({1000, 1000, 0}, 1'000'000'000'000, 1) == Approx(1e-18).epsilon(2e-9));
}

TEST_CASE("set operations: impossible arguments are refused", "[core][theory]") {
  CHECK_THROWS_AS(and_fill_mean({5, 3, 4}, 100, 2), std::domain_error);
  CHECK_THROWS_AS(or_rate_approx({5, 3, 4}, 100, 2), std::domain_error);
  CHECK_THROWS_AS(intersection_filter_rate_approx({3, 5, 4}, 100, 2), std::domain_error);
  CHECK_THROWS_AS(and_fill_mean({5, 3, 1}, 0, 2), std::domain_error);
  CHECK_THROWS_AS(and_rate_approx({5, 3, 1}, 100, 0), std::domain_error);
}

}  // namespace bloometry::theory
