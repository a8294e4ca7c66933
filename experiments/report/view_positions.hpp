#pragma once

#include <nlohmann/json.hpp>

#include "experiments/chart/chart_style.hpp"
#include "experiments/report/coinciding_marks.hpp"
#include "experiments/report/drawing.hpp"

namespace bloometry::report {

/// The positions of values in a view of a drawing, in px from its upper left corner. The x axis of
/// the drawing must be one of numbers.
class ViewPositions {
 public:
  explicit ViewPositions(const Drawing& drawing);

  [[nodiscard]] double x(const SummaryRow& row) const;
  [[nodiscard]] double y(double value) const;

  /// Returns the position at which a view shows a value of the row, such as its rate.
  [[nodiscard]] MarkPosition of(const SummaryRow& row, double value) const {
    return {.x = x(row), .y = y(value)};
  }

  [[nodiscard]] chart::ViewSize size() const { return size_; }

 private:
  const Axis* x_axis_;
  nlohmann::json x_scale_;
  nlohmann::json y_scale_;
  chart::ViewSize size_;
};

}  // namespace bloometry::report
