#include "experiments/report/view_positions.hpp"

#include "experiments/report/row_marks.hpp"

namespace bloometry::report {

ViewPositions::ViewPositions(const Drawing& drawing)
    : x_axis_(drawing.request.x),
      x_scale_(x_channel(*x_axis_, drawing.rows())["scale"]),
      y_scale_(quantity_channel(drawing, "")["scale"]),
      size_(chart::view_size(drawing.views.in_order().size())) {}

double ViewPositions::x(const SummaryRow& row) const {
  return size_.width * chart::share_of(x_scale_, *x_axis_->value(row));
}

double ViewPositions::y(double value) const {
  return size_.height * (1 - chart::share_of(y_scale_, value));
}

}  // namespace bloometry::report
