#include "core/statistics/rate_mixture.hpp"

#include <cmath>
#include <stdexcept>

#include "tests/support/catch.hpp"

using bloometry::statistics::RateMixture;

namespace {

double choose(unsigned n, unsigned k) {
  double product = 1.0;
  for (unsigned i = 0; i < k; ++i) product *= static_cast<double>(n - i) / (i + 1.0);
  return product;
}

}  // namespace

TEST_CASE("rate mixture: mean and variance equal those of the parts", "[core][statistics]") {
  const RateMixture mixture({{0.1, 3.0}, {0.5, 0.0}, {0.3, 1.0}});
  CHECK(mixture.size() == 2);
  CHECK(mixture.mean() == Approx(0.15).epsilon(1e-15));
  CHECK(mixture.variance() == Approx(0.0075).epsilon(1e-14));
}

TEST_CASE("rate mixture: likelihoods of all numbers of positives add up to one",
          "[core][statistics]") {
  const RateMixture mixture({{0.0, 1.0}, {0.02, 2.0}, {0.7, 1.0}, {1.0, 0.5}});
  double total = 0.0;
  for (unsigned positives = 0; positives <= 30; ++positives) {
    total += choose(30, positives) * std::exp(mixture.log_likelihood(positives, 30 - positives));
  }
  CHECK(total == Approx(1.0).epsilon(1e-13));
}

TEST_CASE("rate mixture: the moment generating function equals the sum over the positives",
          "[core][statistics]") {
  const RateMixture mixture({{0.05, 1.0}, {0.4, 1.0}});
  for (const double theta : {-3.0, -0.1, 0.0, 0.2, 2.0}) {
    double sum = 0.0;
    for (unsigned positives = 0; positives <= 25; ++positives) {
      sum += choose(25, positives) *
             std::exp(mixture.log_likelihood(positives, 25 - positives) + theta * positives);
    }
    INFO("theta " << theta);
    CHECK(mixture.log_mgf(theta, 25) == Approx(std::log(sum)).margin(1e-13));
  }
}

TEST_CASE("rate mixture: the moment generating function at rate 1 does not underflow",
          "[core][statistics]") {
  CHECK(RateMixture::certain(1.0).log_mgf(-700, 10) == Approx(-7000));
  CHECK(RateMixture::certain(1.0).log_mgf(-1e-9, 10) == Approx(-1e-8));
}

TEST_CASE("rate mixture: certain outcomes have log-likelihood 0, impossible ones minus infinity",
          "[core][statistics]") {
  CHECK(std::isinf(RateMixture::certain(0.0).log_likelihood(1, 5)));
  CHECK(RateMixture::certain(0.0).log_likelihood(0, 5) == 0.0);
  CHECK(RateMixture::certain(1.0).log_likelihood(7, 0) == 0.0);
  CHECK(std::isinf(RateMixture::certain(1.0).log_likelihood(7, 1)));
}

TEST_CASE("rate mixture: a factor scales every rate, up to 1", "[core][statistics]") {
  const RateMixture scaled = RateMixture({{0.1, 1.0}, {0.6, 1.0}}).scaled(2.0);
  CHECK(scaled.mean() == Approx((0.2 + 1.0) / 2).epsilon(1e-14));
}

TEST_CASE("rate mixture: rejects invalid distributions", "[core][statistics]") {
  CHECK_THROWS_AS(RateMixture({}), std::domain_error);
  CHECK_THROWS_AS(RateMixture({{0.5, 0.0}}), std::domain_error);
  CHECK_THROWS_AS(RateMixture({{0.5, -1.0}, {0.1, 2.0}}), std::domain_error);
  CHECK_THROWS_AS(RateMixture({{1.5, 1.0}}), std::domain_error);
  CHECK_THROWS_AS(RateMixture({{std::nan(""), 1.0}}), std::domain_error);
}
