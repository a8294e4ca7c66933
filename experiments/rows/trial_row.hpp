#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace bloometry {

/// Number of queries of a row, counted from the first, whose set probes are counted. It is limited
/// because a query that stops at the first empty cell is faster than one that reads all k cells. A
/// sample of 10^4 queries reveals correlated probes that the rate shows only at 10^6 queries, or
/// not at all.
inline constexpr std::uint64_t kMaxHistogramQueries = 10'000;

/// One row of trials.csv: one point of one trial, as counts. results/README.md describes the
/// columns and their order. A value is absent (an empty field) if it does not apply to the variant.
struct TrialRow {
  std::string unit;  ///< 32 hex digits
  std::string variant;
  std::string keys;  ///< random, sequential, decimal, url, or file:<path as configured>
  std::string hash;
  std::string probes;
  std::string params;  ///< JSON object, resolved, keys sorted, no spaces; {} without parameters
  std::uint64_t trial = 0;
  std::uint64_t num_inserted = 0;
  std::uint64_t num_bits = 0;
  std::optional<std::uint64_t> num_counters{};
  std::optional<std::uint64_t> num_hashes{};
  std::optional<double> target_false_positive_rate{};
  std::uint64_t num_queries = 0;
  std::uint64_t num_false_positives = 0;
  std::uint64_t num_member_queries = 0;
  std::uint64_t num_false_negatives = 0;
  std::uint64_t num_ones = 0;
  std::optional<std::uint64_t> num_passing_pairs{};
  std::optional<std::uint64_t> num_stored{};
  std::optional<std::uint64_t> num_stages{};
  std::optional<std::uint64_t> num_saturated{};
  std::optional<std::uint64_t> num_refused_erases{};
  std::optional<std::uint64_t> num_wrongful_erases{};
  std::optional<std::uint64_t> num_skipped_decrements{};
  double conditional_false_positive_rate = 0;

  /// Data of histograms.csv, not a column of trials.csv. Element s is the number of those among the
  /// first min(num_queries, kMaxHistogramQueries) queries that found s of their k probes on
  /// non-zero cells. It has k + 1 elements. It is empty if the filter does not have k probes, or an
  /// older version wrote the row.
  std::vector<std::uint64_t> set_probe_counts{};

  /// Compares rows by their columns from left to right.
  friend auto operator<=>(const TrialRow&, const TrialRow&) = default;
  friend bool operator==(const TrialRow&, const TrialRow&) = default;
};

}  // namespace bloometry
