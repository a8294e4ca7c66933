#include "core/statistics/total_positives_test.hpp"

#include <cmath>
#include <limits>
#include <stdexcept>
#include <vector>

#include "core/statistics/binomial_test.hpp"
#include "core/statistics/special_functions.hpp"
#include "core/theory/rate_law.hpp"
#include "tests/support/catch.hpp"

using namespace bloometry::statistics;

namespace {

/// Returns the exact law of the total number of positives, computed by convolution of the law of
/// one filter.
std::vector<double> exact_total(const RateMixture& rates, unsigned num_filters, unsigned queries) {
  std::vector<double> one(queries + 1);
  for (unsigned positives = 0; positives <= queries; ++positives) {
    double ways = 0.0;  // log C(queries, positives)
    for (unsigned i = 0; i < positives; ++i) ways += std::log((queries - i) / (i + 1.0));
    one[positives] = std::exp(ways + rates.log_likelihood(positives, queries - positives));
  }
  std::vector<double> total{1.0};
  for (unsigned filter = 0; filter < num_filters; ++filter) {
    std::vector<double> sum(total.size() + queries, 0.0);
    for (std::size_t a = 0; a < total.size(); ++a) {
      for (std::size_t b = 0; b < one.size(); ++b) sum[a + b] += total[a] * one[b];
    }
    total = std::move(sum);
  }
  return total;
}

const RateMixture& tiny_filter() {
  static const RateMixture law =
      bloometry::theory::rate_law(bloometry::ProbeModel::kWithReplacement, 10, 64, 4);
  return law;
}

}  // namespace

TEST_CASE("total positives: bounds are above the exact tails and close to them",
          "[core][statistics]") {
  constexpr unsigned kFilters = 20;
  constexpr unsigned kQueries = 60;
  const TotalPositivesTest test(tiny_filter(), kFilters, kQueries);
  const std::vector<double> exact = exact_total(tiny_filter(), kFilters, kQueries);
  double mean = 0.0;
  double square = 0.0;
  for (std::size_t s = 0; s < exact.size(); ++s) {
    mean += static_cast<double>(s) * exact[s];
    square += static_cast<double>(s * s) * exact[s];
  }
  CHECK(test.mean() == Approx(mean).epsilon(1e-12));
  CHECK(test.variance() == Approx(square - mean * mean).epsilon(1e-10));

  double upper = 0.0;
  for (std::size_t s = exact.size(); s-- > 0;) {
    upper += exact[s];
    if (upper < 1e-40 || upper > 1.0 - 1e-12) continue;
    INFO("P(S >= " << s << ") = " << upper);
    CHECK(test.upper_tail(s) >= upper * (1.0 - 1e-9));
    // Chernoff's bound exceeds the tail by a factor of z sqrt(2 pi) and, for counts, by the width
    // of one count. The factor 60 is sufficient at z = 12 and beyond.
    CHECK(test.upper_tail(s) <= upper * 60.0);
  }
  double lower = 0.0;
  for (std::size_t s = 0; s < exact.size(); ++s) {
    lower += exact[s];
    if (lower < 1e-40 || lower > 1.0 - 1e-12) continue;
    INFO("P(S <= " << s << ") = " << lower);
    CHECK(test.lower_tail(s) >= lower * (1.0 - 1e-9));
    CHECK(test.lower_tail(s) <= lower * 60.0);
  }
}

TEST_CASE("total positives: a correct total is rejected with probability below the false alarm",
          "[core][statistics]") {
  // The sum covers the complete law for 12 filters of 40 queries, without sampling.
  const TotalPositivesTest test(tiny_filter(), 12, 40);
  const std::vector<double> exact = exact_total(tiny_filter(), 12, 40);
  for (const double alpha : {0.05, 1e-3, 1e-6, 1e-12}) {
    double rejected = 0.0;
    for (std::size_t s = 0; s < exact.size(); ++s) {
      if (test.two_sided_p_value(s) < alpha) rejected += exact[s];
    }
    INFO("false alarm " << alpha);
    CHECK(rejected <= alpha);
    CHECK(rejected > alpha / 1000);  // the test is not vacuous
  }
}

TEST_CASE("total positives: a binomial test around the expected rate would reject correct filters",
          "[core][statistics]") {
  // With few filters and many queries, the binomial interval is too narrow (theory 9.3).
  const std::vector<double> exact = exact_total(tiny_filter(), 3, 400);
  double rejected = 0.0;
  for (std::size_t s = 0; s < exact.size(); ++s) {
    if (binomial_two_sided_p_value(s, 1200, tiny_filter().mean()) < 1e-6) rejected += exact[s];
  }
  CHECK(rejected > 1000 * 1e-6);
}

TEST_CASE("total positives: limits are the first counts that are rejected", "[core][statistics]") {
  const TotalPositivesTest test(tiny_filter(), 50, 200);
  const TotalPositivesTest::Limits limits = test.limits(1e-6);
  REQUIRE(limits.lower > 0.0);
  CHECK(test.two_sided_p_value(static_cast<std::uint64_t>(limits.upper)) < 1e-6);
  CHECK(test.two_sided_p_value(static_cast<std::uint64_t>(limits.upper) - 1) >= 1e-6);
  CHECK(test.two_sided_p_value(static_cast<std::uint64_t>(limits.lower)) < 1e-6);
  CHECK(test.two_sided_p_value(static_cast<std::uint64_t>(limits.lower) + 1) >= 1e-6);
  // Each side has half of the false-alarm probability.
  CHECK(test.upper_tail(static_cast<std::uint64_t>(limits.upper) - 1) >= 0.5e-6);
  CHECK(test.upper_tail(static_cast<std::uint64_t>(limits.upper)) < 0.5e-6);
}

TEST_CASE("total positives: limits are outside the range if no count can be rejected",
          "[core][statistics]") {
  const TotalPositivesTest test(RateMixture::certain(0.5), 1, 3);
  CHECK(test.limits(1e-6).lower == -1.0);
  CHECK(test.limits(1e-6).upper == 4.0);
  CHECK(test.detected(1e-6, 0.01).below == 0.0);
  CHECK(std::isinf(test.detected(1e-6, 0.01).above));
}

TEST_CASE(
    "total positives: deviations reported as detectable are missed with the stated probability",
    "[core][statistics]") {
  const TotalPositivesTest test(tiny_filter(), 200, 300);
  const auto [below, above] = test.detected(1e-3, 0.01);
  const TotalPositivesTest::Limits limits = test.limits(1e-3);
  REQUIRE(below > 0.5);
  REQUIRE(above < 2.0);
  // At the factors `below` and `above`, the probability of rejection follows from the exact mean
  // and variance of the deviating positives.
  for (const double factor : {below, above}) {
    const TotalPositivesTest deviating(tiny_filter().scaled(factor), 200, 300);
    const double limit = factor > 1 ? limits.upper : limits.lower;
    const double z = std::abs(deviating.mean() - limit) / std::sqrt(deviating.variance());
    CHECK(normal_upper_tail(z) == Approx(0.01).epsilon(0.02));  // scaled() limits rates to 1
  }
}

TEST_CASE("total positives: impossible counts are refused", "[core][statistics]") {
  const TotalPositivesTest test(RateMixture::certain(0.1), 2, 10);
  CHECK_THROWS_AS(test.two_sided_p_value(21), std::domain_error);
  CHECK_THROWS_AS(TotalPositivesTest(RateMixture::certain(0.1), 0, 10), std::domain_error);
  CHECK_THROWS_AS(TotalPositivesTest(RateMixture::certain(0.1), 2, 0), std::domain_error);
  CHECK_THROWS_AS(test.limits(0.0), std::domain_error);
}

TEST_CASE("total positives: a positive at rate 0 has p-value 0", "[core][statistics]") {
  const TotalPositivesTest test(RateMixture::certain(0.0), 2, 10);
  CHECK(test.two_sided_p_value(0) == 1.0);
  CHECK(test.two_sided_p_value(1) < 1e-100);
}
