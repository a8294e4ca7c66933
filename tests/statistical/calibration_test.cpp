// Tests the calibration of verify: over many filters, the assumed laws must be the true laws. Each
// filter is a separate trial with its own keys and hash seed, and gives four values. The first
// three values have an exactly uniform distribution. The first value is the randomised probability
// integral transform U = P(X < x) + V P(X = x) of the false positives given the filter's state. The
// second value is the transform of the filter's fill. The third value is the randomised p-value of
// the filter's histogram of set probes. The fourth value is the p-value of the histogram that
// verify uses. Small values of this p-value must not be more frequent than under the uniform
// distribution. Kolmogorov's test compares the values of all filters with the uniform distribution
// (theory 9.3). The file contains 27 assertions with the false-alarm probability in
// false_alarm.hpp. The p-values of Kolmogorov's test come from Massart's bound, which is valid in
// the far tail. BLOOMETRY_CALIBRATION_TABLE names a file to which the test appends a line per
// assertion.

#include <cstdlib>
#include <fstream>
#include <optional>
#include <string>
#include <vector>

#include "core/engine/batch.hpp"
#include "core/hash/mix.hpp"
#include "core/hash/xxh3_hasher.hpp"
#include "core/statistics/binomial_test.hpp"
#include "core/statistics/multinomial_test.hpp"
#include "core/theory/probe_count_law.hpp"
#include "tests/statistical/false_alarm.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/digests.hpp"
#include "tests/support/reference/goodness_of_fit.hpp"
#include "tests/support/test_seed.hpp"
#include "variants/registry/all_variants.hpp"
#include "variants/registry/theory_registry.hpp"

namespace bloometry {
namespace {

constexpr std::uint64_t kNumFilters = 2'000;
constexpr std::uint64_t kNumQueries = 1'000;

/// Pseudo-random numbers in [0, 1) that are independent of the keys.
class Uniforms {
 public:
  explicit Uniforms(std::uint64_t seed) : state_(mix64(~seed)) {}

  double next() {
    state_ += kGoldenGamma;
    return static_cast<double>(mix64(state_) >> 11U) * 0x1p-53;
  }

 private:
  std::uint64_t state_;
};

/// Returns the law of the number of set probes given the state of a filter.
template <class F>
std::vector<double> probe_law(const F& filter) {
  const FilterState state = filter.state();
  return theory::probe_count_law(F::kModel, state.num_ones,
                                 state.num_counters.value_or(state.num_bits), filter.num_hashes());
}

/// Returns the law of the number of set probes for a filter with adjacent slices. The first m mod k
/// slices have one more bit than the other slices.
std::vector<double> probe_law(const PartitionedFilter& filter) {
  const std::uint64_t k = filter.num_hashes();
  std::vector<double> fills;
  std::uint64_t first = 0;
  for (std::uint64_t i = 0; i < k; ++i) {
    const std::uint64_t bits = filter.num_bits() / k + (i < filter.num_bits() % k ? 1 : 0);
    fills.push_back(static_cast<double>(filter.bits().count(first, first + bits)) /
                    static_cast<double>(bits));
    first += bits;
  }
  return theory::probe_count_law(fills);
}

/// The values of the tests. Each vector has one value per filter.
struct Values {
  std::vector<double> false_positives{};
  std::vector<double> fill{};
  std::vector<double> histogram{};
  std::vector<double> histogram_p_values{};
};

template <class F>
void add_histogram(const F& filter, const std::vector<Digest>& queries, Uniforms& uniforms,
                   Values& values) {
  std::vector<std::uint64_t> counts(filter.num_hashes() + 1, 0);
  count_set_probes(filter, queries, counts);
  std::vector<double> v(counts.size());
  for (double& value : v) value = uniforms.next();
  const std::vector<double> law = probe_law(filter);
  values.histogram.push_back(statistics::multinomial_randomised_p_value(counts, law, v));
  values.histogram_p_values.push_back(statistics::multinomial_p_value(counts, law));
}

template <class F>
Values measured(const std::string& kind, const FilterSpec& spec, std::uint64_t num_keys) {
  const std::uint64_t kind_seed = Xxh3Hasher(test::test_seed())(KeyView(kind)).lo;
  const auto fill_law = find_theory(F::kName).fill_law(spec, F::kModel, num_keys);
  Values values;
  for (std::uint64_t i = 0; i < kNumFilters; ++i) {
    // Filters of different kinds or root seeds must differ, so the filters do not use consecutive
    // seeds.
    const std::uint64_t seed = mix64(kind_seed + i);
    Uniforms uniforms(seed);
    F filter(spec);
    for (const Digest& key : test::member_digests(num_keys, seed)) filter.insert(key);
    const auto queries = test::nonmember_digests(kNumQueries, seed);
    const FilterState state = filter.state();
    values.false_positives.push_back(statistics::binomial_randomised_pit(
        count_positives(filter, queries), kNumQueries, state.conditional_false_positive_rate,
        uniforms.next()));
    if (fill_law) values.fill.push_back(fill_law->randomised_pit(state.num_ones, uniforms.next()));
    if constexpr (ProbeCountingFilter<F>) add_histogram(filter, queries, uniforms, values);
  }
  return values;
}

void record(const std::string& kind, const std::string& law, double distance, double p_value) {
  const char* file = std::getenv("BLOOMETRY_CALIBRATION_TABLE");
  if (file == nullptr) return;
  std::ofstream(file, std::ios::app) << test::test_seed() << ',' << kind << ',' << law << ','
                                     << kNumFilters << ',' << distance << ',' << p_value << '\n';
}

void check_uniform(const std::string& kind, const std::string& law,
                   const std::vector<double>& values) {
  if (values.empty()) return;
  REQUIRE(values.size() == kNumFilters);
  const double distance = test::kolmogorov_statistic(values);
  const double p_value = test::kolmogorov_p_value(distance, kNumFilters);
  record(kind, law, distance, p_value);
  CAPTURE(kind, law, distance, p_value, test::test_seed());
  CHECK(test::kolmogorov_p_value_bound(distance, kNumFilters) > test::rejection_threshold());
}

/// Checks that small p-values are not more frequent than under the uniform distribution. Small
/// values of a discrete p-value are less frequent.
void check_valid(const std::string& kind, const std::vector<double>& p_values) {
  if (p_values.empty()) return;
  const double excess = test::kolmogorov_excess(p_values);
  const double bound = 0.5 * test::kolmogorov_p_value_bound(excess, kNumFilters);
  record(kind, "histogram p-value (one-sided bound)", excess, bound);
  CAPTURE(kind, excess, bound, test::test_seed());
  CHECK(bound > test::rejection_threshold());
}

template <class F>
void check_calibration(const std::string& kind, const FilterSpec& spec,
                       std::uint64_t num_keys = 150) {
  const Values values = measured<F>(kind, spec, num_keys);
  check_uniform(kind, "false positives given the state", values.false_positives);
  check_uniform(kind, "fill", values.fill);
  check_uniform(kind, "histogram randomised", values.histogram);
  check_valid(kind, values.histogram_p_values);
  CHECK(values.histogram.empty() == !ProbeCountingFilter<F>);
}

FilterSpec growing_spec(const std::string& stage_change, const std::string& insert_policy) {
  FilterSpec spec{.target_false_positive_rate = 0.1};
  spec.params = {
      {"initial_capacity", 30.0}, {"stage_change", stage_change}, {"insert_policy", insert_policy}};
  return spec;
}

/// Sizes for 150 keys at 10 cells per key and k = 4. The rates are at most 1.2 %. The standard
/// deviation of the number of set cells is 8, and the mean is 495.
const FilterSpec kBits{.num_bits = 1'501, .num_hashes = 4};
const FilterSpec kCounters{.num_counters = 1'501, .num_hashes = 4};

}  // namespace

TEST_CASE("calibration: standard filter, model W", "[statistical]") {
  check_calibration<BasicStandardFilter<RemixProbes>>("standard W", kBits);
}

TEST_CASE("calibration: standard filter, model D", "[statistical]") {
  // In this small filter, the rates given the fill differ clearly between models W and D. With 42
  // of 64 bits set, the rate is 0.034 in W and 0.027 in D.
  check_calibration<BasicStandardFilter<DistinctProbes>>("standard D",
                                                         {.num_bits = 64, .num_hashes = 8}, 8);
}

TEST_CASE("calibration: partitioned filter", "[statistical]") {
  check_calibration<PartitionedFilter>("partitioned", kBits);
}

TEST_CASE("calibration: counting filter", "[statistical]") {
  check_calibration<CountingFilter>("counting", kCounters);
}

TEST_CASE("calibration: variable-increment filter", "[statistical]") {
  check_calibration<VariableIncrementFilter>("variable_increment", kCounters);
}

TEST_CASE("calibration: d_left filter", "[statistical]") {
  // 150 keys in 4 x 8 buckets, whose 32 x 2^7 fingerprints give a rate of 3.6 %.
  check_calibration<DLeftFilter>(
      "d_left", {.num_blocks = 128, .num_hashes = 4, .params = {{"remainder_bits", 7.0}}});
}

TEST_CASE("calibration: cuckoo filter", "[statistical]") {
  // 150 keys in 44 buckets of 4 cells, whose 44 x 255 pairs give a rate of 2.6 %.
  check_calibration<CuckooFilter>("cuckoo",
                                  {.num_blocks = 44, .params = {{"fingerprint_bits", 8.0}}});
}

TEST_CASE("calibration: scalable filter, stage change by count, blind inserts", "[statistical]") {
  check_calibration<ScalableFilter>("scalable count+blind", growing_spec("count", "blind"));
}

TEST_CASE("calibration: scalable filter with blocked stages", "[statistical]") {
  FilterSpec spec = growing_spec("fill", "check_first");
  spec.params["stages"] = std::string("blocked");
  check_calibration<ScalableFilter>("scalable blocked fill+check_first", spec);
}

TEST_CASE("calibration: scalable filter with lanes stages", "[statistical]") {
  FilterSpec spec = growing_spec("count", "blind");
  spec.params["stages"] = std::string("lanes");
  check_calibration<ScalableFilter>("scalable lanes count+blind", spec);
}

TEST_CASE("calibration: scalable filter, stage change by fill, check first", "[statistical]") {
  // The law of the fill is unknown here, so only the false positives are tested.
  check_calibration<ScalableFilter>("scalable fill+check_first",
                                    growing_spec("fill", "check_first"));
}

}  // namespace bloometry
