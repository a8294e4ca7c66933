// Tests filters with blocks at 1e5 and 1e6 keys. The hidden tag [.large] selects tests at 1e7 and
// 1e8 keys. The exact binomial test checks the false positives given the filter's own state. A
// second test compares the rate given the state with the exact expected rate. If the choices of
// block and cell share bits of the digest, the rate rises with the number of blocks. In other
// libraries, the rate rises from 0.99 % to 1.74 % at 1e8 keys. Large filters therefore show errors
// that small filters hide. The file contains three assertions of the first test, one of the second
// test and one of the fill per variant. The false-alarm probability of the assertions is in
// false_alarm.hpp. The second test assumes that the mean rate F over filters is normal. F is a mean
// over blocks. The rate of one block has a skewness below 3. The skewness of the mean over all
// blocks of all filters is therefore below 0.02. At 6.1 standard deviations, the tail probability
// is therefore wrong by a factor below e^(0.02 * 6.1^3 / 6) = 2.1. The bound of 1000 assertions has
// room for this factor.

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <sstream>
#include <string>
#include <vector>

#include "core/engine/batch.hpp"
#include "core/statistics/binomial_test.hpp"
#include "tests/statistical/false_alarm.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/digests.hpp"
#include "tests/support/test_seed.hpp"
#include "variants/registry/registry.hpp"
#include "variants/registry/theory_registry.hpp"

namespace bloometry {
namespace {

struct Subject {
  std::string variant;
  double bits_per_key;
  unsigned num_hashes;
  Params params{};
};

/// Returns every variant of blocks with 10 cells per key, and blocked with blocks of 256 bits.
const std::vector<Subject>& subjects() {
  static const std::vector<Subject> all = [] {
    std::vector<Subject> result = {{"blocked", 10, 6, {{"block_bits", 256.0}}}};
    for (const VariantInfo& variant : all_variant_infos()) {
      if (!variant.sized_by_blocks || variant.is_limited) continue;
      const unsigned k = std::clamp(6U, variant.min_num_hashes, variant.max_num_hashes);
      const unsigned cell_bits = variant.geometry({.num_bits = 4096, .num_hashes = k}).cell_bits;
      result.push_back({std::string(variant.name), 10.0 * cell_bits, k});
    }
    return result;
  }();
  return all;
}

/// A filter that contains the first num_keys members. The members are generated in parts of a
/// million keys.
class MeasuredFilter {
 public:
  MeasuredFilter(const Subject& subject, std::uint64_t num_keys, std::uint64_t seed)
      : variant_(find_variant(subject.variant)),
        spec_{.capacity = num_keys,
              .bits_per_key = subject.bits_per_key,
              .num_hashes = subject.num_hashes,
              .params = subject.params},
        num_keys_(num_keys),
        seed_(seed),
        filter_(variant_.schemes.front().make(spec_)) {
    for_each_part(0, num_keys, [this](const auto& keys) { filter_.insert(keys); });
    state_ = filter_.state();
  }

  [[nodiscard]] std::uint64_t count_false_positives(std::uint64_t num_queries) const {
    std::uint64_t false_positives = 0;
    for_each_part(1, num_queries,
                  [&](const auto& keys) { false_positives += filter_.count_positives(keys); });
    return false_positives;
  }

  [[nodiscard]] const FilterState& state() const { return state_; }

  [[nodiscard]] Prediction prediction() const {
    return find_theory(variant_.name).predict(spec_, variant_.schemes.front().model, num_keys_);
  }

  [[nodiscard]] std::optional<theory::FillLaw> fill_law() const {
    return find_theory(variant_.name).fill_law(spec_, variant_.schemes.front().model, num_keys_);
  }

 private:
  template <class Visit>
  void for_each_part(std::uint64_t first, std::uint64_t num_keys, Visit visit) const {
    constexpr std::uint64_t kPart = 1 << 20U;
    for (std::uint64_t i = 0; i < num_keys; i += kPart) {
      visit(test::digests(first + 2 * i, 2, std::min(kPart, num_keys - i), seed_));
    }
  }

  const VariantInfo& variant_;
  FilterSpec spec_;
  std::uint64_t num_keys_;
  std::uint64_t seed_;
  AnyFilter filter_;
  FilterState state_;
};

/// Tests the number of false positives. Prints the observation if `prints` is true.
void check_false_positives(const Subject& subject, std::uint64_t num_keys,
                           std::uint64_t num_queries, bool prints) {
  const std::uint64_t seed = test::test_seed();
  const MeasuredFilter filter(subject, num_keys, seed);
  const std::uint64_t false_positives = filter.count_false_positives(num_queries);
  const double rate = filter.state().conditional_false_positive_rate;
  const double p_value = statistics::binomial_two_sided_p_value(false_positives, num_queries, rate);
  const Prediction prediction = filter.prediction();
  const double z = (rate - *prediction.exact) / *prediction.rate_stddev;
  std::ostringstream seen;
  seen << subject.variant << " of " << filter.state().num_bits << " bits, " << num_keys
       << " keys: " << false_positives << " false positives of " << num_queries
       << ", expected given the state " << rate * static_cast<double>(num_queries) << ", p "
       << p_value << "; rate given the state " << rate << ", exact mean " << *prediction.exact
       << ", z " << z << ", seed " << seed;
  INFO(seen.str());
  CHECK(p_value > test::rejection_threshold());
  if (prints) {
    WARN(seen.str());  // Catch2 also prints warnings of passed tests
    CHECK(std::abs(z) < statistics::two_sided_z(test::rejection_threshold()));
  }
}

}  // namespace

TEST_CASE("block rates: false positives given the state are binomial at 1e5 and 1e6 keys",
          "[statistical]") {
  for (const Subject& subject : subjects()) {
    check_false_positives(subject, 100'000, 1'000'000, false);
    check_false_positives(subject, 1'000'000, 2'000'000, false);
    // Here the number of blocks is not near a power of two.
    check_false_positives(subject, 51'200 * 3, 1'000'000, false);
  }
}

TEST_CASE("block rates: the mean rate and the mean fill over filters are the exact ones",
          "[statistical]") {
  constexpr std::uint64_t kNumFilters = 40;
  constexpr std::uint64_t kNumKeys = 50'000;
  const double limit = statistics::two_sided_z(test::rejection_threshold());
  for (const Subject& subject : subjects()) {
    double rate = 0;
    double ones = 0;
    double expected = 0;
    double stddev = 0;
    double expected_ones = 0;
    double ones_stddev = 0;
    for (std::uint64_t i = 0; i < kNumFilters; ++i) {
      const MeasuredFilter filter(subject, kNumKeys, test::test_seed() + i);
      rate += filter.state().conditional_false_positive_rate / kNumFilters;
      ones += static_cast<double>(filter.state().num_ones) / kNumFilters;
      if (i > 0) continue;
      const Prediction prediction = filter.prediction();
      const std::optional<theory::FillLaw> law = filter.fill_law();
      REQUIRE(law.has_value());
      expected = *prediction.exact;
      stddev = *prediction.rate_stddev / std::sqrt(double{kNumFilters});
      expected_ones = law->mean();
      ones_stddev = std::sqrt(law->variance() / kNumFilters);
    }
    CAPTURE(subject.variant, rate, expected, stddev, ones, expected_ones, ones_stddev,
            test::test_seed());
    CHECK(std::abs(rate - expected) < limit * stddev);
    CHECK(std::abs(ones - expected_ones) < limit * ones_stddev);
  }
}

TEST_CASE("block rates: false positives given the state are binomial at 1e7 and 1e8 keys",
          "[.large]") {
  for (const std::uint64_t num_keys : {10'000'000U, 100'000'000U}) {
    for (const Subject& subject : subjects())
      check_false_positives(subject, num_keys, 10'000'000, true);
  }
}

}  // namespace bloometry
