#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "experiments/unit/unit.hpp"
#include "experiments/verdict/point_work.hpp"

namespace bloometry {

struct Verdict;

/// One line of summary.csv: the counts of one point over all its trials, and the predictions of
/// theory.
struct SummaryRow {
  // The point, with the fields of TrialRow except unit and trial, and with its churn.
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
  std::optional<Churn> churn{};          ///< churn between filling and measuring, if any
  std::optional<StreamWindow> window{};  ///< window over the insert calls, if any
  std::optional<ItemStream> stream{};    ///< stream of items, if any
  std::optional<std::uint64_t>
      capacity{};  ///< capacity in the grid, if any; charts use n / capacity
  /// Number of keys for which the first stage is planned, if the filter grows.
  std::optional<std::uint64_t> initial_capacity{};
  /// Number of keys up to which the filter grows, if its parameters limit it. Not a column, because
  /// the column `params` contains it.
  std::optional<std::uint64_t> max_capacity{};
  /// Bits per key in the grid, if any. The filter rounds them to whole cells or blocks.
  std::optional<double> requested_bits_per_key{};

  // Counts, summed over all trials.
  std::uint64_t num_trials = 0;
  std::uint64_t num_queries = 0;
  std::uint64_t num_false_positives = 0;
  std::uint64_t num_false_negatives = 0;
  std::optional<std::uint64_t> num_refused_inserts{};  ///< absent if the filter is not limited
  // Counts of the window; absent without one.
  std::optional<std::uint64_t> num_window_queries{};
  std::optional<std::uint64_t> num_window_violations{};
  std::optional<std::uint64_t> num_expired_queries{};
  std::optional<std::uint64_t> num_expired_retained{};
  std::optional<std::uint64_t> num_expired_present{};
  // Counts of the stream of items; absent without one.
  std::optional<std::uint64_t> num_originals{};
  std::optional<std::uint64_t> num_originals_stopped{};
  std::optional<std::uint64_t> num_duplicates{};
  std::optional<std::uint64_t> num_duplicates_passed{};
  std::optional<std::uint64_t> num_held_duplicates{};
  std::optional<std::uint64_t> num_lost_duplicates{};

  // Observed: the pooled rate with its 95 % Clopper-Pearson interval. The lower end of the interval
  // is 0 if there are zero false positives. With Zipf queries, the interval is that of the mean of
  // the trials by Student's t, or [0, 1] for one trial or trials of equal rates.
  double observed_false_positive_rate = 0;
  double interval_lower = 0;
  double interval_upper = 0;
  std::optional<double> observed_rate_stddev{};  ///< standard deviation of the rate between trials

  // Expected.
  std::optional<double> exact_false_positive_rate{};
  double expected_false_positive_rate = 0;  ///< exact rate, or that of a model or approximation
  /// Name of the formula, for example exact or fluid. If the probe scheme departs from independent
  /// probes or lanes, or the hash from a uniform hash, the name of the model: independent_probes,
  /// independent_lanes or uniform_hash.
  std::string expected_by{};
  std::optional<double> classic_false_positive_rate{};
  std::optional<double> expected_rate_stddev{};  ///< standard deviation of the rate between filters
  double conditional_false_positive_rate = 0;    ///< mean over trials of the rate given the state
  std::optional<double> expected_fill_ratio{};
  double observed_fill_ratio = 0;  ///< mean over trials

  // Verdict.
  bool tested = false;
  std::string exemption_reason{};            ///< empty if tested
  double min_false_positives_p_value = 1;    ///< smallest p-value of the false positives in a trial
  std::optional<double> min_fill_p_value{};  ///< smallest p-value of the fill in a trial, if tested
  /// Smallest p-value of the number of refused inserts in a trial, if tested.
  std::optional<double> min_refused_inserts_p_value{};
  /// Smallest p-value of the expired keys in a trial, if tested.
  std::optional<double> min_expired_p_value{};

  /// Returns the memory in bits per key: num_bits divided by the capacity or, without a capacity,
  /// by the number of inserted keys. For a filter that grows, always divides by the number of
  /// inserted keys. The result is absent if this number is 0.
  [[nodiscard]] std::optional<double> bits_per_key() const noexcept;

  /// Returns whether the memory depends on the number of inserted keys.
  [[nodiscard]] bool has_growing_memory() const noexcept;
};

/// Returns one row per point, with the predictions of theory. The rows are sorted by the filter
/// (variant, params, keys, hash, probes), by its churn, by its window, by its stream, by its
/// capacity and size, by n and by k. A filter that grows may have different sizes in different
/// trials. In this case, num_bits and num_counters are those of the largest filter, and the fill
/// ratios are means over the sizes.
/// @param workers number of threads and callback, which do not affect the result
/// @throws IoError if a thread cannot be started
[[nodiscard]] std::vector<SummaryRow> summarise(const Verdict& verdict,
                                                const Workers& workers = {});

/// Returns the contents of summary.csv: a header and one line per row. The columns correspond to
/// the fields of SummaryRow in order, with four columns for the churn (see results/README.md).
/// The columns of windows are absent unless a row has a window, and those of streams unless a row
/// has a stream. An absent value is an empty cell, and doubles read back exactly.
[[nodiscard]] std::string summary_csv(std::span<const SummaryRow> rows);

}  // namespace bloometry
