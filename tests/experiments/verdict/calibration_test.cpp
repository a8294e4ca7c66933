#include <vector>

#include "core/hash/mix.hpp"
#include "core/statistics/special_functions.hpp"
#include "experiments/verdict/verdict.hpp"
#include "tests/statistical/false_alarm.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/runs/made_up_runs.hpp"
#include "tests/support/test_seed.hpp"

using namespace bloometry;
using namespace bloometry::test;

namespace {

/// Returns one small trial of a correct filter for every tested kind of row. Each trial has its own
/// seed.
std::vector<SmallTrial> honest_trials(std::uint64_t seed) {
  const FilterSpec bits{.num_bits = 2'000, .num_hashes = 4};
  const FilterSpec counters{.num_counters = 2'000, .num_hashes = 3};
  FilterSpec growing{.target_false_positive_rate = 0.05};
  growing.params = {{"initial_capacity", 100.0},
                    {"stage_change", std::string("count")},
                    {"insert_policy", std::string("blind")}};
  const std::string growing_params =
      R"({"initial_capacity":100,"insert_policy":"blind","stage_change":"count"})";
  std::vector<SmallTrial> trials = {
      {.variant = "standard", .spec = bits},
      {.variant = "standard", .probes = "independent", .spec = bits},
      {.variant = "standard", .probes = "distinct", .spec = bits},
      {.variant = "partitioned", .spec = bits},
      {.variant = "counting", .spec = counters},
      {.variant = "variable_increment", .spec = counters},
      {.variant = "scalable", .params = growing_params, .spec = growing}};
  for (SmallTrial& trial : trials) {
    trial.num_keys = 400;
    trial.num_queries = 3'000;
    trial.trial = static_cast<std::uint64_t>(&trial - trials.data());
    trial.seed = seed;
  }
  return trials;
}

struct Counts {
  std::uint64_t num_tests = 0;
  std::uint64_t num_below = 0;

  void add(const std::optional<double>& p_value) {
    num_tests += p_value ? 1U : 0U;
    num_below += p_value && *p_value <= 0.05 ? 1U : 0U;
  }
};

/// Checks that p-values are valid: a p-value below 0.05 has probability at most 0.05. Fails if the
/// number of p-values below 0.05 is too large for Bin(num_tests, 0.05).
void check_valid(const Counts& counts) {
  INFO(counts.num_below << " of " << counts.num_tests << " p-values are at most 0.05");
  CHECK(statistics::binomial_upper_tail(static_cast<double>(counts.num_tests), 0.05,
                                        static_cast<double>(counts.num_below)) >
        rejection_threshold());
}

}  // namespace

// Judges 400 runs, each with the false-alarm probability of one assertion (false_alarm.hpp). Then
// checks the p-values of three tests over all runs.
TEST_CASE("verdict: correct runs are never rejected and their p-values are valid",
          "[verdict][statistical]") {
  Counts false_positives;
  Counts fill;
  Counts histogram;
  for (std::uint64_t run = 0; run < 400; ++run) {
    std::vector<TrialRow> rows;
    // Runs of different root seeds must differ, so the runs do not use consecutive seeds.
    for (const SmallTrial& trial : honest_trials(mix64(mix64(test_seed()) + run)))
      rows.push_back(measure(trial));
    const Verdict verdict = judge(run_of(std::move(rows)), rejection_threshold());
    INFO("seed " << test_seed() << ", run " << run << ": " << verdict.rows.front().why);
    CHECK(verdict.accepted());
    CHECK(verdict.num_tests == 19);
    for (const RowVerdict& row : verdict.rows) {
      false_positives.add(row.false_positives_p_value);
      fill.add(row.fill_p_value);
      histogram.add(row.histogram_p_value);
    }
  }
  check_valid(false_positives);
  check_valid(fill);
  check_valid(histogram);
}
