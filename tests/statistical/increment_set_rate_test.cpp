// Compares simulated rates of the B_h-CBF and of a filter with a general set of increments with the
// exact rates. Four assertions use the threshold in false_alarm.hpp. Two assertions check that the
// simulation excludes the formula for independent cells.

#include <cmath>
#include <random>
#include <vector>

#include "core/theory/independent_rates.hpp"
#include "tests/statistical/false_alarm.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/reference/increment_cells.hpp"
#include "tests/support/reference/increment_set.hpp"
#include "tests/support/test_seed.hpp"

namespace bloometry {
namespace {

struct Design {
  unsigned n, m, k;
  std::vector<unsigned> increments;
};

/// The mean share of passing queries over filters. The standard error is computed from the spread
/// between filters.
struct Estimate {
  double mean = 0.0;
  double standard_error = 0.0;

  [[nodiscard]] double z_against(double expected) const {
    return (mean - expected) / standard_error;
  }
};

template <class Cells>
Estimate simulate(const Design& design, const Cells& empty, unsigned num_filters,
                  std::uint64_t seed) {
  constexpr unsigned kQueries = 200;
  std::mt19937_64 random(seed);
  const auto below = [&](std::uint64_t bound) {
    return static_cast<unsigned>(
        std::uniform_int_distribution<std::uint64_t>(0, bound - 1)(random));
  };
  const auto any_increment = [&] { return design.increments[below(design.increments.size())]; };
  double sum = 0.0;
  double sum_of_squares = 0.0;
  for (unsigned filter = 0; filter < num_filters; ++filter) {
    Cells cells = empty;
    for (unsigned i = 0; i < design.n * design.k; ++i) cells.add(below(design.m), any_increment());
    unsigned num_passing = 0;
    for (unsigned query = 0; query < kQueries; ++query) {
      bool passes = true;
      for (unsigned i = 0; i < design.k && passes; ++i) {
        passes = cells.passes(below(design.m), any_increment());
      }
      num_passing += passes ? 1 : 0;
    }
    const double rate = static_cast<double>(num_passing) / kQueries;
    sum += rate;
    sum_of_squares += rate * rate;
  }
  const double mean = sum / num_filters;
  const double variance = (sum_of_squares - sum * mean) / (num_filters - 1.0);
  return {mean, std::sqrt(variance / num_filters)};
}

double largest_z() {
  return statistics::two_sided_z(test::rejection_threshold());
}

}  // namespace

TEST_CASE("B_h: simulated filters have the exact rate, unlike that of independent cells",
          "[statistical]") {
  // In so small a filter, the exact rate and the rate for independent cells differ by several
  // percent.
  const Design design{3, 8, 4, {1, 4, 13, 32}};
  const std::uint64_t seed = test::test_seed();
  for (const unsigned h : {2U, 3U}) {
    REQUIRE(test::is_bh_sequence(test::IncrementSet(design.increments), h));
    const double exact = test::bh_exact_rate(design.n, design.m, design.k, 4, h);
    const double paper = test::bh_paper_rate(design.n, design.m, design.k, 4, h);
    const Estimate estimate =
        simulate(design, test::BhCells(design.m, design.increments, h), 40000, seed + h);
    CAPTURE(h, exact, paper, estimate.mean, estimate.standard_error, seed);
    CHECK(std::abs(estimate.z_against(exact)) < largest_z());
    CHECK(estimate.z_against(paper) > largest_z());
  }
}

TEST_CASE("general D: simulated filters have the exact rate", "[statistical]") {
  const std::uint64_t seed = test::test_seed();
  for (const std::vector<unsigned>& increments :
       {std::vector<unsigned>{8, 12, 14, 15}, {3, 5, 7}}) {
    const Design design{10, 24, 3, increments};
    const double exact = test::increment_set_exact_rate(design.n, design.m, design.k,
                                                        test::IncrementSet(increments));
    const Estimate estimate =
        simulate(design, test::SumCells(design.m, increments), 20000, seed + increments.size());
    CAPTURE(increments, exact, estimate.mean, estimate.standard_error, seed);
    CHECK(std::abs(estimate.z_against(exact)) < largest_z());
  }
}

}  // namespace bloometry
