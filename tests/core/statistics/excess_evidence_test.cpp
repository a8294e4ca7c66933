#include "core/statistics/excess_evidence.hpp"

#include <cmath>
#include <limits>
#include <optional>
#include <stdexcept>
#include <vector>

#include "core/statistics/special_functions.hpp"
#include "tests/support/catch.hpp"

using namespace bloometry::statistics;

namespace {

constexpr double kInfinite = std::numeric_limits<double>::infinity();

double evidence_of(const ExcessEvidence& evidence) {
  return std::exp(evidence.log_evidence());
}

/// Returns P(X = count), where X has the law Bin(num_queries, rate).
double binomial_weight(std::uint64_t count, std::uint64_t num_queries, double rate) {
  const double x = static_cast<double>(count);
  const double n = static_cast<double>(num_queries);
  return std::exp(std::lgamma(n + 1) - std::lgamma(x + 1) - std::lgamma(n - x + 1) +
                  x * std::log(rate) + (n - x) * std::log1p(-rate));
}

/// Returns the mean evidence after another check of new keys, or of keys that each occur
/// max_repeats times, if the rate is `rate` and the test allows `allowed`.
double mean_after(const ExcessEvidence& before, std::uint64_t num_keys,
                  std::optional<std::uint64_t> max_repeats, double rate, double allowed) {
  const std::uint64_t repeats = max_repeats.value_or(1);
  double mean = 0.0;
  for (std::uint64_t x = 0; x <= num_keys; ++x) {
    ExcessEvidence after = before;
    after.observe(
        {.positives = x * repeats, .num_queries = num_keys * repeats, .max_repeats = max_repeats},
        allowed);
    mean += binomial_weight(x, num_keys, rate) * evidence_of(after);
  }
  return mean;
}

/// Returns the evidence of some checks with counts that chance may give.
ExcessEvidence after_checks(unsigned num_checks) {
  ExcessEvidence evidence;
  for (unsigned i = 0; i < num_checks; ++i) {
    evidence.observe({.positives = i % 3, .num_queries = 20}, 0.05);
  }
  return evidence;
}

}  // namespace

TEST_CASE("excess evidence: starts at 1 and is a martingale at the allowed rate",
          "[core][statistics]") {
  CHECK(evidence_of(ExcessEvidence()) == 1.0);
  for (const unsigned num_checks : {0U, 1U, 2U, 7U}) {
    const ExcessEvidence before = after_checks(num_checks);
    for (const double rate : {0.5, 0.1, 0.001}) {
      for (const std::uint64_t num_queries : {1U, 5U, 30U}) {
        INFO(num_checks << " checks, rate " << rate << ", " << num_queries << " queries");
        CHECK(mean_after(before, num_queries, {}, rate, rate) ==
              Approx(evidence_of(before)).epsilon(1e-11));
      }
    }
  }
}

TEST_CASE("excess evidence: its mean does not grow below the allowed rate or with repeated keys",
          "[core][statistics]") {
  for (const unsigned num_checks : {0U, 1U, 7U}) {
    const ExcessEvidence before = after_checks(num_checks);
    CHECK(mean_after(before, 20, {}, 0.05, 0.1) < evidence_of(before));
    for (const std::uint64_t repeats : {2U, 10U}) {
      const double mean = mean_after(before, 20, repeats, 0.1, 0.1);
      CHECK(mean < evidence_of(before));
      CHECK(mean > mean_after(before, 20, repeats, 0.05, 0.1));
    }
  }
}

TEST_CASE("excess evidence: repeated keys are a supermartingale for every split of the queries",
          "[core][statistics]") {
  // Keys with 1, 2 and 5 queries, at most 5 each. All 2^3 sets of positive keys are summed.
  const std::vector<std::uint64_t> queries_of_key = {1, 2, 5};
  for (const double rate : {0.3, 0.01}) {
    double mean = 0.0;
    for (unsigned set = 0; set < 8; ++set) {
      CheckedQueries check{.num_queries = 8, .max_repeats = 5};
      double weight = 1.0;
      for (unsigned key = 0; key < 3; ++key) {
        const bool is_positive = (set >> key & 1U) != 0;
        weight *= is_positive ? rate : 1.0 - rate;
        check.positives += is_positive ? queries_of_key[key] : 0;
      }
      ExcessEvidence evidence;
      evidence.observe(check, rate);
      mean += weight * evidence_of(evidence);
    }
    CHECK(mean <= 1.0);
  }
}

TEST_CASE("excess evidence: one check has the evidence of the formula", "[core][statistics]") {
  ExcessEvidence evidence;
  evidence.observe({.positives = 9, .num_queries = 100}, 0.02);
  double sum = 0.0;
  for (const double factor : kExcessFactors) {
    sum += std::pow(factor, 9) / std::pow(1 + 0.02 * (factor - 1), 100);
  }
  CHECK(evidence_of(evidence) == Approx(0.5 + 0.5 * sum / 9));
}

TEST_CASE("excess evidence: a late fault is found as early as one at the start",
          "[core][statistics]") {
  const auto checks_until_alarm = [](ExcessEvidence evidence) {
    unsigned num_checks = 0;
    while (evidence.log_evidence() < std::log(1e6)) {
      evidence.observe({.positives = 20, .num_queries = 1000}, 0.01);
      ++num_checks;
    }
    return num_checks;
  };
  ExcessEvidence old;
  for (int i = 0; i < 10'000; ++i) old.observe({.positives = 10, .num_queries = 1000}, 0.01);
  // A check adds 20 log 2 - 1000 log 1.01 = 3.9 to the logarithm, and a late start costs at most
  // 2 log 10,010 = 18.4.
  CHECK(checks_until_alarm(old) <= checks_until_alarm(ExcessEvidence()) + 5);
}

TEST_CASE("excess evidence: keys that occur in several checks are not multiplied",
          "[core][statistics]") {
  // One key with 10 of 100 queries is a false positive in each of 1,000 checks.
  ExcessEvidence repeated;
  ExcessEvidence as_if_new;
  for (int i = 0; i < 1000; ++i) {
    repeated.observe({.positives = 10, .num_queries = 100, .max_repeats = 10}, 0.01);
    as_if_new.observe({.positives = 10, .num_queries = 100}, 0.01);
  }
  // The mean of c / exp(0.1 (c - 1)) over the factors is 1.90.
  CHECK(evidence_of(repeated) == Approx(1.90).epsilon(0.01));
  CHECK(as_if_new.log_evidence() > std::log(1e6));
}

TEST_CASE("excess evidence: continues from its sums", "[core][statistics]") {
  const ExcessEvidence before = after_checks(5);
  CHECK(ExcessEvidence(before.sums()).log_evidence() == before.log_evidence());
  CHECK(ExcessEvidence(ExcessEvidence().sums()).log_evidence() == 0.0);
}

TEST_CASE("excess evidence: a false positive at rate 0 is proof, and stays so",
          "[core][statistics]") {
  ExcessEvidence evidence;
  evidence.observe({.positives = 0, .num_queries = 1000}, 0.0);
  CHECK(evidence.log_evidence() == Approx(0.0).margin(1e-12));
  evidence.observe({.positives = 1, .num_queries = 1000}, 0.0);
  CHECK(evidence.log_evidence() == kInfinite);
  evidence.observe({.positives = 0, .num_queries = 1000}, 1.0);
  CHECK(evidence.log_evidence() == kInfinite);
}

TEST_CASE("excess evidence: the number of queries has the stated power, and no fewer have it",
          "[core][statistics]") {
  for (const double rate : {0.3, 0.01, 1e-6}) {
    const std::uint64_t num_queries = queries_to_detect_double(rate, 1e-6, 0.99).value();
    const auto power = [&](std::uint64_t n) {
      std::uint64_t x = 0;
      const auto is_alarm = [&] {
        ExcessEvidence evidence;
        evidence.observe({.positives = x, .num_queries = n}, rate);
        return evidence.log_evidence() >= std::log(1e6);
      };
      while (x <= n && !is_alarm()) ++x;
      return binomial_upper_tail(static_cast<double>(n), 2 * rate, static_cast<double>(x));
    };
    INFO("rate " << rate << ": " << num_queries);
    CHECK(power(num_queries) >= 0.99);
    CHECK(power(num_queries - num_queries / 10) < 0.99);
  }
  CHECK(queries_to_detect_double(0.01, 1e-6, 0.99, 10).value() >
        9 * queries_to_detect_double(0.01, 1e-6, 0.99).value());
  CHECK_FALSE(queries_to_detect_double(0.0, 1e-6, 0.99));
  CHECK_FALSE(queries_to_detect_double(1.0, 1e-6, 0.99));
  CHECK_FALSE(queries_to_detect_double(1e-300, 1e-6, 0.99));
}

TEST_CASE("excess evidence: rejects invalid arguments", "[core][statistics]") {
  ExcessEvidence evidence;
  CHECK_THROWS_AS(evidence.observe({.positives = 2, .num_queries = 1}, 0.1), std::domain_error);
  CHECK_THROWS_AS(evidence.observe({.num_queries = 1}, 1.5), std::domain_error);
  CHECK_THROWS_AS(evidence.observe({.num_queries = 1}, std::nan("")), std::domain_error);
  CHECK_THROWS_AS(evidence.observe({.num_queries = 1, .max_repeats = 0}, 0.1), std::domain_error);
  CHECK_THROWS_AS(ExcessEvidence({.log_repeated = std::nan("")}), std::domain_error);
  CHECK_THROWS_AS(queries_to_detect_double(0.1, 0.0, 0.99), std::domain_error);
  CHECK_THROWS_AS(queries_to_detect_double(0.1, 0.1, 1.0), std::domain_error);
  CHECK_THROWS_AS(queries_to_detect_double(0.1, 0.1, 0.9, 0), std::domain_error);
}
