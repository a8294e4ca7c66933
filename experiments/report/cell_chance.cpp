#include "experiments/report/cell_chance.hpp"

#include <algorithm>
#include <cmath>

#include "core/statistics/ratio_interval.hpp"
#include "core/statistics/significance.hpp"
#include "experiments/report/selection.hpp"

namespace bloometry::report {
namespace {

constexpr double kLeastCellFalsePositives = 100;
constexpr std::uint64_t kLeastSpreadTrials = 30;  // fewer trials do not show the spread of filters

/// Returns whether the error of the mean rate is computed from the spread between trials. The
/// spread includes the differences between filters and the sampling error of the queries.
bool is_by_spread(const SummaryRow& row) {
  return row.num_trials >= kLeastSpreadTrials && row.observed_rate_stddev.value_or(0) > 0;
}

/// Returns the standard error of the mean rate. If the trials are few, the error is computed from
/// theory (theory 9.3).
double standard_error(const SummaryRow& row) {
  const auto trials = static_cast<double>(row.num_trials);
  if (is_by_spread(row)) return *row.observed_rate_stddev / std::sqrt(trials);
  const double rate = std::max(row.observed_false_positive_rate, row.expected_false_positive_rate);
  return std::sqrt(std::pow(row.expected_rate_stddev.value_or(0), 2) / trials +
                   rate * (1 - rate) / static_cast<double>(row.num_queries));
}

}  // namespace

double relative_error(const SummaryRow& row) {
  return row.observed_false_positive_rate / row.expected_false_positive_rate - 1;
}

bool can_judge(const SummaryRow& row) {
  if (has_repeated_queries(row)) return false;
  const double expected = static_cast<double>(row.num_queries) * row.expected_false_positive_rate;
  return std::max(expected, static_cast<double>(row.num_false_positives)) >=
         kLeastCellFalsePositives;
}

Chance::Chance(const Rows& rows) {
  constexpr double kCellLevel = 0.001;
  constexpr double kChartLevel = 0.05;  // level over all cells of a chart
  const auto num_cells = std::count_if(rows.begin(), rows.end(),
                                       [](const SummaryRow* row) { return can_judge(*row); });
  const double share = kChartLevel / static_cast<double>(std::max<std::ptrdiff_t>(num_cells, 1));
  level_ = std::min(kCellLevel, share);
}

double Chance::width(const SummaryRow& row) const {
  const double quantile = is_by_spread(row) ? statistics::student_two_sided_quantile(
                                                  static_cast<double>(row.num_trials - 1), level_)
                                            : statistics::two_sided_z(level_);
  return quantile * standard_error(row) / row.expected_false_positive_rate;
}

bool Chance::explains(const SummaryRow& row) const {
  return !can_judge(row) || std::abs(relative_error(row)) <= width(row);
}

bool Chance::explains_all(const Rows& rows) const {
  return std::all_of(rows.begin(), rows.end(),
                     [this](const SummaryRow* row) { return explains(*row); });
}

}  // namespace bloometry::report
