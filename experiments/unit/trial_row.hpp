#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace bloometry {

/// Maximum number of queries per row for which the probes on non-zero cells are counted. The first
/// queries of the row are counted. The number is limited because a query that stops at the first
/// empty cell is faster than a query that reads all k cells. The counts of 10^4 queries reveal
/// correlated probes that the rate reveals only at 10^6 queries, or never.
inline constexpr std::uint64_t kMaxHistogramQueries = 10'000;

/// One row of trials.csv: the counts of one point of one trial. The file results/README.md
/// describes the columns and their order. A value that does not apply to the variant is absent, and
/// its CSV field is empty.
struct TrialRow {
  std::string unit;  ///< 32 hex digits
  std::string variant;
  std::string keys;  ///< name of the source, such as random, or file:<path as configured>
  std::string hash;
  std::string probes;
  std::string params;  ///< resolved params as a JSON object with sorted keys and without spaces
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
  /// Absent if the filter is not limited, or if an older version wrote the row.
  std::optional<std::uint64_t> num_refused_inserts{};
  std::optional<std::uint64_t> num_refused_erases{};
  std::optional<std::uint64_t> num_wrongful_erases{};
  std::optional<std::uint64_t> num_skipped_decrements{};
  double conditional_false_positive_rate = 0;
  // Counts of the window. Absent if the unit does not have one.
  std::optional<std::uint64_t> num_window_queries{};
  std::optional<std::uint64_t> num_window_violations{};
  std::optional<std::uint64_t> num_expired_queries{};
  std::optional<std::uint64_t> num_expired_retained{};
  std::optional<std::uint64_t> num_expired_present{};
  // Counts of the stream of items. Absent if the unit does not have one.
  std::optional<std::uint64_t> num_originals{};
  std::optional<std::uint64_t> num_originals_stopped{};
  std::optional<std::uint64_t> num_duplicates{};
  std::optional<std::uint64_t> num_duplicates_passed{};
  std::optional<std::uint64_t> num_held_duplicates{};
  std::optional<std::uint64_t> num_lost_duplicates{};

  /// The row's histogram, which is in histograms.csv but not in trials.csv. The histogram contains
  /// the first min(num_queries, kMaxHistogramQueries) queries of the row. Element s, for s from 0
  /// to k, is the number of queries with s of k probes on non-zero cells. The vector is empty if
  /// the filter has no fixed k, or if an older version wrote the row.
  std::vector<std::uint64_t> set_probe_counts{};

  /// Compares rows by their columns from left to right.
  friend auto operator<=>(const TrialRow&, const TrialRow&) = default;
  friend bool operator==(const TrialRow&, const TrialRow&) = default;
};

}  // namespace bloometry
