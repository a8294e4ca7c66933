#include "tests/experiments/verdict/planted_filters.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <utility>

#include "core/hash/mix.hpp"
#include "core/statistics/test_power.hpp"
#include "experiments/verdict/row_tests.hpp"
#include "tests/support/defects/filters.hpp"
#include "variants/registry/registry.hpp"

namespace bloometry::test {
namespace {

SmallTrial trial_of(const FilterSpec& spec, std::uint64_t num_keys, std::uint64_t seed,
                    std::uint64_t num_queries) {
  return {.spec = spec, .num_keys = num_keys, .num_queries = num_queries, .seed = seed};
}

TheoryPoint point_of(const SmallTrial& trial) {
  return {.variant = trial.variant,
          .spec = trial.spec,
          .model = find_variant(trial.variant).scheme(trial.probes).model,
          .num_keys = trial.num_keys};
}

/// Inserts the members of the trial into the filter and computes the filter's true rate.
template <class F, class TrueRate>
PlantedFilter fill_and_measure(F filter, const SmallTrial& trial, TrueRate true_rate) {
  const std::vector<Digest> members = members_of(trial);
  for (const Digest& key : members) filter.insert(key);
  const double rate = true_rate(filter);
  return {.row = measure_filled(AnyFilter(std::move(filter)), trial, members),
          .context = {.point = point_of(trial)},
          .true_rate = rate};
}

double fill_of(const FilterState& state) {
  return static_cast<double>(state.num_ones) / static_cast<double>(state.num_bits);
}

/// Returns the probability that the fill test for `law` rejects a number of set cells that follows
/// the law `truth`.
double fill_power(const theory::FillLaw& law, const theory::FillLaw& truth) {
  double power = 0;
  const auto [first, last] = truth.support();
  for (std::uint64_t ones = first; ones <= last; ++ones) {
    if (law.two_sided_p_value(ones) < kPowerLevel) power += truth.pmf(ones);
  }
  return power;
}

using theory::FillLaw;
constexpr ProbeModel kW = ProbeModel::kWithReplacement;

PlantedDefect raised_rate(const std::string& name, double excess, std::uint64_t num_keys,
                          std::uint64_t num_bits) {
  return {name, "", 0, [=](std::uint64_t seed, std::uint64_t num_queries) {
            const FilterSpec spec{.num_bits = num_bits, .num_hashes = 1};
            PlantedFilter planted = fill_and_measure(
                RaisedRateFilter(spec, excess), trial_of(spec, num_keys, seed, num_queries),
                [&](const auto& filter) { return (1 + excess) * fill_of(filter.state()); });
            return planted;
          }};
}

PlantedDefect a_hash_less() {
  const double power_of_fill =
      fill_power(FillLaw(kW, 1'000, 10'000, 7), FillLaw(kW, 1'000, 10'000, 6));
  return {"k wrong by one", "", 0, [=](std::uint64_t seed, std::uint64_t queries) {
            const FilterSpec spec{.num_bits = 10'000, .num_hashes = 7};
            PlantedFilter planted = fill_and_measure(
                MiscountingFilter<-1>(spec), trial_of(spec, 1'000, seed, queries),
                [](const auto& filter) { return integer_power(fill_of(filter.state()), 6); });
            planted.fill_power = power_of_fill;
            return planted;
          }};
}

PlantedDefect a_tenth_unused() {
  const double power_of_fill =
      fill_power(FillLaw(kW, 1'000, 10'000, 7), FillLaw(kW, 1'000, 9'000, 7));
  return {"10 % of m unused", "", 0, [=](std::uint64_t seed, std::uint64_t queries) {
            const FilterSpec spec{.num_bits = 10'000, .num_hashes = 7};
            PlantedFilter planted = fill_and_measure(
                NarrowFilter(spec), trial_of(spec, 1'000, seed, queries),
                [](const auto& filter) { return integer_power(fill_of(filter.state()) / 0.9, 7); });
            planted.fill_power = power_of_fill;
            return planted;
          }};
}

/// Returns the true rate of the filter. The first probe of a key is always in the upper half of the
/// bits; the other probes are uniform over all bits.
double true_rate_of(const StuckBitFilter& filter) {
  const std::uint64_t m = filter.num_bits();
  const double upper_fill =
      static_cast<double>(filter.bits().count(m / 2, m)) / (static_cast<double>(m) / 2);
  return upper_fill * integer_power(fill_of(filter.state()), filter.num_hashes() - 1);
}

PlantedDefect a_stuck_bit() {
  return {"a hash bit stuck", "", 0, [](std::uint64_t seed, std::uint64_t queries) {
            const FilterSpec spec{.num_bits = 10'000, .num_hashes = 7};
            return fill_and_measure(StuckBitFilter(spec), trial_of(spec, 1'000, seed, queries),
                                    [](const auto& filter) { return true_rate_of(filter); });
          }};
}

/// Returns the true rate: the share of pairs of a start and an even stride whose probes are all on
/// set bits.
double true_rate_of(const EvenStrideFilter& filter) {
  const std::uint64_t m = filter.num_bits();
  std::uint64_t num_positive = 0;
  for (std::uint64_t start = 0; start < m; ++start) {
    for (std::uint64_t stride = 0; stride < m; stride += 2) {
      EvenStrideProbes probes(start, stride);
      bool all_set = true;
      for (unsigned i = 0; i < filter.num_hashes() && all_set; ++i) {
        all_set = filter.bits().test(probes.next(m));
      }
      num_positive += all_set ? 1U : 0U;
    }
  }
  return static_cast<double>(num_positive) / (static_cast<double>(m) * static_cast<double>(m) / 2);
}

PlantedDefect even_strides() {
  return {"even stride", "", 0, [](std::uint64_t seed, std::uint64_t queries) {
            const FilterSpec spec{.num_bits = 1'024, .num_hashes = 7};
            return fill_and_measure(EvenStrideFilter(spec), trial_of(spec, 100, seed, queries),
                                    [](const auto& filter) { return true_rate_of(filter); });
          }};
}

PlantedDefect a_repeated_probe() {
  const double power_of_fill = fill_power(FillLaw(kW, 200, 6'200, 7), FillLaw(kW, 200, 6'200, 6));
  return {"two equal probes", "", 0, [=](std::uint64_t seed, std::uint64_t queries) {
            const FilterSpec spec{.num_bits = 6'200, .num_hashes = 7};
            PlantedFilter planted = fill_and_measure(
                RepeatingFilter(spec), trial_of(spec, 200, seed, queries),
                [](const auto& filter) { return integer_power(fill_of(filter.state()), 6); });
            planted.fill_power = power_of_fill;
            return planted;
          }};
}

/// Returns a defect whose filter receives num_keys keys, of which num_erased are erased. A correct
/// filter has the fill of a filter with only the remaining keys.
PlantedDefect forgotten_decrements(const std::string& name, std::uint64_t num_keys,
                                   std::uint64_t num_erased) {
  return {
      name, "", kMaxHistogramQueries, [=](std::uint64_t seed, std::uint64_t queries) {
        const FilterSpec spec{.num_counters = 10 * num_keys, .num_hashes = 7};
        SmallTrial trial = trial_of(spec, num_keys, seed, queries);
        trial.variant = "counting";
        const std::vector<Digest> members = members_of(trial);
        ForgetfulCountingFilter filter(spec, hash_seed(trial));
        for (const Digest& key : members) filter.insert(key);
        const auto erased = std::span(members).first(num_erased);
        for (const Digest& key : erased) filter.erase(key);
        PlantedFilter planted{.context = {.point = point_of(trial),
                                          .churn = Churn{.rounds = 1, .erase = 1, .reinsert = 0}}};
        planted.context.point.num_keys = num_keys - num_erased;
        planted.true_rate = filter.state().conditional_false_positive_rate;
        if (num_erased == num_keys) {  // a single non-zero cell is an error
          planted.fill_power = -std::expm1(static_cast<double>(filter.num_decrements()) *
                                           std::log1p(-ForgetfulCountingFilter::kForgottenShare));
        }
        planted.row = measure_filled(AnyFilter(std::move(filter)), trial,
                                     std::span(members).subspan(num_erased));
        return planted;
      }};
}

/// Returns the defect with a computed number of queries. With this number, the test of the false
/// positives detects the defect with the probability `power`, to within 0.01. The probability is
/// the mean over filters, because the filters' rates differ.
PlantedDefect detectable(PlantedDefect defect, double power) {
  std::vector<PlantedFilter> filters;
  for (std::uint64_t seed = 0; seed < 50; ++seed) filters.push_back(defect.make(seed, 1));
  const auto finds = [&](std::uint64_t num_queries) {
    double sum = 0;
    for (const PlantedFilter& planted : filters) {
      sum += statistics::binomial_test_power(
          num_queries, planted.row.conditional_false_positive_rate, planted.true_rate, kPowerLevel);
    }
    return sum >= power * static_cast<double>(filters.size());
  };
  std::uint64_t enough = 1;
  while (!finds(enough)) enough *= 2;
  std::uint64_t missed = enough / 2;
  while (enough - missed > enough / 100) {
    const std::uint64_t middle = missed + (enough - missed) / 2;
    (finds(middle) ? enough : missed) = middle;
  }
  defect.num_queries = enough;
  return defect;
}

std::string size_text(const TrialRow& row) {
  return std::to_string(row.num_inserted) + "," +
         std::to_string(row.num_counters.value_or(row.num_bits)) + "," +
         std::to_string(*row.num_hashes);
}

/// Returns the defects that the test of the false positives detects. The numbers of queries are not
/// yet set.
std::vector<PlantedDefect> shown_by_false_positives() {
  // At a rate of 0.4, few queries suffice to detect an excess of 1 %, so that a table over many
  // filters is fast enough.
  return {raised_rate("rate x 1.01", 0.01, 8'370, 16'384),
          raised_rate("rate x 1.1", 0.1, 1'005, 100'000),
          raised_rate("rate x 2", 1, 1'005, 100'000),
          a_hash_less(),
          a_tenth_unused(),
          a_stuck_bit(),
          even_strides(),
          a_repeated_probe()};
}

/// Returns defects that only the test of the fill detects.
std::vector<PlantedDefect> shown_by_fill() {
  return {forgotten_decrements("1 decrement in 10^4 forgotten, all erased", 6'600, 6'600),
          forgotten_decrements("1 decrement in 10^4 forgotten, half erased", 6'600, 3'300)};
}

}  // namespace

std::vector<PlantedDefect> planted_defects() {
  std::vector<PlantedDefect> defects;
  for (const PlantedDefect& defect : shown_by_false_positives()) {
    for (const double power : {0.99, 0.5}) defects.push_back(detectable(defect, power));
  }
  for (PlantedDefect& defect : shown_by_fill()) defects.push_back(std::move(defect));
  for (PlantedDefect& defect : defects) defect.size = size_text(defect.make(0, 1).row);
  return defects;
}

PlantedDefect planted_defect(const std::string& name) {
  for (PlantedDefect& defect : shown_by_false_positives()) {
    if (defect.name == name) return detectable(std::move(defect), 0.99);
  }
  for (PlantedDefect& defect : shown_by_fill()) {
    if (defect.name == name) return std::move(defect);
  }
  throw std::out_of_range("no planted defect " + name);
}

PowerCounts count_found(const PlantedDefect& defect, std::uint64_t num_filters,
                        std::uint64_t seed) {
  PowerCounts counts{.num_filters = num_filters};
  TheoryCache cache;
  const auto filters = static_cast<double>(num_filters);
  for (std::uint64_t i = 0; i < num_filters; ++i) {
    const PlantedFilter planted = defect.make(mix64(mix64(seed) + i), defect.num_queries);
    const RowVerdict verdict = test_row(planted.row, planted.context, cache);
    const double rate = planted.row.conditional_false_positive_rate;
    counts.expected_false_positives += verdict.expected_false_positives / filters;
    counts.true_ratio += (rate > 0 ? planted.true_rate / rate : 1) / filters;
    counts.predicted_by_false_positives +=
        statistics::binomial_test_power(defect.num_queries, rate, planted.true_rate, kPowerLevel) /
        filters;
    if (planted.fill_power) {
      counts.predicted_by_fill =
          counts.predicted_by_fill.value_or(0) + *planted.fill_power / filters;
    }
    const bool by_false_positives = verdict.false_positives_p_value.value_or(1) < kPowerLevel;
    const bool by_fill = verdict.fill_p_value.value_or(1) < kPowerLevel;
    const bool by_histogram = verdict.histogram_p_value.value_or(1) < kPowerLevel;
    counts.num_by_false_positives += by_false_positives ? 1U : 0U;
    counts.num_by_fill += by_fill ? 1U : 0U;
    counts.num_by_histogram += by_histogram ? 1U : 0U;
    counts.num_found += by_false_positives || by_fill || by_histogram ? 1U : 0U;
  }
  // Rounding may give a mean slightly above 1.
  counts.predicted_by_false_positives = std::min(1.0, counts.predicted_by_false_positives);
  if (counts.predicted_by_fill) {
    counts.predicted_by_fill = std::min(1.0, *counts.predicted_by_fill);
  }
  return counts;
}

}  // namespace bloometry::test
