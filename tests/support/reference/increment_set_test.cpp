#include "tests/support/reference/increment_set.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <utility>
#include <vector>

#include "core/theory/counter_tails.hpp"
#include "core/theory/independent_rates.hpp"
#include "core/theory/occupancy_chain.hpp"
#include "core/theory/standard_rates.hpp"
#include "core/theory/variable_increment_rates.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/reference/increment_cells.hpp"

using namespace bloometry::theory;
using namespace bloometry::test;

namespace {

struct Throw {
  unsigned cell = 0;
  unsigned increment = 0;
};

/// Calls visit(throws) for every sequence of `length` (cell, increment) pairs.
template <class Visit>
void for_each_outcome(unsigned m, const std::vector<unsigned>& increments, unsigned length,
                      Visit visit) {
  const auto base = m * static_cast<unsigned>(increments.size());
  std::vector<unsigned> digits(length, 0);
  std::vector<Throw> throws(length);
  for (;;) {
    for (unsigned i = 0; i < length; ++i) {
      throws[i] = {digits[i] % m, increments[digits[i] / m]};
    }
    visit(throws);
    unsigned i = 0;
    while (i < length && ++digits[i] == base) digits[i++] = 0;
    if (i == length) return;
  }
}

/// Returns the exact rate of a filter with n keys, by enumeration of all inserts and all queries.
/// The rate is the number of passing outcomes / the number of outcomes.
template <class Cells>
double enumerated_rate(const Cells& empty, unsigned n, unsigned m, unsigned k,
                       const std::vector<unsigned>& increments) {
  std::uint64_t num_passing = 0;
  std::uint64_t num_outcomes = 0;
  for_each_outcome(m, increments, n * k, [&](const std::vector<Throw>& inserted) {
    Cells cells = empty;
    for (const Throw& t : inserted) cells.add(t.cell, t.increment);
    for_each_outcome(m, increments, k, [&](const std::vector<Throw>& query) {
      ++num_outcomes;
      num_passing += std::all_of(query.begin(), query.end(),
                                 [&](const Throw& t) { return cells.passes(t.cell, t.increment); });
    });
  });
  return static_cast<double>(num_passing) / static_cast<double>(num_outcomes);
}

struct SmallFilter {
  unsigned n, m, k;
};

// Each size has (cells x increments)^(k(n+1)) outcomes, at most 46,656.
constexpr SmallFilter kSmallFilters[] = {{0, 3, 2}, {1, 3, 2}, {2, 3, 2}, {2, 2, 2},
                                         {3, 4, 1}, {4, 2, 1}, {1, 2, 3}};

}  // namespace

// Tolerance for the rounding of about k additions and products of positive numbers.
constexpr double kIncrementTolerance = 1e-14;

TEST_CASE("B_h: the chain equals the enumeration of all outcomes of tiny filters",
          "[core][theory]") {
  const std::vector<unsigned> increments = {1, 4};  // the set is B_1, B_2 and B_3
  for (const unsigned h : {1u, 2u, 3u}) {
    REQUIRE(is_bh_sequence(IncrementSet(increments), h));
    for (const auto [n, m, k] : kSmallFilters) {
      INFO("h " << h << ", n " << n << ", m " << m << ", k " << k);
      CHECK(bh_exact_rate(n, m, k, 2, h) ==
            Approx(enumerated_rate(BhCells(m, increments, h), n, m, k, increments))
                .epsilon(kIncrementTolerance)
                .margin(0));
    }
  }
  const std::vector<unsigned> three = {1, 4, 13};
  CHECK(bh_exact_rate(2, 2, 2, 3, 2) ==
        Approx(enumerated_rate(BhCells(2, three, 2), 2, 2, 2, three)).epsilon(kIncrementTolerance));
}

TEST_CASE("general D: the chain equals the enumeration of all outcomes of tiny filters",
          "[core][theory]") {
  for (const std::vector<unsigned>& increments :
       {std::vector<unsigned>{2, 3}, {3, 5}, {4, 6}, {1, 4}, {5}}) {
    for (const auto [n, m, k] : kSmallFilters) {
      INFO("D " << Catch::StringMaker<std::vector<unsigned>>::convert(increments) << ", n " << n
                << ", m " << m << ", k " << k);
      CHECK(increment_set_exact_rate(n, m, k, IncrementSet(increments)) ==
            Approx(enumerated_rate(SumCells(m, increments), n, m, k, increments))
                .epsilon(kIncrementTolerance)
                .margin(0));
    }
  }
}

TEST_CASE("general D: D_L has the rule and the table of variable_increment", "[core][theory]") {
  for (const unsigned L : {1u, 2u, 4u, 8u, 16u}) {
    const PassTable general = increment_set_pass_table(6, IncrementSet::consecutive(L));
    const PassTable local = variable_increment_pass_table(6, L);
    for (unsigned b = 1; b <= 6; ++b) {
      for (std::size_t t = 0; t < 5; ++t) {
        INFO("L " << L << ", b " << b << ", t " << t);
        CHECK(general.pass(b, t) ==
              Approx(local.pass(b, t)).epsilon(kIncrementTolerance).margin(0));
      }
    }
    CHECK(increment_set_exact_rate(1000, 5000, 4, IncrementSet::consecutive(L)) ==
          Approx(variable_increment_exact_rate(1000, 5000, 4, L)).epsilon(kIncrementTolerance));
  }
}

TEST_CASE("B_h: one increment equals the counting filter, and k = 1 the paper's form",
          "[core][theory]") {
  // With one increment, the filter is an ordinary counting filter.
  CHECK(bh_exact_rate(100, 1000, 4, 1, 2) ==
        Approx(exact_rate_with_replacement(100, 1000, 4)).epsilon(kIncrementTolerance));
  // The rate decreases with h and with the number of increments.
  CHECK(bh_exact_rate(1000, 5000, 4, 4, 3) < bh_exact_rate(1000, 5000, 4, 4, 2));
  CHECK(bh_exact_rate(1000, 5000, 4, 8, 2) < bh_exact_rate(1000, 5000, 4, 4, 2));
  // With k = 1, cells are visited one at a time, and the paper's form is exact.
  CHECK(bh_paper_rate(50, 100, 1, 4, 2) ==
        Approx(bh_exact_rate(50, 100, 1, 4, 2)).epsilon(kIncrementTolerance));
  // The formula for independent cells is below the exact rate.
  CHECK(bh_paper_rate(1000, 5000, 4, 4, 2) < bh_exact_rate(1000, 5000, 4, 4, 2));
  CHECK(bh_paper_rate(1000, 5000, 4, 4, 2) ==
        Approx(bh_exact_rate(1000, 5000, 4, 4, 2)).epsilon(2e-4));
}

TEST_CASE("independent cells: the general form equals semi, classic and the paper's",
          "[core][theory]") {
  // Each formula is the k-th power of a pass probability, which has about eight roundings.
  const double tolerance = 16 * 8 * 2.2e-16;
  const PassTable any = PassTable::any_hit(1);
  for (const unsigned k : {1u, 7u, 16u}) {
    CHECK(independent_rate(any, 100, 1000, k) ==
          Approx(semi_rate(100, 1000, k)).epsilon(tolerance));
    CHECK(poisson_rate(any, 10, k) == Approx(classic_rate(100, 1000, k)).epsilon(tolerance));
    const PassTable four = variable_increment_pass_table(1, 4);
    CHECK(independent_rate(four, 100, 1000, k) ==
          Approx(variable_increment_paper_rate(100, 1000, k, 4)).epsilon(tolerance));
    CHECK(poisson_rate(four, 10, k) ==
          Approx(variable_increment_poisson_rate(100, 1000, k, 4)).epsilon(tolerance));
  }
  CHECK(independent_rate(any, 5, 1, 3) == 1.0);
  CHECK(independent_rate(any, 0, 1, 3) == 0.0);
}

TEST_CASE("increment sets: sums, gaps and invalid sets", "[core][theory]") {
  const IncrementSet set({15, 8, 12, 14});
  CHECK(set.smallest() == 8);
  CHECK(set.largest() == 15);
  CHECK(set.passes(8, 8));
  CHECK_FALSE(set.passes(12, 8));  // 4 is not a sum
  CHECK(set.passes(23, 8));        // 15 is a sum
  CHECK_FALSE(set.passes(7, 8));
  CHECK(set.num_passing(8) == 1);
  CHECK(set.num_passing(1000) == 4);
  const IncrementSet even({4, 6});  // the sums are the even numbers except 2
  CHECK_FALSE(even.passes(6, 4));
  CHECK(even.passes(100, 6));

  CHECK_THROWS_AS(IncrementSet({}), std::domain_error);
  CHECK_THROWS_AS(IncrementSet({0, 1}), std::domain_error);
  CHECK_THROWS_AS(IncrementSet({3, 3}), std::domain_error);
  CHECK_THROWS_AS(IncrementSet({5000}), std::domain_error);
  CHECK_THROWS_AS(increment_set_pass_table(2, IncrementSet({1, 300})), std::domain_error);
  CHECK_THROWS_AS(increment_set_pass_table(0, set), std::domain_error);
  CHECK_THROWS_AS(bh_pass_table(2, 0, 2), std::domain_error);
  CHECK_THROWS_AS(bh_pass_table(2, 4, 0), std::domain_error);
  CHECK_THROWS_AS(is_bh_sequence(set, 0), std::domain_error);
  CHECK_THROWS_AS(is_bh_sequence(IncrementSet::consecutive(1000), 5), std::domain_error);
}

TEST_CASE("increment tails: the increment 1 equals the counter's tails", "[core][theory]") {
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

TEST_CASE("increment tails: equal the enumeration of one small counter", "[core][theory]") {
  // Four throws on three counters. A throw has 6 outcomes: 4 miss the counter, one adds 2 and one
  // adds 3.
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

TEST_CASE("increment tails: a tail of 5e-55 is precise", "[core][theory]") {
  // L = 4 with 8 bits at load 1 (theory 5.5). The tail needs 37 increments, and its value must have
  // full precision.
  CHECK(increment_tail_poisson(1.0, IncrementSet::consecutive(4), 255) ==
        Approx(4.89568e-55).epsilon(1e-6));
  CHECK_THROWS_AS(increment_tail_poisson(-1.0, IncrementSet({1}), 1), std::domain_error);
  CHECK_THROWS_AS(increment_tail_poisson(1.0, IncrementSet({1}), std::uint64_t{1} << 40),
                  std::domain_error);
  CHECK_THROWS_AS(increment_tail_per_probe(1, 0, 1, IncrementSet({1}), 1), std::domain_error);
}
