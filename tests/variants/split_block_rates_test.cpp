#include "variants/split_block/split_block_rates.hpp"

#include <cmath>
#include <stdexcept>

#include "core/theory/standard_rates.hpp"
#include "tests/support/catch.hpp"

using namespace bloometry;
using namespace bloometry::theory;

namespace {

/// Returns the closed form of the rate, sum_i (-1)^i C(8,i) [1-(1-(31/32)^i)/z]^n. The closed form
/// has large cancellation errors unless the rate is large.
double alternating_sum(double n, double z) {
  long double sum = 0.0;
  long double choose = 1.0;
  for (int i = 0; i <= 8; ++i) {
    const long double base = 1.0L - (1.0L - std::pow(31.0L / 32.0L, i)) / z;
    sum += (i % 2 == 0 ? 1 : -1) * choose * std::pow(base, static_cast<long double>(n));
    choose = choose * (8 - i) / (i + 1);
  }
  return static_cast<double>(sum);
}

}  // namespace

TEST_CASE("split-block rates: equal the finite alternating sum", "[variants][theory]") {
  // With 64-bit mantissas, the sum has rounding errors of about 256 * 5e-20 in total.
  for (const auto& [n, z] : {std::pair{100u, 4u}, {26214u, 1024u}, {52428u, 1024u}, {10u, 1u}}) {
    const double rate = split_block_rate(n, z);
    INFO("n " << n << ", z " << z);
    CHECK(rate == Approx(alternating_sum(n, z)).epsilon(1e-14).margin(256 * 1e-18));
  }
}

TEST_CASE("split-block rates: one block equals a partitioned filter", "[variants][theory]") {
  CHECK(split_block_rate(20, 1) == Approx(exact_rate_partitioned(20, 256, 8)).epsilon(1e-14));
  CHECK(split_block_rate(20, 1, {4, 64}) ==
        Approx(exact_rate_partitioned(20, 256, 4)).epsilon(1e-14));
}

TEST_CASE(
    "split-block rates: many blocks follow the Poisson form, and bits per key invert the rate",
    "[variants][theory]") {
  CHECK(split_block_rate(25'600'000, 1'000'000) ==
        Approx(split_block_poisson_rate(10)).epsilon(1e-5));
  for (const double p : {0.9, 0.1, 1e-4, 1e-9}) {
    CHECK(split_block_poisson_rate(split_block_bits_per_key(p)) == Approx(p).epsilon(1e-13));
  }
}

TEST_CASE("split-block rates: degenerate filters have rate 0 or 1, invalid arguments are refused",
          "[variants][theory]") {
  CHECK(split_block_rate(0, 5) == 0.0);
  CHECK(split_block_rate(1'000'000'000, 5) == 1.0);
  CHECK(split_block_rate(1, 1, {3, 1}) == 1.0);
  CHECK_THROWS_AS(split_block_rate(1, 0), std::domain_error);
  CHECK_THROWS_AS(split_block_rate(1, 1, {0, 32}), std::domain_error);
  CHECK_THROWS_AS(split_block_rate(1, 1, {8, 0}), std::domain_error);
  CHECK_THROWS_AS(split_block_poisson_rate(-1.0), std::domain_error);
  CHECK_THROWS_AS(split_block_bits_per_key(1.0), std::domain_error);
}
