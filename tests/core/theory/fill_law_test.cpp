#include "core/theory/fill_law.hpp"

#include <bit>
#include <cmath>
#include <map>
#include <stdexcept>
#include <thread>
#include <vector>

#include "tests/support/catch.hpp"
#include "tests/support/probe_models.hpp"

namespace {

using namespace bloometry::theory;
using bloometry::kD;
using bloometry::kP;
using bloometry::kW;
using bloometry::ProbeModel;

/// Returns the bit sets that one key may set, with their probabilities.
std::map<unsigned, double> key_law(ProbeModel model, unsigned m, unsigned k) {
  std::map<unsigned, double> law{{0u, 1.0}};
  unsigned slice_begin = 0;
  for (unsigned probe = 0; probe < k; ++probe) {
    const unsigned slice = m / k + (probe < m % k ? 1 : 0);
    const unsigned first = model == kP ? slice_begin : 0;
    const unsigned last = model == kP ? slice_begin + slice : m;
    slice_begin += slice;
    std::map<unsigned, double> next;
    for (const auto& [set, p] : law) {
      for (unsigned bit = first; bit < last; ++bit) {
        const bool taken = (set >> bit & 1u) != 0;
        if (model == kD && taken) continue;
        const double choices = model == kD ? m - probe : last - first;
        next[set | 1u << bit] += p / choices;
      }
    }
    law = next;
  }
  return law;
}

/// Returns P(X = 0..m) by listing all bit sets of n keys.
std::vector<double> enumerated_law(ProbeModel model, unsigned n, unsigned m, unsigned k) {
  const auto key = key_law(model, m, k);
  std::map<unsigned, double> law{{0u, 1.0}};
  for (unsigned i = 0; i < n; ++i) {
    std::map<unsigned, double> next;
    for (const auto& [set, p] : law) {
      for (const auto& [added, q] : key) next[set | added] += p * q;
    }
    law = next;
  }
  std::vector<double> pmf(m + 1, 0.0);
  for (const auto& [set, p] : law) pmf[static_cast<std::size_t>(std::popcount(set))] += p;
  return pmf;
}

}  // namespace

TEST_CASE("fill law: equals the enumeration of all outcomes of tiny filters", "[core][theory]") {
  for (const auto model : {kW, kD, kP}) {
    for (const unsigned m : {1u, 2u, 5u, 8u}) {
      for (unsigned k = 1; k <= std::min(m, 3u); ++k) {
        for (const unsigned n : {0u, 1u, 2u, 5u}) {
          const FillLaw law(model, n, m, k);
          const auto pmf = enumerated_law(model, n, m, k);
          CHECK(law.method() == FillLaw::Method::kExact);
          double below = 0.0;
          for (unsigned x = 0; x <= m; ++x) {
            INFO("model " << static_cast<char>(model) << ", n " << n << ", m " << m << ", k " << k
                          << ", x " << x);
            CHECK(law.pmf(x) == Approx(pmf[x]).epsilon(1e-13).margin(1e-300));
            CHECK(law.upper_tail(x) == Approx(1.0 - below).epsilon(1e-13).margin(1e-14));
            CHECK(law.randomised_pit(x, 0.25) == Approx(below + 0.25 * pmf[x]).margin(1e-14));
            below += pmf[x];
            CHECK(law.cdf(x) == Approx(below).epsilon(1e-13).margin(1e-300));
            const double tail = std::min(below, 1.0 - below + pmf[x]);
            CHECK(law.two_sided_p_value(x) ==
                  Approx(std::min(1.0, 2.0 * tail)).epsilon(1e-13).margin(1e-14));
          }
          CHECK(law.pmf(m + 1) == 0.0);
          CHECK(law.two_sided_p_value(m + 1) == 0.0);
        }
      }
    }
  }
}

TEST_CASE("fill law: far tails are precise", "[core][theory]") {
  // For n = m = 1000 and k = 8, the normal z of theory 9.3 would exceed 6.1 in absolute value with
  // probability 3.8e-4.
  const FillLaw law(kW, 1000, 1000, 8);
  REQUIRE(law.method() == FillLaw::Method::kExact);
  // The probability that all bits are set is sum_i (-1)^i C(m,i) (1-i/m)^N, evaluated with 400
  // digits.
  CHECK(law.pmf(1000) == Approx(0.71560639081117949).epsilon(1e-11));
  CHECK(law.two_sided_p_value(1000) == 1.0);
  CHECK(law.two_sided_p_value(996) > 1e-4);
  CHECK(law.two_sided_p_value(980) < 1e-20);
  CHECK(law.two_sided_p_value(980) > 0.0);
}

TEST_CASE("fill law: the method depends on the cost of the exact law and the rarer event",
          "[core][theory]") {
  using Method = FillLaw::Method;
  CHECK(FillLaw(kW, 1000, 9586, 7).method() == Method::kExact);
  CHECK(FillLaw(kD, 1000, 9586, 7).method() == Method::kExact);
  CHECK(FillLaw(kP, 1000, 9586, 7).method() == Method::kExact);
  CHECK(FillLaw(kW, 1'000'000, 9'585'059, 7).method() == Method::kNormal);
  CHECK(FillLaw(kW, 100'000, 1'000'000'000'000, 7).method() == Method::kPoissonCollisions);
  CHECK(FillLaw(kW, 10'000'000, 1'000'000, 2).method() == Method::kPoissonZeros);
  CHECK(FillLaw(kP, 1'000'000, 9'585'059, 7).method() == Method::kNormal);
}

TEST_CASE("fill law: the exact law and its limit agree where they meet", "[core][theory]") {
  // Above the cost limit, FillLaw uses a limit law. The p-value of a limit law must be close to the
  // p-value of the largest exact law, at the same number of standard deviations.
  SECTION("normal") {
    const FillLaw exact(kW, 2'000, 20'000, 7);
    const FillLaw normal(kW, 80'000, 800'000, 7);
    REQUIRE(exact.method() == FillLaw::Method::kExact);
    REQUIRE(normal.method() == FillLaw::Method::kNormal);
    for (const double z : {-5.0, -3.0, -1.0, 1.0, 3.0, 5.0}) {
      const auto at = [z](const FillLaw& law) {
        const double x = law.mean() + z * std::sqrt(law.variance());
        return law.two_sided_p_value(static_cast<std::uint64_t>(x));
      };
      INFO("z " << z);
      // One set bit is 0.03 standard deviations of the exact law and 0.005 standard deviations of
      // the normal law. The skewness of the exact law is at most 0.01.
      CHECK(at(exact) == Approx(at(normal)).epsilon(0.25));
    }
  }
  SECTION("Poisson is conservative and close") {
    const FillLaw exact(kW, 7'000, 49'000'000, 10);
    const FillLaw poisson(kW, 1'000'000, 1'000'000'000'000, 10);
    REQUIRE(exact.method() == FillLaw::Method::kExact);
    REQUIRE(poisson.method() == FillLaw::Method::kPoissonCollisions);
    // The expectation of both laws is 50 collisions, within 0.03. The difference of 0.03 changes
    // the p-value of 80 collisions by 2 %. The dependence between collisions narrows the exact law.
    // The narrower law changes the p-value by about 2 % too.
    for (const std::uint64_t c : {20u, 35u, 65u, 80u}) {
      const double p = poisson.two_sided_p_value(10'000'000 - c);
      const double q = exact.two_sided_p_value(70'000 - c);
      INFO("collisions " << c);
      CHECK(q == Approx(p).epsilon(0.05));
    }
  }
}

TEST_CASE("fill law: does not depend on laws computed before by the same thread",
          "[core][theory]") {
  const auto pmf_of = [](const FillLaw& law) {
    std::vector<double> pmf;
    const auto [first, last] = law.support();
    for (std::uint64_t x = first; x <= last; ++x) pmf.push_back(law.pmf(x));
    return pmf;
  };
  for (const auto model : {kW, kD, kP}) {
    for (const std::uint64_t m : {5u, 64u, 1000u}) {
      for (const std::uint64_t n : {1u, 2u, 50u, 300u, 299u, 0u, 300u}) {
        for (const unsigned k : {2u, 3u}) {
          std::vector<double> alone;
          std::thread([&] { alone = pmf_of(FillLaw(model, n, m, k)); }).join();
          INFO("model " << static_cast<char>(model) << ", n " << n << ", m " << m << ", k " << k);
          CHECK(pmf_of(FillLaw(model, n, m, k)) == alone);
        }
      }
    }
  }
}

TEST_CASE("fill law: slices of several stages add up", "[core][theory]") {
  const std::vector<SliceGroup> stages{{5, 4, 1}, {2, 3, 2}};
  const FillLaw law(stages);
  const auto big = enumerated_law(kW, 5, 4, 1);
  const auto small = enumerated_law(kP, 2, 6, 2);
  for (unsigned x = 0; x <= 10; ++x) {
    double sum = 0.0;
    for (unsigned a = 0; a <= 4; ++a) {
      if (a <= x && x - a <= 6) sum += big[a] * small[x - a];
    }
    CHECK(law.pmf(x) == Approx(sum).epsilon(1e-13).margin(1e-300));
  }
}

TEST_CASE("fill law: the moment generating function equals the sum over the law",
          "[core][theory]") {
  for (const auto& law : {FillLaw(kW, 5, 9, 2), FillLaw(kD, 4, 9, 3), FillLaw(kP, 4, 9, 2)}) {
    for (const double theta : {-3.0, -0.1, 0.0, 0.2, 40.0}) {
      double sum = 0.0;
      for (unsigned x = 0; x <= 9; ++x) sum += law.pmf(x) * std::exp(theta * (x - law.mean()));
      CHECK(law.log_centred_mgf(theta) == Approx(std::log(sum)).epsilon(1e-12).margin(1e-14));
    }
  }
  // Near 0, the logarithm of the moment generating function of each limit law (of collisions, of
  // zeros, normal) is about variance theta^2 / 2.
  for (const auto& law :
       {FillLaw(kW, 100'000, 1'000'000'000'000, 7), FillLaw(kW, 1'000'000, 800'000, 5),
        FillLaw(kW, 10'000'000, 95'850'590, 7)}) {
    REQUIRE(law.method() != FillLaw::Method::kExact);
    const double theta = 0.01 / std::sqrt(law.variance());
    for (const double sign : {1.0, -1.0}) {
      CHECK(law.log_centred_mgf(sign * theta) >= 0.4999e-4 * 0.97);
      CHECK(law.log_centred_mgf(sign * theta) <= 2.7 * 0.5e-4);  // Poisson is wider at half fill
    }
  }
}

TEST_CASE("fill law: impossible counts have p-value 0 under every method", "[core][theory]") {
  CHECK(FillLaw(kW, 1'000'000, 9'585'059, 7).two_sided_p_value(9'585'060) == 0.0);
  CHECK(FillLaw(kW, 100'000, 1'000'000'000'000, 7).two_sided_p_value(700'001) == 0.0);
  CHECK(FillLaw(kW, 10'000'000, 1'000'000, 2).two_sided_p_value(1'000'001) == 0.0);
  CHECK(FillLaw(kW, 0, 100, 3).two_sided_p_value(0) == 1.0);
  CHECK(FillLaw(kW, 0, 100, 3).two_sided_p_value(1) == 0.0);
  CHECK(FillLaw(kD, 1, 100, 3).two_sided_p_value(2) == 0.0);
}

TEST_CASE("fill law: impossible geometries are refused", "[core][theory]") {
  CHECK_THROWS_AS(FillLaw(kW, 1, 0, 1), std::domain_error);
  CHECK_THROWS_AS(FillLaw(kD, 1, 3, 4), std::domain_error);
  CHECK_THROWS_AS(FillLaw(kP, 1, 3, 4), std::domain_error);
  CHECK_THROWS_AS(FillLaw(kW, 1, 3, 2).randomised_pit(1, 1.5), std::domain_error);
}
