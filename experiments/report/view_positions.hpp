#pragma once

#include <nlohmann/json.hpp>

#include "experiments/chart/chart_style.hpp"
#include "experiments/report/coinciding_marks.hpp"
#include "experiments/report/drawing.hpp"

namespace bloometry::report {

/// The positions of values in a view of a drawing, whose x axis must be one of numbers.
class ViewPositions {
 public:
  explicit ViewPositions(const Drawing& drawing);

  /// Returns the position in px at which a view shows a value of the row, such as its rate.
  [[nodiscard]] MarkPosition of(const SummaryRow& row, double value) const;

 private:
  const Axis* x_;
  nlohmann::json x_scale_;
  nlohmann::json y_scale_;
  chart::ViewSize size_;
};

}  // namespace bloometry::report
