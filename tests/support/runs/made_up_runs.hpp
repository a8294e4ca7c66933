#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/any_filter/any_filter.hpp"
#include "experiments/output/run_folder.hpp"
#include "experiments/plan/config.hpp"
#include "experiments/trial/run_unit.hpp"
#include "experiments/unit/trial_row.hpp"
#include "experiments/verdict/summary.hpp"
#include "experiments/verdict/verdict.hpp"

/// Runs that tests make without a sweep. Tests of files use runs with invented results. Tests of
/// the verdict use results that are measured on real filters. Tests of charts and pages use results
/// that are computed from theory.
namespace bloometry::test {

/// Returns a config of a few small units: 3 sizes and `trials` trials, with 2 points per unit.
[[nodiscard]] Config small_config(const std::string& name = "small", std::uint64_t trials = 2);

/// Returns the rows and the timing of the unit, with invented counts. Invented counts are valid in
/// files, but do not follow theory.
[[nodiscard]] UnitResult made_up_result(const Unit& unit);

/// A trial of one filter at one point.
struct SmallTrial {
  std::string variant = "standard";
  std::string probes = "remix";
  std::string params = "{}";
  FilterSpec spec{};
  std::uint64_t num_keys = 0;
  std::uint64_t num_queries = 100'000;
  std::uint64_t trial = 0;
  std::uint64_t seed = 0;
};

[[nodiscard]] std::uint64_t hash_seed(const SmallTrial& trial);

[[nodiscard]] std::vector<Digest> members_of(const SmallTrial& trial);

/// Returns the row of a filter that contains exactly the given members of the trial.
[[nodiscard]] TrialRow measure_filled(const AnyFilter& filter, const SmallTrial& trial,
                                      std::span<const Digest> members);

/// Inserts the members of the trial into the filter and returns the measured row.
[[nodiscard]] TrialRow measure(AnyFilter filter, const SmallTrial& trial);

/// Makes the filter that the trial describes, inserts the members and returns the measured row.
[[nodiscard]] TrialRow measure(const SmallTrial& trial);

/// Returns a trial of a standard filter at n = 10^4, m = 10^5, k = 7. The fill has mean 50,340 and
/// standard deviation 88.
[[nodiscard]] SmallTrial usual_trial(std::uint64_t seed = 1);

/// Returns a complete run with the given rows and one unit per row.
[[nodiscard]] RunData run_of(std::vector<TrialRow> rows);

/// A run as the input of a report: summary rows with correct theory and invented false positives.
struct HandMadeRun {
  RunData run;
  std::vector<SummaryRow> rows;
  Verdict verdict;
};

/// Returns one point of a standard filter with num_queries queries. The number of false positives
/// is the expected number plus `excess` standard errors.
[[nodiscard]] SummaryRow make_row(std::uint64_t n, double bits_per_key, std::uint64_t k,
                                  std::uint64_t num_queries = 1'000'000, double excess = 0);

/// Returns a run over the product of the axes for standard and counting filters of one capacity.
/// The numbers of false positives deviate a little from the expected numbers.
[[nodiscard]] HandMadeRun grid_run(const std::vector<double>& loads,
                                   const std::vector<double>& sizes,
                                   const std::vector<std::uint64_t>& hashes);

/// Returns a run whose grid has the size of the demo's grid.
[[nodiscard]] HandMadeRun large_run();

/// Returns a run with one size, one k and five values of n. A chart of this run has a single
/// series.
[[nodiscard]] HandMadeRun one_series_run();

/// Returns a run with many key sources, so that charts have a hundred views.
[[nodiscard]] HandMadeRun hundred_facets_run();

/// Returns a run with strings that break a page if the page does not escape them: markup, quotes,
/// template braces, bad UTF-8.
[[nodiscard]] HandMadeRun hostile_run();

/// Returns a run without rows.
[[nodiscard]] HandMadeRun empty_run();

/// Adds trial verdicts with evenly distributed p-values.
void add_trials(HandMadeRun& made, std::size_t num_trials);

}  // namespace bloometry::test
