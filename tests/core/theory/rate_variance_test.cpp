#include "core/theory/rate_variance.hpp"

#include <cmath>

#include "core/theory/standard_rates.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/probe_models.hpp"

using namespace bloometry::theory;
using bloometry::kD;
using bloometry::kP;
using bloometry::kW;
using bloometry::ProbeModel;

// The expected variances are 400-digit evaluations of E[F^2] - E[F]^2.

TEST_CASE("rate variance: equals exact values where filters differ", "[core][theory]") {
  // At the first point, the allowed error is 4e-15 E[F]^2/Var(F), where E[F]^2/Var(F) is 7.
  CHECK(rate_variance(kW, 10, 100, 7) == Approx(1.1942530034995959e-5).epsilon(1e-13));
  CHECK(rate_variance(kP, 94, 100, 32) == Approx(1.8022779736428785e-12).epsilon(1e-13));
}

TEST_CASE("rate variance: one hash makes it the variance of the fill fraction", "[core][theory]") {
  for (const auto model : {kW, kD, kP}) {
    // For n = 3 and m = 4, X is 1, 2, 3 with probability 1/16, 9/16, 6/16.
    const double mean = (1.0 + 18.0 + 18.0) / 64.0;
    const double square = (1.0 + 36.0 + 54.0) / 256.0;
    CHECK(rate_variance(model, 3, 4, 1) == Approx(square - mean * mean).epsilon(1e-13));
  }
}

TEST_CASE("rate variance: nearly full and nearly empty filters are precise", "[core][theory]") {
  CHECK(rate_variance(kW, 4, 2, 16) == Approx(1.0841690855134378e-19).epsilon(1e-10));
  CHECK(rate_variance(kW, 6, 3, 16) == Approx(3.7242343732646586e-17).epsilon(1e-10));
  CHECK(rate_variance(kD, 8, 17, 16) == Approx(2.1587366848802736e-9).epsilon(1e-7));
  // The filter is too large for the exact law, so the first-order form is used. The error of the
  // first-order form is about k/E[X].
  CHECK(rate_variance(kW, 1'875'000, 1'000'000, 16) ==
        Approx(2.3954796145519813e-17).epsilon(2e-5));
}

TEST_CASE("rate variance: is 0 without keys and where all filters are equal", "[core][theory]") {
  CHECK(rate_variance(kW, 0, 100, 7) == 0.0);
  CHECK(rate_variance(kD, 1, 100, 7) == 0.0);
  CHECK(rate_variance(kP, 1, 100, 7) == 0.0);
  CHECK(rate_variance(kW, 5, 1, 3) == 0.0);
}
