#pragma once

#include "experiments/report/chart_axis.hpp"

namespace bloometry::report {

// The relative errors of the cells of a heat map, and whether chance explains them.

/// Returns observed rate / expected rate - 1.
[[nodiscard]] double relative_error(const SummaryRow& row);

/// Returns whether the error of the row can be judged: the row has at least 100 false positives,
/// expected or counted, and its queries are not repeated. A few popular keys decide the
/// rate of repeated queries, so that neither the queries nor few trials show its spread.
[[nodiscard]] bool can_judge(const SummaryRow& row);

/// The deviations that chance can cause if filters are correct. A larger deviation contradicts
/// theory.
class Chance {
 public:
  /// Computes the significance level per cell of the maps. The significance level per cell
  /// decreases as the number of cells grows.
  /// @param rows rows of all maps
  explicit Chance(const Rows& rows);

  /// Returns the half width of the interval of the row's relative error. If the error is computed
  /// from the spread between trials, the interval is by Student's t.
  [[nodiscard]] double width(const SummaryRow& row) const;

  /// Returns whether chance can explain the error of the row. The cell of a row with an explained
  /// error is not coloured.
  [[nodiscard]] bool explains(const SummaryRow& row) const;

  [[nodiscard]] bool explains_all(const Rows& rows) const;

 private:
  double level_ = 1;  ///< significance level per cell
};

}  // namespace bloometry::report
