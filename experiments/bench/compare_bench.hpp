#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/statistics/ratio_interval.hpp"
#include "experiments/bench/stored_bench.hpp"

namespace bloometry::bench {

/// Probability that at least one verdict of a comparison is faster or slower if no time changed.
inline constexpr double kFamilyWiseError = 0.01;

enum class Change { kNotShown, kFaster, kSlower };

constexpr std::string_view name_of(Change change) noexcept {
  return change == Change::kFaster   ? "faster"
         : change == Change::kSlower ? "slower"
                                     : "no difference shown";
}

/// The comparison of one time.
struct ComparedRow {
  RowName name;
  double before_ns = 0;  ///< geometric mean in ns per key
  double after_ns = 0;
  statistics::RatioEstimate estimate{};  ///< after / before
  Change change = Change::kNotShown;

  /// Returns the smallest ratio above 1 whose interval, with the spread of these values, would
  /// exclude 1. The result is infinite if the spread is unknown.
  [[nodiscard]] double smallest_shown_ratio() const noexcept;
};

struct BenchComparison {
  StoredBench before;
  StoredBench after;
  /// Times of filters that both benchmarks contain, by number and kind of keys, operation, kind of
  /// call, number of threads and filter.
  std::vector<ComparedRow> rows{};
  /// Times of floors that both benchmarks contain. A difference is one of the machine, and not of a
  /// filter.
  std::vector<ComparedRow> floors{};
  std::vector<RowName> only_before{};
  std::vector<RowName> only_after{};
  std::vector<std::string> warnings{};  ///< other conditions, one line per condition
  double row_error = 0;  ///< error of one interval: kFamilyWiseError / number of rows and floors
  /// Whether both benchmarks have at least two runs of every row. The values of an interval are
  /// then the geometric means of the runs, otherwise the repetitions.
  bool is_by_runs = false;

  [[nodiscard]] std::uint64_t count(Change change) const;

  /// Returns the median of the rows' smallest_shown_ratio().
  [[nodiscard]] double smallest_shown_ratio() const;
};

/// Compares two benchmarks. A time is faster or slower if its interval, of confidence 1 -
/// row_error, excludes the ratio 1. If no time changed, the probability of any such verdict is at
/// most kFamilyWiseError (Bonferroni's inequality), under the assumptions of ratio_of_means().
///
/// Repetitions of one run share conditions that differ between runs, such as the position of the
/// memory. Only a comparison by runs (is_by_runs) includes these differences in its intervals.
/// Source: Kalibera, Jones (2013), "Rigorous benchmarking in reasonable time": repeat at the
/// highest level that varies. A row with fewer than two values in one of the benchmarks does not
/// show a difference.
/// @throws ConfigError if the benchmarks do not have a row in common
[[nodiscard]] BenchComparison compare_bench(StoredBench before, StoredBench after);

}  // namespace bloometry::bench
