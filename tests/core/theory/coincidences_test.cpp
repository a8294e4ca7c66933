#include "core/theory/coincidences.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <vector>

#include "core/probe/double_hashing.hpp"
#include "core/probe/enhanced_double_hashing.hpp"
#include "core/theory/few_word_schemes.hpp"
#include "core/theory/standard_rates.hpp"
#include "tests/support/catch.hpp"

namespace bloometry::theory {
namespace {

using Mask = std::uint64_t;

/// Returns the positions of all keys of a scheme of double hashing modulo m <= 64, each key with
/// the same probability.
template <class Probes>
std::vector<Mask> all_keys(std::uint64_t m, unsigned k, std::uint64_t num_strides) {
  std::vector<Mask> keys;
  for (std::uint64_t start = 0; start < m; ++start) {
    for (std::uint64_t stride = 0; stride < num_strides; ++stride) {
      Probes probes(Digest{start, stride}, m);
      Mask mask = 0;
      for (unsigned i = 0; i < k; ++i) mask |= Mask{1} << probes.next(m);
      keys.push_back(mask);
    }
  }
  return keys;
}

/// Returns the exact rate after one key: the share of (query, member) whose positions are covered.
double rate_after_one(const std::vector<Mask>& keys) {
  double num_covered = 0;
  for (const Mask query : keys) {
    for (const Mask member : keys) num_covered += (query & ~member) == 0;
  }
  const auto num_keys = static_cast<double>(keys.size());
  return num_covered / (num_keys * num_keys);
}

/// Returns the exact rate after two keys.
double rate_after_two(const std::vector<Mask>& keys) {
  double num_covered = 0;
  for (const Mask first : keys) {
    for (const Mask second : keys) {
      const Mask filter = first | second;
      for (const Mask query : keys) num_covered += (query & ~filter) == 0;
    }
  }
  return num_covered / std::pow(static_cast<double>(keys.size()), 3);
}

/// Returns E[A_n(T)] + n E[A_(n-1)(T - A) - A_n(T)] over all pairs of query and member (theory
/// 1.10).
double rate_of_first_order(const std::vector<Mask>& keys, std::uint64_t n,
                           const CoverProbabilities& cover) {
  double sum = 0;
  for (const Mask query : keys) {
    const double all = cover.with_all[static_cast<std::size_t>(std::popcount(query))];
    for (const Mask member : keys) {
      const auto rest = static_cast<std::size_t>(std::popcount(query & ~member));
      sum += all + static_cast<double>(n) * (cover.without_one[rest] - all);
    }
  }
  const auto num_keys = static_cast<double>(keys.size());
  return sum / (num_keys * num_keys);
}

/// Number of standard errors that a correct integration exceeds with probability 1e-6.
constexpr double kMostErrors = 4.9;

void check_rate_after_one(FewWordScheme scheme, std::uint64_t m, unsigned k,
                          const std::vector<Mask>& keys) {
  const double exact = rate_after_one(keys);
  const ModelRate found = coincidence_rate(scheme, 1, m, k);
  CAPTURE(m, k, exact, found.rate, found.integration_error);
  CHECK(std::fabs(found.rate - exact) < kMostErrors * found.integration_error);
  CHECK(found.integration_error < 0.02 * exact);
  CHECK(exact_rate_distinct(1, m, k) < 0.1 * exact);
}

}  // namespace

TEST_CASE("coincidences: one key gives the rate by enumeration of all pairs of keys",
          "[theory][exhaustive]") {
  SECTION("any stride, m prime") {
    check_rate_after_one(FewWordScheme::kModuloAny, 61, 7, all_keys<DoubleModAnyProbes>(61, 7, 61));
  }
  SECTION("any stride, m a power of two") {
    check_rate_after_one(FewWordScheme::kModuloAny, 64, 10,
                         all_keys<DoubleModAnyProbes>(64, 10, 64));
    check_rate_after_one(FewWordScheme::kModulo64, 64, 10,
                         all_keys<DoubleModAnyProbes>(64, 10, 64));
    check_rate_after_one(FewWordScheme::kModulo63, 64, 10,
                         all_keys<DoubleModAnyProbes>(64, 10, 64));
  }
  SECTION("many hashes, where each key covers more than half of the bits") {
    check_rate_after_one(FewWordScheme::kModulo64, 64, 44,
                         all_keys<DoubleModAnyProbes>(64, 44, 64));
  }
  SECTION("stride not 0, m composite") {
    check_rate_after_one(FewWordScheme::kModuloNonZero, 60, 7,
                         all_keys<DoubleModProbes>(60, 7, 59));
  }
  SECTION("odd stride") {
    check_rate_after_one(FewWordScheme::kModuloOdd, 64, 9, all_keys<DoubleModOddProbes>(64, 9, 64));
    check_rate_after_one(FewWordScheme::kModuloOdd, 45, 6, all_keys<DoubleModOddProbes>(45, 6, 90));
  }
}

TEST_CASE("coincidences: the integration gives the formula of first order by enumeration",
          "[theory][exhaustive]") {
  for (const std::uint64_t n : {2U, 3U, 10U}) {
    const auto keys = all_keys<DoubleModAnyProbes>(24, 5, 24);
    const CoverProbabilities cover = cover_probabilities(FewWordScheme::kModuloAny, n, 24, 5);
    const double first_order = rate_of_first_order(keys, n, cover);
    const ModelRate found = coincidence_rate(FewWordScheme::kModuloAny, n, 24, 5);
    CAPTURE(n, first_order, found.rate, found.integration_error);
    CHECK(std::fabs(found.rate - first_order) < kMostErrors * found.integration_error);
  }
}

TEST_CASE("coincidences: the formula is nearer to the rate of two keys than independent probes",
          "[theory][exhaustive]") {
  const auto keys = all_keys<DoubleModAnyProbes>(24, 5, 24);
  const double exact = rate_after_two(keys);
  const double first_order =
      rate_of_first_order(keys, 2, cover_probabilities(FewWordScheme::kModuloAny, 2, 24, 5));
  CAPTURE(exact, first_order);
  CHECK(std::fabs(first_order - exact) < std::fabs(exact_rate_distinct(2, 24, 5) - exact));
}

TEST_CASE("coincidences: the schemes compute the indices of the probe policies", "[theory]") {
  const std::uint64_t m = 1443;
  const unsigned k = 10;
  const KeyWords words{1000, 777, 555, 0};
  const Digest digest{1000, 777};
  const auto check = [&](const auto& scheme, auto probes) {
    std::vector<std::uint64_t> all(k);
    scheme.indices(words, all);
    for (unsigned i = 0; i < k; ++i) {
      const std::uint64_t expected = probes.next(m);
      CHECK(all[i] == expected);
      CHECK(scheme.index(words, i) == expected);
    }
  };
  check(ResidueSums<Stride::kAny, Change::kNone>(m, k), DoubleModAnyProbes(digest, m));
  check(ResidueSums<Stride::kAny, Change::kCubic>(m, k), EnhancedDoubleModProbes(digest, m));
  const KeyWords wide{0x123456789abcdef0, 0xfedcba9876543210, 0, 0};
  FastrangeSums fastrange_sums(m, k);
  DoubleFastrangeProbes probes(Digest{wide[0], wide[1]}, m);
  for (unsigned i = 0; i < k; ++i) CHECK(fastrange_sums.index(wide, i) == probes.next(m));
}

TEST_CASE("coincidences: a congruence has all of its solutions and no others", "[theory]") {
  Draws draws(1);
  for (const std::uint64_t m : {1U, 2U, 12U, 35U, 64U}) {
    for (std::int64_t coefficient = -13; coefficient <= 13; ++coefficient) {
      for (std::uint64_t target = 0; target < m; ++target) {
        const auto holds = [&](std::uint64_t x) {
          const auto product = coefficient * static_cast<std::int64_t>(x);
          return (product - static_cast<std::int64_t>(target)) % static_cast<std::int64_t>(m) == 0;
        };
        std::uint64_t num_solutions = 0;
        for (std::uint64_t x = 0; x < m; ++x) num_solutions += holds(x);
        const Congruence found = solve_congruence(coefficient, target, m, draws);
        REQUIRE(found.num_solutions == num_solutions);
        if (num_solutions > 0) REQUIRE(holds(found.solution));
        REQUIRE(found.solution < m);
      }
    }
  }
}

TEST_CASE("coincidences: extreme sizes give the limits of the rate", "[theory]") {
  for (const auto scheme :
       {FewWordScheme::kModuloNonZero, FewWordScheme::kModuloOdd, FewWordScheme::kEnhancedModulo,
        FewWordScheme::kTripleModulo, FewWordScheme::kFastrange, FewWordScheme::kModulo63,
        FewWordScheme::kModulo64, FewWordScheme::kFolded32, FewWordScheme::kFourWords,
        FewWordScheme::kFactor}) {
    CAPTURE(static_cast<int>(scheme));
    CHECK(coincidence_rate(scheme, 0, 100, 3).rate == 0);
    CHECK(coincidence_rate(scheme, 5, 1, 3).rate == 1);
    const double one_hash = coincidence_rate(scheme, 5, 64, 1).rate;
    CHECK(one_hash == Approx(exact_rate_with_replacement(5, 64, 1)).epsilon(1e-12));
    const double many_keys = coincidence_rate(scheme, 1000000, 10, 3).rate;
    CHECK(many_keys == Approx(1).epsilon(1e-6));
    constexpr std::uint64_t kLargePrime = (std::uint64_t{1} << 31U) - 1;
    const double large = coincidence_rate(scheme, 1000000000, kLargePrime, 2).rate;
    CHECK(large == Approx(exact_rate_with_replacement(1000000000, kLargePrime, 2)).epsilon(1e-6));
  }
  const double more_hashes_than_bits = coincidence_rate(FewWordScheme::kModulo63, 2, 70, 80).rate;
  CHECK(more_hashes_than_bits > 0);
  CHECK(more_hashes_than_bits <= 1);
}

TEST_CASE("coincidences: with very many keys the rate is that of independent probes", "[theory]") {
  for (const auto scheme :
       {FewWordScheme::kModulo63, FewWordScheme::kModulo64, FewWordScheme::kFourWords,
        FewWordScheme::kFactor, FewWordScheme::kFastrange}) {
    for (const double n : {2e6, 1e10, 1e14}) {
      CAPTURE(static_cast<int>(scheme), n);
      const auto num_keys = static_cast<std::uint64_t>(n);
      const std::uint64_t m = 10 * num_keys + 1;
      // Each of the 21 pairs of indices of a query is equal with probability 1/m, and a member
      // meets each pair at each of its 42 pairs with probability 1/m^2. Probes that may repeat
      // differ from distinct ones by as much again.
      // The hash of DCSO/bloom has 64 bits.
      const double most =
          2 * (21 / static_cast<double>(m)) * (1 + 42 * n / static_cast<double>(m)) +
          (scheme == FewWordScheme::kFactor ? n * 0x1p-64 : 0);
      CHECK(std::fabs(coincidence_rate(scheme, num_keys, m, 7).rate -
                      exact_rate_with_replacement(num_keys, m, 7)) < most + 1e-14);
      const std::uint64_t num_ones = m / 2;
      CHECK(std::fabs(coincidence_rate_given_ones(scheme, num_ones, n, m, 7).rate - 0x1p-7) <
            most + 1e-14);
    }
  }
}

TEST_CASE("coincidences: the rate of a filter with a key is never 0", "[theory]") {
  struct Size {
    std::uint64_t m;
    unsigned k;
  };

  for (const auto scheme :
       {FewWordScheme::kModuloNonZero, FewWordScheme::kEnhancedModuloOdd,
        FewWordScheme::kTripleModulo, FewWordScheme::kFastrange, FewWordScheme::kModulo63,
        FewWordScheme::kModulo64, FewWordScheme::kFolded32, FewWordScheme::kFourWords,
        FewWordScheme::kFactor}) {
    for (const Size size : {Size{143, 20}, Size{1U << 26U, 7}, Size{999'999'937, 20}}) {
      CAPTURE(static_cast<int>(scheme), size.m, size.k);
      const ModelRate one = coincidence_rate(scheme, 1, size.m, size.k, 0.005);
      CHECK(one.rate > 0);
      CHECK(one.rate <= 1);
      CHECK(coincidence_rate_given_ones(scheme, std::min<std::uint64_t>(size.k, 70), 1, size.m,
                                        size.k, 0.005)
                .rate > 0);
    }
  }
}

TEST_CASE("coincidences: a rate that the integration cannot find is that of independent probes",
          "[theory]") {
  // The third index of the four words of a key is as good as independent.
  constexpr std::uint64_t kManyBits = std::uint64_t{1} << 40U;
  const ModelRate rate = coincidence_rate(FewWordScheme::kFourWords, 1, kManyBits, 3);
  CHECK(rate.is_independent);
  CHECK(rate.rate == Approx(exact_rate_with_replacement(1, kManyBits, 3)).epsilon(1e-9));
  const ExpectedRate expected = as_expected_rate(rate, "scheme");
  CHECK(expected.kind == RateKind::kModel);
  CHECK(expected.formula == "independent_probes");
  CHECK_FALSE(expected.standard_error);
  const ModelRate given =
      coincidence_rate_given_ones(FewWordScheme::kFourWords, 3, 1, kManyBits, 3);
  CHECK(given.is_independent);
  CHECK(given.rate == Approx(std::pow(3 * 0x1p-40, 3)));
  CHECK_FALSE(coincidence_rate(FewWordScheme::kFactor, 1, 9, 7).is_independent);
}

TEST_CASE("coincidences: a query with the words of a member is positive", "[theory]") {
  // DCSO/bloom for 1 key and p = 1e-30: a hash of 64 bits.
  constexpr double kEffort = 0.01;  // the words do not depend on the nodes
  const ModelRate dcso = coincidence_rate(FewWordScheme::kFactor, 1, 143, 100, kEffort);
  CHECK(dcso.is_independent);
  CHECK(dcso.rate == Approx(0x1p-64));
  CHECK(coincidence_rate(FewWordScheme::kFactor, 1'000'000, 200'000'001, 140, kEffort).rate >=
        0.999e6 * 0x1p-64);
  CHECK(coincidence_rate(FewWordScheme::kFourWords, 1, 1U << 26U, 7, kEffort).rate ==
        Approx(0x1p-104));
  CHECK(coincidence_rate(FewWordScheme::kTripleModulo, 1, 1'000'000'007, 64, kEffort).rate ==
        Approx(1e-27).epsilon(1e-7));
}

TEST_CASE("coincidences: equal arguments give equal rates", "[theory]") {
  CHECK(coincidence_rate(FewWordScheme::kModulo63, 10, 384, 27).rate ==
        coincidence_rate(FewWordScheme::kModulo63, 10, 384, 27).rate);
}

}  // namespace bloometry::theory
