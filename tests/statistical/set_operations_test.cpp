// Tests results of theory 2 about n_hat, union and intersection estimates, and merged and
// intersected filters. The file contains 40 + 2 + 3 + 1 + 16 + 8 = 70 statistical assertions with
// the false-alarm probability in false_alarm.hpp.
//
// The exact law of the number of set bits X (core/theory/fill_law.hpp) gives the exact law of
// n_hat(X). Sums over many filters are tested by Chernoff's bound (chernoff_bound.hpp) for this
// law. Probabilities below 1e-28 are omitted from the law.

#include "core/theory/set_operations.hpp"

#include <cmath>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "core/any_filter/any_filter.hpp"
#include "core/contract/set_estimates.hpp"
#include "core/engine/batch.hpp"
#include "core/rates/cardinality.hpp"
#include "core/statistics/binomial_test.hpp"
#include "core/theory/fill_law.hpp"
#include "tests/statistical/chernoff_bound.hpp"
#include "tests/statistical/false_alarm.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/digests.hpp"
#include "tests/support/test_seed.hpp"
#include "tests/support/variant_schemes.hpp"
#include "variants/registry/all_variants.hpp"

namespace bloometry {
namespace {

using theory::FillLaw;

using test::variant_schemes;
using test::VariantScheme;

/// Returns whether the fill of the filter has the exact law of its m and k.
bool has_fill_law(const VariantScheme& subject) {
  return test::follows_model(subject) && test::has_fixed_size(subject) && !subject.has_blocks() &&
         !subject.forgets();
}

bool has_fill_law_and_merges(const VariantScheme& subject) {
  return has_fill_law(subject) && subject.can("merge");
}

bool follows_model_and_intersects(const VariantScheme& subject) {
  return test::follows_model(subject) && subject.can("intersect");
}

using ScalableVariants =
    std::tuple<BasicScalableFilter<RemixProbes>, BasicScalableFilter<IndependentProbes>>;
using SetEstimatingVariants = std::tuple<StandardFilter, PartitionedFilter, CountingFilter>;

/// Sizes of a filter: n keys, m cells and k hashes.
struct SetSizes {
  std::uint64_t n, m;
  unsigned k;
};

template <class F>
F filter_of_cells(std::uint64_t m, unsigned k) {
  const unsigned cell_bits = F::geometry({.num_bits = 64, .num_hashes = 1}).cell_bits;
  return F({.num_bits = m * cell_bits, .num_hashes = k});
}

/// The law of the estimate n_hat(X) under the exact law of the fill X.
class CountLaw {
 public:
  CountLaw(ProbeModel model, const SetSizes& p)
      : CountLaw(FillLaw(model, p.n, p.m, p.k), model, p) {}

  CountLaw(FillLaw law, ProbeModel model, const SetSizes& p)
      : law_(std::move(law)),
        count_([model, p](std::uint64_t x) { return count_given_ones(model, x, p.m, p.k); }),
        mean_(test::expectation(law_, count_)),
        variance_(test::expectation(law_, [this](std::uint64_t x) { return squared_error(x); })) {}

  [[nodiscard]] double mean() const { return mean_; }

  [[nodiscard]] double variance() const { return variance_; }

  /// Returns ln E[e^(t (n_hat - mean))].
  [[nodiscard]] double log_moment(double t) const {
    return std::log(test::expectation(
        law_, [&](std::uint64_t x) { return std::exp(t * (count_(x) - mean_)); }));
  }

  /// Returns ln E[e^(t ((n_hat - mean)^2 - variance))].
  [[nodiscard]] double log_moment_of_square(double t) const {
    return std::log(test::expectation(
        law_, [&](std::uint64_t x) { return std::exp(t * (squared_error(x) - variance_)); }));
  }

  /// Returns the standard deviation of (n_hat - mean)^2.
  [[nodiscard]] double square_stddev() const {
    return std::sqrt(test::expectation(
        law_, [&](std::uint64_t x) { return std::pow(squared_error(x) - variance_, 2); }));
  }

 private:
  [[nodiscard]] double squared_error(std::uint64_t x) const {
    return std::pow(count_(x) - mean_, 2);
  }

  FillLaw law_;
  std::function<double(std::uint64_t)> count_;
  double mean_;
  double variance_;
};

constexpr std::uint64_t kNumSamples = 1000;

}  // namespace

TEST_CASE("n_hat: the formulas of bias and sd are the exact moments to first order in 1/m",
          "[core][theory]") {
  // The test case uses exact moments and is not random. A first-order formula omits terms of
  // relative order 1/m, so its error halves when n and m double. At m = 1024 the errors are 1e-4 to
  // 4e-3. The ratio of successive errors differs from 2 by at most 2 %. The largest difference is
  // that of the sd in model P. At twice the m, the difference is at most 1 %. An error of 3e-4 in
  // the leading term would not halve, and a tolerance of 5 % detects it.
  for (const ProbeModel model : {ProbeModel::kWithReplacement, ProbeModel::kDistinct,
                                 ProbeModel::kPartitioned}) {  // equal slices: k divides m
    double bias_gap = 0;
    double stddev_gap = 0;
    for (const std::uint64_t scale : {1U, 2U, 4U}) {
      const SetSizes p{100 * scale, 1024 * scale, 8};
      const CountLaw law(model, p);
      const double load = 800.0 / 1024;
      const double excess = std::exp(load) - 1 - load;
      const double bias = excess / (2.0 * p.k);
      const double stddev = std::sqrt(static_cast<double>(p.m) * excess) / p.k;
      const double new_bias_gap = (law.mean() - static_cast<double>(p.n)) / bias - 1;
      const double new_stddev_gap = std::sqrt(law.variance()) / stddev - 1;
      if (scale > 1) {
        CHECK(bias_gap / new_bias_gap == Approx(2).epsilon(0.05));
        CHECK(stddev_gap / new_stddev_gap == Approx(2).epsilon(0.05));
      }
      bias_gap = new_bias_gap;
      stddev_gap = new_stddev_gap;
    }
  }
}

TEST_CASE("n_hat: mean and spread over many filters follow its law", "[statistical]") {
  const auto subject = GENERATE(from_range(variant_schemes(has_fill_law)));
  CAPTURE(subject);
  const std::uint64_t seed = test::test_seed();
  // The 7 slices have different sizes: 147 (two) and 146 (five) at 1024 bits, 1370 (three) and 1369
  // (four) at 9586 bits.
  for (const SetSizes p : {SetSizes{100, 1024, 7}, SetSizes{1000, 9586, 7}}) {
    const CountLaw law(subject.scheme->model, p);
    double sum = 0;
    double sum_of_squares = 0;
    for (std::uint64_t i = 0; i < kNumSamples; ++i) {
      AnyFilter filter = subject.make(subject.spec_near(p.m, p.k));
      filter.insert_singly(test::member_digests(p.n, seed + i));
      const double error = filter.estimate_count() - law.mean();
      sum += error;
      sum_of_squares += error * error - law.variance();
    }
    const double p_mean =
        test::ChernoffBound([&](double t) { return law.log_moment(t); }, std::sqrt(law.variance()))
            .p_value(sum, kNumSamples);
    const double p_spread =
        test::ChernoffBound([&](double t) { return law.log_moment_of_square(t); },
                            law.square_stddev())
            .p_value(sum_of_squares, kNumSamples);
    const double mean = law.mean() + sum / kNumSamples;
    const double stddev = std::sqrt(law.variance() + sum_of_squares / kNumSamples);
    CAPTURE(p.n, mean, law.mean(), stddev, std::sqrt(law.variance()), seed);
    CHECK(p_mean > test::rejection_threshold());
    CHECK(p_spread > test::rejection_threshold());
  }
}

TEMPLATE_LIST_TEST_CASE(
    "n_hat: the estimate of a scalable filter is the sum of its stages' estimates", "[statistical]",
    ScalableVariants) {
  // With blind inserts and stage change by count, the number of keys in stage i is fixed. The
  // stages are independent, so logarithms of moments add.
  const std::uint64_t seed = test::test_seed();
  constexpr std::uint64_t kNumKeys = 100 + 200 + 300;  // the third stage is not full
  const FilterSpec spec{
      .capacity = 100,
      .target_false_positive_rate = 0.05,
      .params = {{"stage_change", std::string("count")}, {"insert_policy", std::string("blind")}}};
  std::vector<CountLaw> laws;
  double sum = 0;
  for (std::uint64_t i = 0; i < kNumSamples; ++i) {
    TestType filter(spec);
    for (const Digest& key : test::member_digests(kNumKeys, seed + i)) filter.insert(key);
    if (laws.empty()) {
      REQUIRE(filter.num_stages() == 3);
      for (std::size_t s = 0; s < 3; ++s) {
        const auto stage = filter.stage(s);
        const theory::SliceGroup slices{stage.num_stored, stage.slice_bits, stage.num_hashes};
        laws.emplace_back(
            FillLaw({&slices, 1}), TestType::kModel,
            SetSizes{stage.num_stored, stage.slice_bits * stage.num_hashes, stage.num_hashes});
      }
    }
    sum += filter.estimate_count();
    for (const CountLaw& law : laws) sum -= law.mean();
  }
  double variance = 0;
  double expected = 0;
  for (const CountLaw& law : laws) variance += law.variance();
  for (const CountLaw& law : laws) expected += law.mean();
  const double p_value = test::ChernoffBound(
                             [&](double t) {
                               double log_moment = 0;
                               for (const CountLaw& law : laws) log_moment += law.log_moment(t);
                               return log_moment;
                             },
                             std::sqrt(variance))
                             .p_value(sum, kNumSamples);
  CAPTURE(expected, sum / kNumSamples, p_value, seed);
  CHECK(p_value > test::rejection_threshold());
}

TEMPLATE_LIST_TEST_CASE("intersection estimate: the mean over many pairs is as predicted",
                        "[statistical]", SetEstimatingVariants) {
  // The estimate n_hat(A) + n_hat(B) - n_hat(A or B) has three dependent terms with known laws.
  // Hoelder's inequality bounds its moment without the joint law: E[e^(t(a+b-u))] <= (E[e^3ta]
  // E[e^3tb] E[e^-3tu])^1/3.
  const std::uint64_t seed = test::test_seed();
  constexpr std::uint64_t kNumPairs = 2000;
  constexpr theory::TwoSets kSets{100, 80, 30};
  constexpr std::uint64_t kM = 1024;
  constexpr unsigned kK = 5;
  const CountLaw law_a(TestType::kModel, {kSets.n_a, kM, kK});
  const CountLaw law_b(TestType::kModel, {kSets.n_b, kM, kK});
  const CountLaw law_u(TestType::kModel, {kSets.n_a + kSets.n_b - kSets.n_common, kM, kK});
  const double expected = law_a.mean() + law_b.mean() - law_u.mean();
  double sum = 0;
  for (std::uint64_t i = 0; i < kNumPairs; ++i) {
    const auto keys = test::member_digests(kSets.n_a + kSets.n_b - kSets.n_common, seed + i);
    TestType a = filter_of_cells<TestType>(kM, kK);
    TestType b = filter_of_cells<TestType>(kM, kK);
    insert_all(a, std::span(keys).first(kSets.n_a));
    insert_all(b, std::span(keys).last(kSets.n_b));
    sum += *a.estimate_sets(b).raw_intersection() - expected;
  }
  const double p_value =
      test::ChernoffBound(
          [&](double t) {
            return (law_a.log_moment(3 * t) + law_b.log_moment(3 * t) + law_u.log_moment(-3 * t)) /
                   3;
          },
          std::sqrt(3 * (law_a.variance() + law_b.variance() + law_u.variance())))
          .p_value(sum, kNumPairs);
  CAPTURE(TestType::kName, expected, sum / kNumPairs, p_value, seed);
  CHECK(p_value > test::rejection_threshold());
}

TEST_CASE("and_fill_mean: the mean fill of the AND over many pairs is as predicted",
          "[statistical]") {
  const std::uint64_t seed = test::test_seed();
  constexpr std::uint64_t kNumPairs = 2000;
  constexpr theory::TwoSets kSets{100, 80, 30};
  constexpr std::uint64_t kM = 1024;
  constexpr unsigned kK = 5;
  constexpr auto kModel = ProbeModel::kWithReplacement;
  // The number of ones of the AND is X_A + X_B - X_U. Hoelder's inequality bounds its moments.
  const FillLaw law_a(kModel, kSets.n_a, kM, kK);
  const FillLaw law_b(kModel, kSets.n_b, kM, kK);
  const FillLaw law_u(kModel, kSets.n_a + kSets.n_b - kSets.n_common, kM, kK);
  const auto log_moment = [](const FillLaw& law, double t) {
    return std::log(test::expectation(
        law, [&](std::uint64_t x) { return std::exp(t * (static_cast<double>(x) - law.mean())); }));
  };
  const double expected = static_cast<double>(kM) * theory::and_fill_mean(kSets, kM, kK);
  double sum = 0;
  for (std::uint64_t i = 0; i < kNumPairs; ++i) {
    const auto keys = test::member_digests(kSets.n_a + kSets.n_b - kSets.n_common, seed + i);
    StandardFilter a({.num_bits = kM, .num_hashes = kK});
    StandardFilter b({.num_bits = kM, .num_hashes = kK});
    insert_all(a, std::span(keys).first(kSets.n_a));
    insert_all(b, std::span(keys).last(kSets.n_b));
    a.intersect(b);
    sum += static_cast<double>(a.bits().count()) - expected;
  }
  const double p_value =
      test::ChernoffBound(
          [&](double t) {
            return (log_moment(law_a, 3 * t) + log_moment(law_b, 3 * t) +
                    log_moment(law_u, -3 * t)) /
                   3;
          },
          std::sqrt(3 * (law_a.variance() + law_b.variance() + law_u.variance())))
          .p_value(sum, kNumPairs);
  CAPTURE(expected, sum / kNumPairs, p_value, seed);
  CHECK(p_value > test::rejection_threshold());
}

TEST_CASE("merge: fill and false positives are those of a filter with n = |A or B| keys",
          "[statistical]") {
  const auto subject = GENERATE(from_range(variant_schemes(has_fill_law_and_merges)));
  CAPTURE(subject);
  const std::uint64_t seed = test::test_seed();
  constexpr std::uint64_t kNumQueries = 1'000'000;
  const SetSizes p{1000, 9586, 7};
  const auto keys = test::member_digests(p.n, seed);
  AnyFilter a = subject.make(subject.spec_near(p.m, p.k));
  AnyFilter b = subject.make(subject.spec_near(p.m, p.k));
  a.insert(std::span(keys).first(600));
  b.insert(std::span(keys).last(600));
  a.merge(b);
  const FilterState state = a.state();
  const std::uint64_t false_positives =
      a.count_positives(test::nonmember_digests(kNumQueries, seed));
  const double p_fill =
      FillLaw(subject.scheme->model, p.n, p.m, p.k).two_sided_p_value(state.num_ones);
  const double p_false_positives = statistics::binomial_two_sided_p_value(
      false_positives, kNumQueries, state.conditional_false_positive_rate);
  CAPTURE(state.num_ones, p_fill, false_positives, state.conditional_false_positive_rate,
          p_false_positives, seed);
  CHECK(p_fill > test::rejection_threshold());
  CHECK(p_false_positives > test::rejection_threshold());
}

TEST_CASE("intersect: false positives given the state are binomial", "[statistical]") {
  const auto subject = GENERATE(from_range(variant_schemes(follows_model_and_intersects)));
  CAPTURE(subject);
  const std::uint64_t seed = test::test_seed();
  constexpr std::uint64_t kNumQueries = 2'000'000;
  const auto keys = test::member_digests(1500, seed);
  AnyFilter a = subject.make(subject.spec_near(9586, 7));
  AnyFilter b = subject.make(subject.spec_near(9586, 7));
  a.insert(std::span(keys).first(1000));
  b.insert(std::span(keys).last(1000));
  a.intersect(b);
  const double expected = a.state().conditional_false_positive_rate;
  const std::uint64_t false_positives =
      a.count_positives(test::nonmember_digests(kNumQueries, seed));
  const double p_value =
      statistics::binomial_two_sided_p_value(false_positives, kNumQueries, expected);
  CAPTURE(false_positives, expected, p_value, seed);
  CHECK(p_value > test::rejection_threshold());
}

}  // namespace bloometry
