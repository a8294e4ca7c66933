#include "core/statistics/multinomial_test.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <utility>
#include <vector>

#include "core/statistics/binomial_test.hpp"
#include "core/statistics/special_functions.hpp"
#include "tests/support/catch.hpp"

using namespace bloometry::statistics;

namespace {

using Counts = std::vector<std::uint64_t>;
using Law = std::vector<double>;

double probability(const Counts& counts, const Law& law) {
  double log_sum = 0;
  std::uint64_t total = 0;
  for (std::size_t i = 0; i < counts.size(); ++i) {
    const auto count = static_cast<double>(counts[i]);
    log_sum += count * std::log(law[i]) - std::lgamma(count + 1);
    total += counts[i];
  }
  return std::exp(log_sum + std::lgamma(static_cast<double>(total) + 1));
}

/// Calls visit(counts) for all ways to distribute `total` over the cells.
template <class Visit>
void for_all_counts(std::uint64_t total, std::size_t num_cells, Visit visit) {
  Counts counts(num_cells, 0);
  const auto share_out = [&](auto self, std::size_t cell, std::uint64_t left) -> void {
    if (cell + 1 == num_cells) {
      counts[cell] = left;
      visit(counts);
      return;
    }
    for (counts[cell] = 0; counts[cell] <= left; ++counts[cell]) {
      self(self, cell + 1, left - counts[cell]);
    }
  };
  share_out(share_out, 0, total);
}

double pearson_p_value(const Counts& counts, const Law& law, double total) {
  double sum = 0;
  for (std::size_t i = 0; i < counts.size(); ++i) {
    const double excess = static_cast<double>(counts[i]) - total * law[i];
    sum += excess * excess / (total * law[i]);
  }
  return chi_square_p_value(sum, counts.size() - 1);
}

/// Returns the probability under the law that the p-value is at most `level`.
template <class PValueOf>
double size_at(double level, std::uint64_t total, const Law& law, PValueOf p_value_of) {
  double size = 0;
  for_all_counts(total, law.size(), [&](const Counts& counts) {
    if (p_value_of(counts) <= level) size += probability(counts, law);
  });
  return size;
}

}  // namespace

TEST_CASE("multinomial_test: is valid at every level, by enumeration of all outcomes",
          "[core][statistics]") {
  const std::vector<std::pair<std::uint64_t, Law>> cases = {
      {1, {0.3, 0.7}},
      {6, {0.2, 0.3, 0.5}},
      {12, {0.1, 0.2, 0.3, 0.4}},
      {30, {0.9, 0.09, 0.01}},
      {10, {0.01, 0.02, 0.9, 0.07}},
      {5, {0.5, 0.25, 0.125, 0.0625, 0.0625}}};
  for (const auto& [total, law] : cases) {
    std::vector<std::pair<double, double>> outcomes;  // p-value, probability
    for_all_counts(total, law.size(), [&, &law = law](const Counts& counts) {
      outcomes.emplace_back(multinomial_p_value(counts, law), probability(counts, law));
    });
    std::sort(outcomes.begin(), outcomes.end());
    double size = 0;
    bool is_valid = true;
    for (std::size_t i = 0; i < outcomes.size(); ++i) {
      size += outcomes[i].second;
      const bool is_last_of_level =
          i + 1 == outcomes.size() || outcomes[i + 1].first > outcomes[i].first;
      if (is_last_of_level) is_valid &= size <= outcomes[i].first * (1 + 1e-9);
    }
    CAPTURE(total, law.size());
    CHECK(is_valid);
    CHECK(size == Approx(1));
  }
}

TEST_CASE("multinomial_test: is valid where Pearson's chi-square is not", "[core][statistics]") {
  // The expectation of each small cell is 5 counts, the minimum by the rule of thumb.
  const Law law = {0.025, 0.025, 0.95};
  const auto pearson = [&](const Counts& counts) { return pearson_p_value(counts, law, 200); };
  const auto exact = [&](const Counts& counts) { return multinomial_p_value(counts, law); };
  for (const double level : {1e-3, 1e-6, 1e-9, 1e-12}) {
    CAPTURE(level);
    CHECK(size_at(level, 200, law, exact) <= level);
  }
  CHECK(size_at(1e-9, 200, law, pearson) > 1e-7);
}

TEST_CASE("multinomial_test: equals the binomial test for two cells", "[core][statistics]") {
  for (const std::uint64_t positives : {0, 3, 17, 50}) {
    CHECK(multinomial_p_value(Counts{positives, 50 - positives}, Law{0.3, 0.7}) ==
          Approx(binomial_two_sided_p_value(positives, 50, 0.3)).epsilon(1e-12));
  }
}

TEST_CASE("multinomial_test: impossible counts have p-value 0, certain counts p-value 1",
          "[core][statistics]") {
  CHECK(multinomial_p_value(Counts{5, 1, 0}, Law{0.5, 0.0, 0.5}) == 0);
  CHECK(multinomial_p_value(Counts{0, 9}, Law{0.0, 1.0}) == 1);
  CHECK(multinomial_p_value(Counts{0, 0}, Law{0.5, 0.5}) == 1);
  CHECK(multinomial_p_value(Counts{4}, Law{1.0}) == 1);
  CHECK(multinomial_p_value(Counts{0, 10'000}, Law{0.99, 0.01}) == 0);  // underflow, no NaN
}

TEST_CASE("multinomial_test: rare cells are merged with their neighbours", "[core][statistics]") {
  // The expectation of the third cell is only 0.01 counts, so the test gives the same result
  // without this cell.
  const double p_value = multinomial_p_value(Counts{480, 519, 1}, Law{0.5, 0.49999, 0.00001});
  CHECK(p_value == Approx(multinomial_p_value(Counts{480, 520}, Law{0.5, 0.5})).epsilon(1e-12));
}

TEST_CASE("multinomial_test: randomised p-values are uniform", "[core][statistics][exhaustive]") {
  // The test covers all outcomes of 4 counts, with v on a grid of midpoints. The share of p-values
  // up to a level must equal the level to within the width of two grid cells.
  const Law law = {0.2, 0.3, 0.5};
  constexpr int kSteps = 100;
  for (const double level : {0.05, 0.3, 0.5, 0.8}) {
    double size = 0;
    for_all_counts(4, 3, [&](const Counts& counts) {
      double below = 0;
      for (int i = 0; i < kSteps; ++i) {
        for (int j = 0; j < kSteps; ++j) {
          const std::vector<double> v = {(i + 0.5) / kSteps, (j + 0.5) / kSteps, 0};
          below += multinomial_randomised_p_value(counts, law, v) <= level ? 1 : 0;
        }
      }
      size += below / (kSteps * kSteps) * probability(counts, law);
    });
    CAPTURE(level);
    CHECK(size == Approx(level).margin(2.0 / kSteps));
  }
}

TEST_CASE("multinomial_test: impossible arguments are refused", "[core][statistics]") {
  CHECK_THROWS_AS(multinomial_p_value(Counts{1}, Law{0.5, 0.5}), std::domain_error);
  CHECK_THROWS_AS(multinomial_p_value(Counts{}, Law{}), std::domain_error);
  CHECK_THROWS_AS(multinomial_p_value(Counts{1, 1}, Law{1.5, -0.5}), std::domain_error);
  CHECK_THROWS_AS(multinomial_randomised_p_value(Counts{1, 1}, Law{0.5, 0.5}, Law{0.5}),
                  std::domain_error);
}
