#include "core/theory/rate_law.hpp"

#include <cmath>

#include "core/statistics/total_positives_test.hpp"
#include "core/theory/fill_law.hpp"
#include "core/theory/rate_variance.hpp"
#include "core/theory/standard_rates.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/probe_models.hpp"

using namespace bloometry::theory;
using bloometry::kD;
using bloometry::kP;
using bloometry::kW;
using bloometry::ProbeModel;
using bloometry::statistics::RateMixture;
using bloometry::statistics::TotalPositivesTest;

namespace {

struct LawPoint {
  std::uint64_t n;
  std::uint64_t m;
  unsigned k;
};

}  // namespace

TEST_CASE("rate law: its mean is the exact rate and its variance at most 1 % above the exact one",
          "[core][theory]") {
  for (const auto model : {kW, kD, kP}) {
    for (const auto& [n, m, k] : {LawPoint{10, 64, 4}, LawPoint{10, 100, 7}, LawPoint{100, 1024, 7},
                                  LawPoint{3000, 21895, 5}, LawPoint{50, 512, 1}}) {
      INFO("model " << static_cast<char>(model) << " (" << n << ", " << m << ", " << k << ")");
      const RateMixture law = rate_law(model, n, m, k);
      CHECK(law.mean() == Approx(exact_rate(model, n, m, k)).epsilon(1e-9));
      const double ratio = law.variance() / rate_variance(model, n, m, k);
      CHECK(ratio > 1.0 - 1e-7);
      CHECK(ratio < 1.01);
    }
  }
}

TEST_CASE("rate law: holds where the fill has a limit law", "[core][theory]") {
  for (const auto model : {kW, kD, kP}) {
    for (const auto& [n, m, k] : {LawPoint{1'000'000, 9'585'059, 7}, LawPoint{100'000, 958'506, 7},
                                  LawPoint{1000, 1'000'000'000, 3}}) {
      INFO("model " << static_cast<char>(model) << " (" << n << ", " << m << ", " << k << ")");
      const RateMixture law = rate_law(model, n, m, k);
      // The limit laws ignore skewness, which causes an error of at most 0.01 standard deviations
      // of F. At the first two points, the standard deviation is at most 0.4 %. The law at the
      // third point is a Poisson law with an expectation of 0.0045 collisions.
      CHECK(law.mean() == Approx(exact_rate(model, n, m, k)).epsilon(4e-5));
      CHECK(law.variance() < 1.02 * rate_variance(model, n, m, k) + 1e-40);
    }
  }
}

TEST_CASE("rate law: with one key of two distinct probes the rate is certain", "[core][theory]") {
  // With n = 1 and k = 2 in model D, X is always 2 and F is 1/C(5,2).
  const RateMixture law = rate_law(kD, 1, 5, 2);
  CHECK(law.size() == 1);
  CHECK(law.mean() == Approx(0.1).epsilon(1e-14));
}

TEST_CASE("rate law: without keys the rate is 0", "[core][theory]") {
  CHECK(rate_law(kW, 0, 100, 3).mean() == 0.0);
}

TEST_CASE("rate law: the normal limit gives the p-values of the exact law", "[core][theory]") {
  // The point is above the cost limit of the exact recurrence, so the limit law is used. The
  // p-values of the limit law are compared with the p-values of the exact law of the fill.
  constexpr std::uint64_t n = 8000;
  constexpr std::uint64_t m = 80'000;
  constexpr unsigned k = 7;
  REQUIRE(FillLaw(kW, n, m, k).method() == FillLaw::Method::kNormal);
  std::vector<double> pmf(n * k + 1, 0.0);
  pmf[0] = 1.0;
  std::size_t high = 0;
  std::size_t low = 0;
  for (std::uint64_t t = 0; t < n * k; ++t) {
    ++high;
    for (std::size_t x = high; x > low; --x) {
      pmf[x] = (pmf[x] * static_cast<double>(x) + pmf[x - 1] * static_cast<double>(m - x + 1)) /
               static_cast<double>(m);
    }
    pmf[low] *= static_cast<double>(low) / static_cast<double>(m);
    while (pmf[low] < 1e-60) pmf[low++] = 0.0;
    while (pmf[high] < 1e-60) pmf[high--] = 0.0;
  }
  std::vector<RateMixture::Part> parts;
  for (std::size_t x = low; x <= high; ++x) {
    parts.push_back({std::pow(static_cast<double>(x) / static_cast<double>(m), k), pmf[x]});
  }
  // With one filter and 10^9 queries, nearly all of the variance of the positives comes from the
  // fill.
  constexpr std::uint64_t kQueries = 1'000'000'000;
  const TotalPositivesTest exact(RateMixture(parts), 1, kQueries);
  const TotalPositivesTest limit(rate_law(kW, n, m, k), 1, kQueries);
  const double sd = std::sqrt(exact.variance());
  for (const double z : {-5.5, -3.0, 3.0, 5.5}) {
    const auto positives = static_cast<std::uint64_t>(exact.mean() + z * sd);
    INFO("z " << z);
    // The p-values must agree within the factor 1.3 that rate_law.hpp states. Chernoff's bound is
    // larger by a factor of 13 at these points.
    CHECK(std::abs(std::log(limit.two_sided_p_value(positives) /
                            exact.two_sided_p_value(positives))) < std::log(1.3));
  }
}
