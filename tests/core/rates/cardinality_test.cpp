#include "core/rates/cardinality.hpp"

#include <cmath>
#include <limits>

#include "core/theory/fill_moments.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/probe_models.hpp"

namespace bloometry {
namespace {

constexpr double kAnyNumber = std::numeric_limits<double>::infinity();

}  // namespace

TEST_CASE("cardinality: the estimate is 0 keys for an empty filter and infinity for a full one",
          "[core][filter]") {
  for (const ProbeModel model : {kW, kD, kP}) {
    CHECK(count_given_ones(model, 0, 1024, 7) == 0);
    CHECK(count_given_ones(model, 1024, 1024, 7) == kAnyNumber);
    CHECK(count_given_ones(model, 0, 1, 1) == 0);
    CHECK(count_given_ones(model, 1, 1, 1) == kAnyNumber);
    CHECK(count_given_ones(model, 7, 7, 7) == kAnyNumber);  // one key can set all cells
  }
  CHECK(swamidass_baldi_count(1024, 1024, 7) == kAnyNumber);
  CHECK(count_stddev(1024, 1024, 7) == kAnyNumber);
  CHECK(count_bias(1024, 1024, 7) == kAnyNumber);
  CHECK(count_stddev(0, 1024, 7) == 0);
  CHECK(count_bias(0, 1024, 7) == 0);
}

TEST_CASE("cardinality: the ones of a single key are estimated as one key", "[core][filter]") {
  // One key sets k distinct positions in models D and P. The tolerance is 4 eps, for two logarithms
  // and their quotient.
  CHECK(count_given_ones(kD, 7, 1024, 7) == Approx(1).epsilon(1e-15));
  CHECK(count_given_ones(kP, 7, 1024, 7) == Approx(1).epsilon(1e-15));
  CHECK(count_given_ones(kW, 1, 1'000'000'000'000, 1) == Approx(1).epsilon(1e-15));
}

TEST_CASE("cardinality: n_hat inverts the exact mean of the fill in every model",
          "[core][filter]") {
  struct Point {
    std::uint64_t n, m;
    unsigned k;
  };

  for (const Point p : {Point{1, 64, 4}, Point{100, 1024, 8}, Point{700, 1024, 8},
                        Point{1000, 9590, 7}, Point{100'000, 1'000'000, 5}}) {
    for (const ProbeModel model : {kW, kD, kP}) {  // equal slices if k divides m
      if (model == kP && p.m % p.k != 0) continue;
      const double mean = theory::fill_moments(model, p.n, p.m, p.k).mean;
      const auto below = static_cast<std::uint64_t>(mean * (1 - 1e-15));
      CAPTURE(static_cast<char>(model), p.n, p.m, p.k, mean);
      CHECK(count_given_ones(model, below, p.m, p.k) <= static_cast<double>(p.n) * (1 + 1e-15));
      CHECK(count_given_ones(model, below + 1, p.m, p.k) >= static_cast<double>(p.n));
    }
  }
}

TEST_CASE("cardinality: slices that differ by one bit cost at most L^2/(4w) keys",
          "[core][filter]") {
  // cardinality.hpp states the bound L^2/(4w). The exact mean is a real number of ones, but
  // n_hat(X) accepts only whole numbers, so the test contains the formula.
  for (const std::uint64_t w : {1, 2, 4, 16, 100}) {
    for (const unsigned k : {2U, 7U, 16U}) {
      for (std::uint64_t m = k * w + 1; m < k * (w + 1); ++m) {
        for (const std::uint64_t n : {w / 2, w, 2 * w, 4 * w}) {
          const auto cells = static_cast<double>(m);
          const double zeros = theory::expected_zeros(kP, n, m, k);
          const double n_hat = std::log(zeros / cells) / std::log1p(-(k / cells));
          const double load = static_cast<double>(n) * k / cells;
          const double bound = load * load / (4 * static_cast<double>(w));
          const double missing = static_cast<double>(n) - n_hat;
          const double rounding = 1e-13 * static_cast<double>(n);
          if (missing > bound + rounding || missing < -rounding) {
            FAIL(n << " " << m << " " << k << ": " << n_hat << ", bound " << bound);
          }
        }
      }
    }
  }
  SUCCEED();
}

TEST_CASE("cardinality: the estimate of Swamidass and Baldi is larger by a factor of 1 + 1/(2m)",
          "[core][filter]") {
  for (const std::uint64_t m : {64U, 1024U, 1'000'000U}) {
    const double exact = count_given_ones(kW, m / 2, m, 7);
    const double excess = swamidass_baldi_count(m / 2, m, 7) / exact - 1;
    // The series is -m ln(1-1/m) = 1 + 1/(2m) + 1/(3m^2) + ..., and the sum of all terms after
    // 1/(2m) is below 1/(2m^2).
    const auto cells = static_cast<double>(m);
    CHECK(excess > 1 / (2 * cells) * (1 - 1e-9));
    CHECK(excess < 1 / (2 * cells) + 1 / (2 * cells * cells));
  }
}

TEST_CASE("cardinality: relative sd at half fill is 0.799 / sqrt(m)", "[core][filter]") {
  for (const std::uint64_t m : {1024U, 1U << 20U, 1U << 30U}) {
    const double relative = count_stddev(m / 2, m, 7) / swamidass_baldi_count(m / 2, m, 7);
    CHECK(std::abs(relative * std::sqrt(static_cast<double>(m)) - 0.799) < 5e-4);  // 3 digits given
  }
}

TEST_CASE("cardinality: sd and bias are precise where X is small or nearly m", "[core][filter]") {
  // For small X, the bias follows from e^L - 1 - L = x^2/2 + 2x^3/3 + ... with x = X/m. For large
  // X, the bias follows from m/(m-X) - 1 - L.
  CHECK(count_bias(512, 1024, 7) == Approx((1 - std::log(2.0)) / 14).epsilon(1e-15));
  const double x = 1e-12;
  CHECK(count_bias(1, 1'000'000'000'000, 1) == Approx(x * x / 4).epsilon(1e-11));
  CHECK(count_bias(999'999'999'999, 1'000'000'000'000, 1) ==
        Approx((1e12 - 1 - 12 * std::log(10.0)) / 2).epsilon(1e-15));
  CHECK(count_given_ones(kW, 999'999'999'999, 1'000'000'000'000, 1) ==
        Approx(1e12 * 12 * std::log(10.0)).epsilon(1e-12));  // -ln(1-1/m) = 1/m to 5e-13
  for (std::uint64_t ones = 2; ones < 1000; ++ones) {        // the bias always increases
    if (!(count_bias(ones, 1000, 3) > count_bias(ones - 1, 1000, 3))) FAIL(ones);
  }
}

TEST_CASE("set estimates: the published intersection estimator equals inclusion and exclusion",
          "[core][filter]") {
  // Compares our estimate with the formula of Papapetrou, Siberski, Nejdl (2010), which uses t1, t2
  // and the number of ones in the AND.
  for (const std::uint64_t ones_and : {120U, 180U, 300U}) {
    const double m = 1024;
    const double t1 = 300;
    const double t2 = 400;
    const auto t_and = static_cast<double>(ones_and);
    const double published =
        std::log((m - t1) * (m - t2) / (m * (m - t1 - t2 + t_and))) / (5 * std::log1p(-1 / m));
    const auto ours = set_estimates_given_ones(kW, 300, 400, 700 - ones_and, 1024, 5);
    // The result is a difference of numbers near 145, each with an error of 4 eps.
    CHECK(std::abs(*ours.raw_intersection() - published) < 3 * 145 * 4 * 2.3e-16);
  }
}

TEST_CASE("set estimates: the number of common keys follows from the AND, within the limit",
          "[core][filter]") {
  // Theory 2: t1 = 300, t2 = 400, t_and = 180 give 27.24686009 common keys.
  CHECK(common_count_given_ones(300, 400, 180, 1024, 5, 1000) == 27);
  CHECK(common_count_given_ones(300, 400, 180, 1024, 5, 20) == 20);
  CHECK(common_count_given_ones(300, 400, 0, 1024, 5, 1000) == 0);  // the estimate is negative
  CHECK(common_count_given_ones(0, 0, 0, 1024, 5, 0) == 0);
  CHECK(common_count_given_ones(1024, 400, 400, 1024, 5, 90) == 90);  // unknown: the OR is full
  CHECK(common_count_given_ones(512, 512, 0, 1024, 5, 20) == 0);  // so is the OR, without the AND
  CHECK(common_count_given_ones(5, 5, 5, 1024, 5, 7) == 1);
  constexpr std::uint64_t kLarge = std::uint64_t{1} << 62U;
  CHECK(common_count_given_ones(kLarge / 2, kLarge / 2, kLarge / 2, kLarge, 1, ~std::uint64_t{0}) ==
        Approx(static_cast<double>(kLarge) * std::log(2.0)).epsilon(1e-9));
}

TEST_CASE(
    "set estimates: intersection is clamped, raw_intersection is not, and full filters have "
    "neither",
    "[core][filter]") {
  const SetEstimates disjoint{.count_a = 10, .count_b = 20, .count_union = 31};
  CHECK(*disjoint.raw_intersection() == -1);
  CHECK(*disjoint.intersection() == 0);
  CHECK(*disjoint.jaccard() == 0);
  const SetEstimates nested{.count_a = 10, .count_b = 20, .count_union = 19.5};
  CHECK(*nested.raw_intersection() == 10.5);
  CHECK(*nested.intersection() == 10);
  CHECK(*nested.jaccard() == 10 / 19.5);
  const SetEstimates empty{};
  CHECK(*empty.intersection() == 0);
  CHECK(*empty.jaccard() == 1);
  const SetEstimates full{.count_a = 10, .count_b = 20, .count_union = kAnyNumber};
  CHECK_FALSE(full.raw_intersection().has_value());
  CHECK_FALSE(full.intersection().has_value());
  CHECK_FALSE(full.jaccard().has_value());
}

}  // namespace bloometry
