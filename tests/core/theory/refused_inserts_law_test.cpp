#include "core/theory/refused_inserts_law.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <stdexcept>

#include "core/statistics/special_functions.hpp"
#include "tests/support/catch.hpp"

using namespace bloometry;
using theory::RefusedInsertsLaw;
using theory::RefusedMoments;

TEST_CASE("refused_inserts_law: few refused inserts have Poisson tails", "[core][theory]") {
  for (const double mean : {1e-12, 0.01, 0.5, 3.0}) {
    const RefusedInsertsLaw law({.mean = mean, .variance = mean, .rare_count = mean});
    for (const std::uint64_t x : {1U, 2U, 10U}) {
      CAPTURE(mean, x);
      const auto count = static_cast<double>(x);
      const double poisson = statistics::poisson_upper_tail(mean, count);
      CHECK(law.upper_tail(x) >= poisson * (1 - 1e-12));
      if (count > 2 * mean) CHECK(law.upper_tail(x) == Approx(poisson));
      CHECK(law.lower_tail(x) >= statistics::poisson_lower_tail(mean, count) * (1 - 1e-12));
    }
    CHECK(law.upper_tail(0) == 1);
    CHECK(law.two_sided_p_value(0) > std::exp(-mean));
  }
}

TEST_CASE("refused_inserts_law: the tails are not below those of laws with the same moments",
          "[core][theory]") {
  const double mean = 60;
  const auto law_of = [&](double variance) {
    return RefusedInsertsLaw({.mean = mean, .variance = variance, .rare_count = mean});
  };
  for (std::uint64_t x = 0; x <= 200; ++x) {
    CAPTURE(x);
    const auto count = static_cast<double>(x);
    const double binomial_upper = statistics::binomial_upper_tail(100, 0.6, count);
    // A binomial law with variance 24, a Poisson law, and a negative binomial law with variance 90.
    CHECK(law_of(24).upper_tail(x) >= binomial_upper - 0.01);
    if (binomial_upper < 1e-3) CHECK(law_of(24).upper_tail(x) >= binomial_upper);
    CHECK(law_of(24).lower_tail(x) >= statistics::binomial_lower_tail(100, 0.6, count) - 0.01);
    CHECK(law_of(60).upper_tail(x) >= statistics::poisson_upper_tail(mean, count) * (1 - 1e-12));
    CHECK(law_of(60).lower_tail(x) >= statistics::poisson_lower_tail(mean, count) * (1 - 1e-12));
    const double negative_binomial =
        x == 0 ? 1 : statistics::binomial_upper_tail(count + 120 - 1, 1.0 / 3, count);
    CHECK(law_of(90).upper_tail(x) >= negative_binomial * (1 - 1e-12));
  }
}

TEST_CASE("refused_inserts_law: many refused inserts have normal tails", "[core][theory]") {
  const RefusedInsertsLaw law({.mean = 5e6, .variance = 1e6, .rare_count = 2e6});
  for (const double z : {-8.0, -1.0, 0.0, 3.0, 8.0}) {
    CAPTURE(z);
    const auto x = static_cast<std::uint64_t>(5e6 + 1000 * z);
    CHECK(law.upper_tail(x) == Approx(statistics::normal_upper_tail(z - 0.0005)));
    CHECK(law.lower_tail(x) == Approx(statistics::normal_upper_tail(-z - 0.0005)));
  }
}

TEST_CASE("refused_inserts_law: the mean may be lower by its error", "[core][theory]") {
  RefusedMoments moments{.mean = 100, .variance = 50, .rare_count = 100};
  const RefusedInsertsLaw exact(moments);
  moments.mean_error = 5;
  const RefusedInsertsLaw vague(moments);
  CHECK(vague.lower_tail(70) == Approx(exact.lower_tail(75)));
  CHECK(vague.upper_tail(130) == exact.upper_tail(130));
}

TEST_CASE("refused_inserts_law: odds give a one-sided bound", "[core][theory]") {
  const RefusedInsertsLaw law = RefusedInsertsLaw::of_odds(1e-6);
  CHECK(law.two_sided_p_value(0) == 1);
  CHECK(law.two_sided_p_value(1) == 1e-6);
  CHECK(law.two_sided_p_value(1'000'000) == 1e-6);
  CHECK_FALSE(law.variance());
  CHECK_THROWS_AS(RefusedInsertsLaw::of_odds(0), std::domain_error);
  CHECK_THROWS_AS(RefusedInsertsLaw::of_odds(1.5), std::domain_error);
}

TEST_CASE("refused_inserts_law: extreme counts and moments give a probability", "[core][theory]") {
  for (const double mean : {1e-300, 1e-9, 1.0, 456.3, 1e5, 3e7, 1e15}) {
    for (const double ratio : {1e-6, 0.3, 1.0, 1.5}) {
      for (const double variance_ratio : {0.01, 0.5, 1.0, 1.000'001, 1.7, 100.0}) {
        const double rare = mean * ratio;
        const RefusedInsertsLaw law(
            {.mean = mean, .variance = std::max(rare * variance_ratio, 1e-9), .rare_count = rare});
        for (const std::uint64_t x :
             {std::uint64_t{0}, std::uint64_t{1}, static_cast<std::uint64_t>(mean),
              static_cast<std::uint64_t>(2 * mean), std::uint64_t{1} << 62U}) {
          CAPTURE(mean, ratio, variance_ratio, x);
          const double p_value = law.two_sided_p_value(x);
          CHECK(p_value >= 0);
          CHECK(p_value <= 1);
        }
      }
    }
  }
  const double nan = std::numeric_limits<double>::quiet_NaN();
  CHECK_THROWS_AS(RefusedInsertsLaw({.mean = 0, .variance = 1, .rare_count = 1}),
                  std::domain_error);
  CHECK_THROWS_AS(RefusedInsertsLaw({.mean = 1, .variance = 0, .rare_count = 1}),
                  std::domain_error);
  CHECK_THROWS_AS(RefusedInsertsLaw({.mean = nan, .variance = 1, .rare_count = 1}),
                  std::domain_error);
  CHECK_THROWS_AS(RefusedInsertsLaw({.mean = 1, .variance = 1, .rare_count = -1}),
                  std::domain_error);
}
