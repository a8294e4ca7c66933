#include "experiments/report/view_positions.hpp"

#include "experiments/report/row_marks.hpp"

namespace bloometry::report {

ViewPositions::ViewPositions(const Drawing& drawing)
    : x_(drawing.request.x),
      x_scale_(x_channel(*drawing.request.x, drawing.rows())["scale"]),
      y_scale_(quantity_channel(drawing, "y")["scale"]),
      size_(chart::view_size(drawing.views.in_order().size())) {}

MarkPosition ViewPositions::of(const SummaryRow& row, double value) const {
  return {.x = size_.width * chart::share_of(x_scale_, *x_->value(row)),
          .y = size_.height * chart::share_of(y_scale_, value)};
}

}  // namespace bloometry::report
