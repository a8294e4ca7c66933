#include "core/theory/pass_variance.hpp"

#include <cmath>
#include <stdexcept>

#include "core/theory/rate_variance.hpp"
#include "core/theory/variable_increment_rates.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/probe_models.hpp"
#include "tests/support/reference/increment_cells.hpp"

using namespace bloometry;
using namespace bloometry::theory;
using bloometry::kW;

namespace {

/// Returns Var(F) of a filter with D_2 = {2, 3}, where F = (passing pairs/2m)^k. Lists the outcomes
/// of all inserts.
double enumerated_variance(unsigned n, unsigned m, unsigned k) {
  const unsigned base = 2 * m;
  double num_outcomes = 1.0;
  for (unsigned i = 0; i < n * k; ++i) num_outcomes *= base;
  double sum = 0.0;
  double sum_of_squares = 0.0;
  for (unsigned outcome = 0; outcome < static_cast<unsigned>(num_outcomes); ++outcome) {
    test::SumCells cells(m, {2, 3});
    for (unsigned left = outcome, i = 0; i < n * k; ++i, left /= base) {
      cells.add(left % base / 2, 2 + left % 2);
    }
    unsigned num_passing = 0;
    for (unsigned cell = 0; cell < m; ++cell) {
      num_passing += (cells.passes(cell, 2) ? 1 : 0) + (cells.passes(cell, 3) ? 1 : 0);
    }
    const double rate = std::pow(num_passing / static_cast<double>(base), k);
    sum += rate;
    sum_of_squares += rate * rate;
  }
  const double mean = sum / num_outcomes;
  return sum_of_squares / num_outcomes - mean * mean;
}

}  // namespace

TEST_CASE("pass variance: equals the enumeration of all tiny filters", "[core][theory]") {
  struct Tiny {
    unsigned n, m, k;
  };

  for (const auto [n, m, k] : {Tiny{1, 3, 2}, {2, 3, 2}, {2, 4, 2}, {3, 2, 2}, {2, 3, 3}}) {
    INFO("n " << n << ", m " << m << ", k " << k);
    const auto variance = pass_rate_variance(variable_increment_pass_table(2 * k, 2), n, m, k);
    REQUIRE(variance.has_value());
    CHECK(*variance == Approx(enumerated_variance(n, m, k)).epsilon(1e-11));
  }
}

TEST_CASE("pass variance: equals the variance of the bit filter if any hit passes",
          "[core][theory]") {
  for (const auto& [n, m] : {std::pair{100u, 1024u}, {10u, 100u}, {50u, 100u}, {1000u, 100000u}}) {
    const auto variance = pass_rate_variance(PassTable::any_hit(14), n, m, 7);
    REQUIRE(variance.has_value());
    // The allowed relative error of both variances is 4e-15 E[F^2]/Var(F).
    CHECK(*variance == Approx(rate_variance(kW, n, m, 7)).epsilon(1e-9));
  }
  SECTION("first order if the difference is less precise, with an error of at most k^2/m") {
    const std::uint64_t m = 10'000'000'000'000;
    const auto variance = pass_rate_variance(PassTable::any_hit(14), m / 10, m, 7);
    CHECK(variance.value() == Approx(rate_variance(kW, m / 10, m, 7)).epsilon(49.0 / 1e13 + 1e-11));
  }
  SECTION("first order if the chain needs too many operations") {
    const auto variance = pass_rate_variance(PassTable::any_hit(128), 100'000, 10'000'000, 64);
    CHECK(variance.value() ==
          Approx(rate_variance(kW, 100'000, 10'000'000, 64)).epsilon(64.0 * 64 / 1e7));
  }
}

TEST_CASE("pass variance: is 0 without keys and absent if all digits cancel", "[core][theory]") {
  CHECK(pass_rate_variance(variable_increment_pass_table(6, 4), 0, 100, 3) == 0.0);
  CHECK_FALSE(pass_rate_variance(variable_increment_pass_table(6, 4), 1'000'000, 10, 3));
  CHECK_FALSE(
      pass_rate_variance(variable_increment_pass_table(6, 4), 1, 1'000'000'000'000'000'000, 3));
  // About four of 4e13 cells pass. The first-order formula would give a wrong variance.
  CHECK_FALSE(pass_rate_variance(variable_increment_pass_table(6, 4), 6, 40'000'000'000'000, 3));
  CHECK_THROWS_AS(pass_rate_variance(PassTable::any_hit(3), 1, 10, 3), std::domain_error);
  CHECK_THROWS_AS(pass_rate_variance(PassTable::any_hit(6), 1, 0, 3), std::domain_error);
}
