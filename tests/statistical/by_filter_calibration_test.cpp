// Applies the two tests that use the bounded law of filters with blocks to correct filters. Counts
// false alarms at the levels 5 % and 1 %. Every run builds new filters. The file contains 16
// assertions; false_alarm.hpp states their false-alarm probability.

#include <cstdint>
#include <string>
#include <vector>

#include "core/statistics/by_filter_test.hpp"
#include "core/statistics/seed_sequence.hpp"
#include "core/statistics/special_functions.hpp"
#include "core/statistics/total_positives_test.hpp"
#include "core/theory/block_rate_law.hpp"
#include "tests/statistical/false_alarm.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/digests.hpp"
#include "tests/support/test_seed.hpp"
#include "variants/registry/registry.hpp"

namespace bloometry {
namespace {

struct Plan {
  std::string variant;
  FilterSpec spec{};
  std::uint64_t num_keys = 0;
  std::uint64_t num_queries = 0;  // number per filter
  unsigned num_filters = 0;       // number per run
  unsigned num_runs = 0;
};

struct PValues {
  std::vector<double> by_filter{};
  std::vector<double> of_total{};
};

/// Returns the p-values of runs of correct filters. A run continues after a decision, so that each
/// later false alarm is also counted.
PValues honest_p_values(const Plan& plan) {
  const VariantInfo& info = find_variant(plan.variant);
  const auto law =
      theory::block_rate_law(info.schemes.front().model, plan.num_keys, info.geometry(plan.spec));
  const statistics::ByFilterTest fresh(law, plan.num_queries, {});
  const statistics::TotalPositivesTest total(law, plan.num_filters, plan.num_queries);
  PValues found;
  for (unsigned run = 0; run < plan.num_runs; ++run) {
    statistics::ByFilterTest test = fresh;
    std::uint64_t num_false_positives = 0;
    for (unsigned i = 0; i < plan.num_filters; ++i) {
      const std::uint64_t seed =
          SeedSequence(test::test_seed())
              .seed("by filter", plan.variant, std::uint64_t{run} * plan.num_filters + i);
      AnyFilter filter = info.schemes.front().make(plan.spec);
      filter.insert(std::span<const Digest>(test::member_digests(plan.num_keys, seed)));
      const std::uint64_t false_positives = filter.count_positives(
          std::span<const Digest>(test::nonmember_digests(plan.num_queries, seed)));
      test.begin_filter();
      test.observe(false_positives, plan.num_queries);
      num_false_positives += false_positives;
    }
    found.by_filter.push_back(test.p_value());
    found.of_total.push_back(total.two_sided_p_value(num_false_positives));
  }
  return found;
}

void check_false_alarms(const std::string& test, const std::vector<double>& p_values) {
  for (const double alpha : {0.05, 0.01}) {
    double num_crossings = 0.0;
    for (const double p_value : p_values) num_crossings += p_value <= alpha ? 1.0 : 0.0;
    INFO(test << " at " << alpha << ": " << num_crossings << " of " << p_values.size()
              << " honest runs rejected, seed " << test::test_seed());
    CHECK(statistics::binomial_upper_tail(static_cast<double>(p_values.size()), alpha,
                                          num_crossings) >= test::rejection_threshold());
  }
}

void check(const Plan& plan) {
  const PValues p_values = honest_p_values(plan);
  check_false_alarms(plan.variant + ", by filter", p_values.by_filter);
  check_false_alarms(plan.variant + ", total", p_values.of_total);
}

}  // namespace

TEST_CASE("by-filter test: keeps its false alarm for two blocks of 512",
          "[statistical][sequential]") {
  check({.variant = "blocked",
         .spec = {.num_bits = 1024, .num_hashes = 6},
         .num_keys = 100,
         .num_queries = 100,
         .num_filters = 8,
         .num_runs = 4000});
}

TEST_CASE("by-filter test: keeps its false alarm for crowded blocks of 512",
          "[statistical][sequential]") {
  // The number of queries is large enough to show the differences between the filters' rates.
  check({.variant = "blocked",
         .spec = {.num_bits = 1024, .num_hashes = 6},
         .num_keys = 200,
         .num_queries = 2000,
         .num_filters = 8,
         .num_runs = 1000});
}

TEST_CASE("by-filter test: keeps its false alarm for split blocks", "[statistical][sequential]") {
  check({.variant = "split_block",
         .spec = {.num_bits = 1024, .num_hashes = 8},
         .num_keys = 60,
         .num_queries = 400,
         .num_filters = 8,
         .num_runs = 4000});
}

TEST_CASE("by-filter test: keeps its false alarm for lanes", "[statistical][sequential]") {
  check({.variant = "lanes",
         .spec = {.num_bits = 1024, .num_hashes = 8},
         .num_keys = 60,
         .num_queries = 400,
         .num_filters = 8,
         .num_runs = 4000});
}

}  // namespace bloometry
