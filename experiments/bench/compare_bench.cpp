#include "experiments/bench/compare_bench.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/core.h>
#include <utility>

#include "core/error.hpp"
#include "experiments/bench/summary.hpp"
#include "experiments/text/number_text.hpp"

namespace bloometry::bench {
namespace {

using RowsByName = std::map<RowName, RunTimes>;

std::uint64_t num_in_both(const RowsByName& before, const RowsByName& after) {
  return static_cast<std::uint64_t>(std::count_if(
      before.begin(), before.end(), [&](const auto& row) { return after.contains(row.first); }));
}

Change change_of(const statistics::Interval& interval) {
  if (interval.lower > 1) return Change::kSlower;
  if (interval.upper < 1) return Change::kFaster;
  return Change::kNotShown;
}

/// Returns the values of which an interval is computed.
Repetitions values_of(const RunTimes& runs, bool is_by_runs) {
  Repetitions values;
  for (const Repetitions& run : runs) {
    if (is_by_runs) {
      values.push_back(statistics::geometric_mean(run));
    } else {
      values.insert(values.end(), run.begin(), run.end());
    }
  }
  return values;
}

/// Returns whether all rows that both benchmarks contain have at least two runs.
bool have_several_runs(const RowsByName& before, const RowsByName& after) {
  return std::all_of(before.begin(), before.end(), [&](const auto& row) {
    const auto found = after.find(row.first);
    return found == after.end() || (row.second.size() >= 2 && found->second.size() >= 2);
  });
}

std::vector<ComparedRow> compared(const RowsByName& before, const RowsByName& after,
                                  const BenchComparison& comparison) {
  std::vector<ComparedRow> rows;
  for (const auto& [name, runs] : before) {
    const auto found = after.find(name);
    if (found == after.end()) continue;
    const Repetitions old_values = values_of(runs, comparison.is_by_runs);
    const Repetitions new_values = values_of(found->second, comparison.is_by_runs);
    ComparedRow row{
        .name = name,
        .before_ns = statistics::geometric_mean(old_values),
        .after_ns = statistics::geometric_mean(new_values),
        .estimate = statistics::ratio_of_means(new_values, old_values, comparison.row_error)};
    row.change = change_of(row.estimate.interval);
    rows.push_back(std::move(row));
  }
  return rows;
}

std::vector<RowName> names_missing_in(const RowsByName& other, const RowsByName& rows) {
  std::vector<RowName> names;
  for (const auto& [name, runs] : rows) {
    if (!other.contains(name)) names.push_back(name);
  }
  return names;
}

std::vector<std::string> other_conditions(const StoredBench& before, const StoredBench& after) {
  std::vector<std::string> warnings;
  for (const auto& [field, text] : before.conditions) {
    const std::string& other = after.conditions.at(field);
    if (other != text)
      warnings.push_back(fmt::format("{} differs: {} before, {} after", field, text, other));
  }
  return warnings;
}

/// Adds a warning if the floors differ. The floor of a machine in the same state does not change.
void warn_of_floors(BenchComparison& comparison) {
  const std::vector<ComparedRow>& floors = comparison.floors;
  const auto num_other = std::count_if(floors.begin(), floors.end(), [](const ComparedRow& floor) {
    return floor.change != Change::kNotShown;
  });
  if (num_other == 0) return;
  comparison.warnings.push_back(fmt::format(
      "{} of {} times of the floor differ, which do not depend on filters: the state of the "
      "machine differs, and may be the reason for a verdict",
      num_other, floors.size()));
}

/// A comparison that shows a ratio only above this limit is reported as a warning. A change of half
/// of the time is one that a reader of the table sees without a test.
constexpr double kMaxUsefulRatio = 1.5;

/// Adds a warning if a large change of a time would probably not be shown.
void warn_of_low_power(BenchComparison& comparison) {
  const double ratio = comparison.smallest_shown_ratio();
  if (ratio <= kMaxUsefulRatio) return;
  const std::string shown =
      std::isfinite(ratio)
          ? fmt::format("show a change only above a factor of {}", grouped_real(ratio, 3))
          : "cannot show any change";
  comparison.warnings.push_back(
      fmt::format("half of the times {}; measure {}, or fewer --variants and --ops", shown,
                  comparison.is_by_runs
                      ? "more runs into both folders (the same --out with a larger --repetitions)"
                      : "both benchmarks with more --repetitions"));
}

}  // namespace

double ComparedRow::smallest_shown_ratio() const noexcept {
  return estimate.interval.upper / estimate.ratio;
}

double BenchComparison::smallest_shown_ratio() const {
  std::vector<double> ratios;
  for (const ComparedRow& row : rows) ratios.push_back(row.smallest_shown_ratio());
  return spread_of(ratios).median;
}

std::uint64_t BenchComparison::count(Change change) const {
  return static_cast<std::uint64_t>(std::count_if(
      rows.begin(), rows.end(), [&](const ComparedRow& row) { return row.change == change; }));
}

BenchComparison compare_bench(StoredBench before, StoredBench after) {
  const std::uint64_t num_rows = num_in_both(before.rows, after.rows);
  if (num_rows == 0) {
    throw ConfigError(
        fmt::format("--compare must have a time in common with {}, got {}, which has "
                    "other filters, operations, numbers of keys or kinds of keys",
                    after.name, before.name));
  }
  const double error =
      kFamilyWiseError / static_cast<double>(num_rows + num_in_both(before.floors, after.floors));
  BenchComparison result{
      .before = std::move(before), .after = std::move(after), .row_error = error};
  result.is_by_runs = have_several_runs(result.before.rows, result.after.rows);
  result.rows = compared(result.before.rows, result.after.rows, result);
  result.floors = compared(result.before.floors, result.after.floors, result);
  result.only_before = names_missing_in(result.after.rows, result.before.rows);
  result.only_after = names_missing_in(result.before.rows, result.after.rows);
  result.warnings = other_conditions(result.before, result.after);
  warn_of_floors(result);
  warn_of_low_power(result);
  return result;
}

}  // namespace bloometry::bench
