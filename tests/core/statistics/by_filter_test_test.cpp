#include "core/statistics/by_filter_test.hpp"

#include <cmath>
#include <cstdint>
#include <stdexcept>

#include "tests/support/catch.hpp"

using namespace bloometry::statistics;
using Decision = ByFilterTest::Decision;

namespace {

/// Returns a law of rates. The law narrow() has the mean of wide() and is smaller in the convex
/// order.
const RateMixture& wide() {
  static const RateMixture law({{0.1, 1.0}, {0.4, 1.0}});
  return law;
}

const RateMixture& narrow() {
  static const RateMixture law({{0.2, 1.0}, {0.3, 1.0}});
  return law;
}

/// Returns E[evidence] over every possible outcome of two filters with three queries each.
double expected_evidence(const RateMixture& truth) {
  const unsigned ways[] = {1, 3, 3, 1};
  double total = 0.0;
  for (unsigned a = 0; a <= 3; ++a) {
    for (unsigned b = 0; b <= 3; ++b) {
      ByFilterTest test(wide(), 3, {});
      test.observe(a, 3);
      test.begin_filter();
      test.observe(b, 3);
      total += ways[a] * ways[b] *
               std::exp(truth.log_likelihood(a, 3 - a) + truth.log_likelihood(b, 3 - b) +
                        test.log_evidence());
    }
  }
  return total;
}

/// Returns a test that has observed 1000 filters, or fewer filters if the test was decided earlier.
/// Each filter has 1000 queries and the given number of positives.
ByFilterTest after_filters_of(std::uint64_t positives) {
  ByFilterTest test(RateMixture({{0.09, 1.0}, {0.1, 2.0}, {0.11, 1.0}}), 1000, {});
  for (int i = 0; i < 1000 && test.decision() == Decision::kOpen; ++i) {
    test.begin_filter();
    test.observe(positives, 1000);
  }
  return test;
}

}  // namespace

TEST_CASE(
    "by-filter test: the evidence has expectation 1 under its law, and less under a narrower law",
    "[core][statistics]") {
  CHECK(expected_evidence(wide()) == Approx(1.0).epsilon(1e-12));
  CHECK(expected_evidence(narrow()) < 0.9999);
}

TEST_CASE("by-filter test: only complete filters add evidence", "[core][statistics]") {
  ByFilterTest whole(wide(), 20, {});
  whole.observe(9, 20);
  ByFilterTest pieces(wide(), 20, {});
  pieces.observe(12, 12);
  CHECK(pieces.log_evidence() == Approx(0.0).margin(1e-15));
  pieces.begin_filter();  // the previous filter is unfinished
  pieces.observe(4, 5);
  pieces.observe(0, 0);
  pieces.observe(5, 15);
  CHECK(pieces.log_evidence() == whole.log_evidence());
}

TEST_CASE("by-filter test: rejects deviations of both signs and accepts the claim",
          "[core][statistics]") {
  CHECK(after_filters_of(100).decision() == Decision::kAccepted);
  for (const std::uint64_t positives : {0U, 50U, 90U, 110U, 1000U}) {
    INFO(positives << " positives of 1000, 100 expected");
    const ByFilterTest test = after_filters_of(positives);
    CHECK(test.decision() == Decision::kRejected);
    CHECK(test.p_value() <= 1e-6);
  }
}

TEST_CASE("by-filter test: the smallest and largest rates give finite evidence",
          "[core][statistics]") {
  for (const double rate : {1e-120, 1e-20, 0.9999, 1.0}) {
    ByFilterTest test(RateMixture::certain(rate), 1000, {});
    test.observe(rate < 0.5 ? 0 : 1000, 1000);
    INFO("rate " << rate);
    CHECK(std::isfinite(test.log_evidence()));
    CHECK(test.p_value() > 0.01);
    CHECK(test.decision() == Decision::kOpen);
  }
  ByFilterTest impossible(RateMixture::certain(1e-20), 1000, {});
  impossible.observe(2, 1000);
  CHECK(impossible.decision() == Decision::kRejected);
}

TEST_CASE("by-filter test: rejects invalid settings and counts", "[core][statistics]") {
  CHECK_THROWS_AS(ByFilterTest(wide(), 0, {}), std::domain_error);
  CHECK_THROWS_AS(ByFilterTest(wide(), 10, {.false_alarm = 0}), std::domain_error);
  ByFilterTest test(wide(), 10, {});
  CHECK_THROWS_AS(test.observe(3, 2), std::domain_error);
  CHECK_THROWS_AS(test.observe(3, 11), std::domain_error);
}
