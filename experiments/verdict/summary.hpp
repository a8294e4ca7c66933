#pragma once

#include <cstdint>
#include <iosfwd>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "experiments/verdict/point_work.hpp"

namespace bloometry {

struct Verdict;

/// One line of summary.csv: one point with all its trials, and theory beside the counts.
struct SummaryRow {
  // The point, as in TrialRow without unit and trial.
  std::string variant;
  std::string keys;
  std::string hash;
  std::string probes;
  std::string params;
  std::uint64_t num_inserted = 0;
  std::uint64_t num_bits = 0;
  std::optional<std::uint64_t> num_counters{};
  std::optional<std::uint64_t> num_hashes{};
  std::optional<double> target_false_positive_rate{};
  std::optional<std::uint64_t>
      capacity{};  ///< of the grid, if present: n / capacity is an axis of charts
  std::optional<double> bits_per_key{};  ///< as in the grid, before rounding to cells

  // Counts over all trials.
  std::uint64_t num_trials = 0;
  std::uint64_t num_queries = 0;
  std::uint64_t num_false_positives = 0;
  std::uint64_t num_false_negatives = 0;

  // Observed: the pooled rate with its 95 % Clopper-Pearson interval (zero false positives: the
  // lower end is 0). With Zipf queries: 1.96 standard errors over the trials; [0, 1] for one trial.
  double observed_false_positive_rate = 0;
  double interval_lower = 0;
  double interval_upper = 0;
  std::optional<double> observed_rate_stddev{};  ///< between trials, if there are at least two

  // Expected.
  std::optional<double> exact_false_positive_rate{};
  double expected_false_positive_rate = 0;  ///< exact, or the approximation used instead
  std::string expected_by{};                ///< exact, fluid, ...
  std::optional<double> classic_false_positive_rate{};
  std::optional<double> expected_rate_stddev{};  ///< between filters
  double conditional_false_positive_rate = 0;    ///< mean over trials, from the filters' own states
  std::optional<double> expected_fill_ratio{};
  double observed_fill_ratio = 0;  ///< mean over trials

  // Verdict.
  bool tested = false;
  std::string exemption_reason{};  ///< empty if tested
  double min_false_positives_p_value =
      1;  ///< smallest over trials, false positives given the filter's own state
  std::optional<double>
      min_fill_p_value{};  ///< smallest over trials; absent if no fill test applies
};

/// Returns one row per point, with theory beside it, sorted by the points' first rows. Scalable
/// filters may have grown differently from trial to trial: num_bits is then the largest.
/// @param workers do not affect the summary.
/// @throws IoError if a thread cannot be started.
[[nodiscard]] std::vector<SummaryRow> summarise(const Verdict& verdict,
                                                const Workers& workers = {});

/// Writes summary.csv: a header and one line per row, its columns the fields of SummaryRow in
/// order. Absent values are empty, doubles read back exactly (dictionary: results/README.md).
void write_summary_csv(std::ostream& out, std::span<const SummaryRow> rows);

}  // namespace bloometry
