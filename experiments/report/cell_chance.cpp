#include "experiments/report/cell_chance.hpp"

#include <algorithm>
#include <cmath>

#include "core/statistics/significance.hpp"

namespace bloometry::report {
namespace {

constexpr double kLeastCellFalsePositives = 100;
constexpr std::uint64_t kLeastSpreadTrials = 30;  // fewer trials do not show the spread of filters

/// Returns the standard error of the mean rate, from the spread between trials. The spread includes
/// the differences between filters and the sampling error of the queries. If the trials are few,
/// the spread is computed from theory (theory 9.3).
double standard_error(const SummaryRow& row) {
  const auto trials = static_cast<double>(row.num_trials);
  if (row.num_trials >= kLeastSpreadTrials && row.observed_rate_stddev) {
    return *row.observed_rate_stddev / std::sqrt(trials);
  }
  const double rate = std::max(row.observed_false_positive_rate, row.expected_false_positive_rate);
  return std::sqrt(std::pow(row.expected_rate_stddev.value_or(0), 2) / trials +
                   rate * (1 - rate) / static_cast<double>(row.num_queries));
}

}  // namespace

double relative_error(const SummaryRow& row) {
  return row.observed_false_positive_rate / row.expected_false_positive_rate - 1;
}

bool has_enough_false_positives(const SummaryRow& row) {
  const double expected = static_cast<double>(row.num_queries) * row.expected_false_positive_rate;
  return std::max(expected, static_cast<double>(row.num_false_positives)) >=
         kLeastCellFalsePositives;
}

Chance::Chance(const Rows& rows) {
  constexpr double kCellLevel = 0.001;
  constexpr double kChartLevel = 0.05;  // level over all cells of a chart
  const auto num_cells = std::count_if(rows.begin(), rows.end(), [](const SummaryRow* row) {
    return has_enough_false_positives(*row);
  });
  const double share = kChartLevel / static_cast<double>(std::max<std::ptrdiff_t>(num_cells, 1));
  z_ = statistics::two_sided_z(std::min(kCellLevel, share));
}

double Chance::width(const SummaryRow& row) const {
  return z_ * standard_error(row) / row.expected_false_positive_rate;
}

bool Chance::explains(const SummaryRow& row) const {
  return !has_enough_false_positives(row) || std::abs(relative_error(row)) <= width(row);
}

bool Chance::explains_all(const Rows& rows) const {
  return std::all_of(rows.begin(), rows.end(),
                     [this](const SummaryRow* row) { return explains(*row); });
}

}  // namespace bloometry::report
