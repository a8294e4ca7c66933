#include "core/statistics/sequential_test.hpp"

#include <cmath>
#include <cstdint>
#include <functional>
#include <limits>
#include <stdexcept>

#include "tests/support/catch.hpp"

using namespace bloometry::statistics;
using Decision = SequentialTest::Decision;

namespace {

const RateMixture& two_rates() {
  static const RateMixture mixture({{0.1, 1.0}, {0.4, 1.0}});
  return mixture;
}

/// Returns E[M] over every possible outcome of two filters with batches of 3 and 2 queries each.
double expected_evidence() {
  const unsigned ways3[] = {1, 3, 3, 1};
  const unsigned ways2[] = {1, 2, 1};
  double total = 0.0;
  for (unsigned a = 0; a <= 3; ++a) {
    for (unsigned b = 0; b <= 2; ++b) {
      for (unsigned c = 0; c <= 3; ++c) {
        for (unsigned d = 0; d <= 2; ++d) {
          SequentialTest test(two_rates(), {});
          test.observe(a, 3);
          test.observe(b, 2);
          test.begin_filter();
          test.observe(c, 3);
          test.observe(d, 2);
          const double probability = ways3[a] * ways2[b] * ways3[c] * ways2[d] *
                                     std::exp(two_rates().log_likelihood(a + b, 5 - a - b) +
                                              two_rates().log_likelihood(c + d, 5 - c - d));
          total += probability * std::exp(test.log_evidence());
        }
      }
    }
  }
  return total;
}

}  // namespace

TEST_CASE("sequential test: the evidence has expectation 1 under the hypothesis",
          "[core][statistics]") {
  CHECK(expected_evidence() == Approx(1.0).epsilon(1e-12));
}

TEST_CASE(
    "sequential test: the evidence does not depend on how the queries of a filter are batched",
    "[core][statistics]") {
  SequentialTest whole(two_rates(), {});
  whole.observe(9, 20);
  SequentialTest pieces(two_rates(), {});
  pieces.observe(4, 5);
  pieces.observe(0, 0);
  pieces.observe(5, 15);
  CHECK(pieces.log_evidence() == Approx(whole.log_evidence()).epsilon(1e-12));
}

TEST_CASE(
    "sequential test: a rate that changes within a filter is evidence, differences between filters "
    "are not",
    "[core][statistics]") {
  const RateMixture spread({{0.01, 1.0}, {0.99, 1.0}});
  SequentialTest differing(spread, {});
  differing.observe(99, 100);
  differing.begin_filter();
  differing.observe(1, 100);
  CHECK(differing.log_evidence() < 0.0);
  SequentialTest changing(spread, {});
  changing.observe(99, 100);
  changing.observe(1, 100);
  CHECK(changing.log_evidence() > 100.0);
}

TEST_CASE("sequential test: rejects at the first positive if the rate is 0", "[core][statistics]") {
  SequentialTest test(RateMixture::certain(0.0), {});
  test.observe(0, 1000);
  CHECK(test.decision() != Decision::kRejected);
  test.observe(1, 1000);
  CHECK(std::isinf(test.log_evidence()));
  CHECK(test.p_value() == 0.0);
}

TEST_CASE("sequential test: a decision is final, and the p-value is the least so far",
          "[core][statistics]") {
  SequentialTest test(RateMixture::certain(0.01), {});
  test.observe(50, 100);
  REQUIRE(test.decision() == Decision::kRejected);
  const double p_value = test.p_value();
  CHECK(p_value < 1e-6);
  for (int i = 0; i < 100; ++i) test.observe(0, 100);
  CHECK(test.decision() == Decision::kRejected);
  CHECK(test.p_value() == p_value);
}

TEST_CASE("sequential test: rejects as soon as the evidence reaches 1 / false alarm",
          "[core][statistics]") {
  const double limit = -std::log(1e-6);
  SequentialTest test(RateMixture::certain(0.5), {.false_alarm = 1e-6});
  double before = 0.0;
  while (test.decision() == Decision::kOpen) {
    before = test.log_evidence();
    test.observe(1, 1);
  }
  REQUIRE(test.decision() == Decision::kRejected);
  CHECK(test.log_evidence() >= limit);
  CHECK(before < limit);
  CHECK(test.log_evidence() - before < 0.06 * limit);  // a positive at rate 1/2 adds log 2
}

TEST_CASE(
    "sequential test: accepts the expected number of positives after the predicted number of "
    "batches",
    "[core][statistics]") {
  SequentialTest test(RateMixture::certain(0.01), {});
  unsigned num_batches = 0;
  while (test.decision() == Decision::kOpen && num_batches < 10'000) {
    test.observe(1, 100);
    ++num_batches;
  }
  CHECK(test.decision() == Decision::kAccepted);
  // For acceptance, the likelihood of p must be 100 times the likelihood of 1.1 p. The logarithm of
  // the likelihood ratio grows by p (0.1 - log 1.1) = 4.69e-5 per query, up to terms of order p^2.
  CHECK(num_batches == Approx(std::log(100.0) / 4.69e-5 / 100.0).epsilon(0.15));
}

TEST_CASE("sequential test: for one certain rate, changing the filter does not change the evidence",
          "[core][statistics]") {
  for (const unsigned positives_per_batch : {1U, 2U}) {  // 1 is accepted, 2 is rejected
    SequentialTest one(RateMixture::certain(0.01), {});
    SequentialTest many(RateMixture::certain(0.01), {});
    while (one.decision() == Decision::kOpen) {
      one.observe(positives_per_batch, 100);
      many.begin_filter();
      many.observe(positives_per_batch, 100);
      REQUIRE(many.decision() == one.decision());
      REQUIRE(many.log_evidence() == Approx(one.log_evidence()).margin(1e-8));
    }
  }
}

TEST_CASE("sequential test: rejects invalid settings", "[core][statistics]") {
  const RateMixture rates = RateMixture::certain(0.01);
  CHECK_THROWS_AS(SequentialTest(rates, {.false_alarm = 0.0}), std::domain_error);
  CHECK_THROWS_AS(SequentialTest(rates, {.deviation = 1.0}), std::domain_error);
  CHECK_THROWS_AS(SequentialTest(rates, {.miss = 0.0}), std::domain_error);
  SequentialTest test(rates, {});
  CHECK_THROWS_AS(test.observe(2, 1), std::domain_error);
}

TEST_CASE("sequential test: a filter of known state is judged by its own rate",
          "[core][statistics]") {
  // The evidence of two filters with known rates 0.1 and 0.4 is the product of the evidence of each
  // filter.
  SequentialTest known(two_rates(), {});
  known.begin_filter(RateMixture::certain(0.1));
  known.observe(1, 10);
  known.begin_filter(RateMixture::certain(0.4));
  known.observe(4, 10);
  CHECK(known.decision() == Decision::kOpen);
  CHECK(known.log_evidence() < 0);
  // The result of 400 positives in 1000 queries fits the mixture but not the known rate 0.1 of the
  // filter.
  SequentialTest other(two_rates(), {});
  other.begin_filter(RateMixture::certain(0.1));
  other.observe(400, 1000);
  CHECK(other.decision() == Decision::kRejected);
  SequentialTest same(RateMixture::certain(0.1), {});
  same.observe(400, 1000);
  CHECK(other.log_evidence() == Approx(same.log_evidence()));
}
