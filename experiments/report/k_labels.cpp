#include "experiments/report/k_labels.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/core.h>
#include <iterator>
#include <string>
#include <vector>

#include "experiments/chart/chart_style.hpp"
#include "experiments/report/row_marks.hpp"
#include "experiments/report/target_lines.hpp"

namespace bloometry::report {
namespace {

bool overlap(const Box& a, const Box& b) {
  return a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
}

/// The places that are tried, from the best. The first is up and to the right of the mark.
constexpr auto kPlaces = std::to_array<KLabelPlace>({{6, -9},
                                                     {6, 10},
                                                     {-6, -9},
                                                     {-6, 10},
                                                     {9, 0},
                                                     {-9, 0},
                                                     {6, -19},
                                                     {6, 20},
                                                     {-6, -19},
                                                     {-6, 20}});

/// The marks and texts of one view.
class ViewLabels {
 public:
  explicit ViewLabels(chart::ViewSize size) : size_(size) {}

  void add_mark(double x, double y) {
    constexpr double kRadius = 4;
    taken_.push_back({x - kRadius, x + kRadius, y - kRadius, y + kRadius});
  }

  void add_line(const Stroke& line) { lines_.push_back(line); }

  /// Returns the place beside a mark whose text covers no mark or text, and the least length of
  /// lines. Takes this place.
  std::optional<KLabelPlace> place(double x, double y, std::size_t num_letters) {
    std::optional<KLabelPlace> best;
    double least = INFINITY;
    for (const KLabelPlace& candidate : kPlaces) {
      const Box box = box_of(candidate, x, y, num_letters);
      const double covered = covered_length(box);
      if (!is_free(box) || covered >= least) continue;
      least = covered;
      best = candidate;
    }
    if (best) taken_.push_back(box_of(*best, x, y, num_letters));
    return best;
  }

 private:
  static Box box_of(const KLabelPlace& place, double x, double y, std::size_t num_letters) {
    constexpr double kLetterWidth = 6.5;
    constexpr double kHalfHeight = 5.5;
    const double width = kLetterWidth * static_cast<double>(num_letters);
    const double left = x + place.dx - (place.dx < 0 ? width : 0);
    return {left, left + width, y + place.dy - kHalfHeight, y + place.dy + kHalfHeight};
  }

  [[nodiscard]] double covered_length(const Box& box) const {
    double length = 0;
    for (const Stroke& line : lines_) length += length_in(line, box);
    return length;
  }

  /// Returns whether the box is in the view and covers no mark or text.
  [[nodiscard]] bool is_free(const Box& box) const {
    const bool is_inside =
        box.left >= 0 && box.right <= size_.width && box.top >= 0 && box.bottom <= size_.height;
    return is_inside && std::none_of(taken_.begin(), taken_.end(),
                                     [&](const Box& other) { return overlap(box, other); });
  }

  chart::ViewSize size_;
  std::vector<Box> taken_{};
  std::vector<Stroke> lines_{};
};

/// Converts the values of rows to px from the upper left corner of their view.
class Pixels {
 public:
  explicit Pixels(const Drawing& drawing)
      : axis_(drawing.request.x),
        x_scale_(x_channel(*axis_, drawing.rows())["scale"]),
        y_scale_(quantity_channel(drawing, "")["scale"]),
        size_(chart::view_size(drawing.views.in_order().size())) {}

  [[nodiscard]] double x(const SummaryRow& row) const {
    return size_.width * chart::share_of(x_scale_, *axis_->value(row));
  }

  [[nodiscard]] double y(double value) const {
    return size_.height * (1 - chart::share_of(y_scale_, value));
  }

  [[nodiscard]] chart::ViewSize size() const { return size_; }

 private:
  const Axis* axis_;
  nlohmann::json x_scale_;
  nlohmann::json y_scale_;
  chart::ViewSize size_;
};

/// Returns the value through which the row's line of theory passes, or nullopt without a line.
std::optional<double> theory_of(const Drawing& drawing, const SummaryRow& row) {
  if (!drawing.is_rate()) return row.expected_fill_ratio;
  return row.expected_false_positive_rate;
}

/// Returns the marks and the lines of theory of a view.
ViewLabels labels_of_view(const Drawing& drawing, const Pixels& pixels, const std::string& view) {
  ViewLabels labels(pixels.size());
  std::map<std::string, std::map<double, double>> lines;  // y by x, by series
  for (const SummaryRow* row : drawing.rows()) {
    if (drawing.views.of(*row) != view) continue;
    const std::optional<double> theory = theory_of(drawing, *row);
    if (theory) lines[drawing.series.of(*row)][pixels.x(*row)] = pixels.y(*theory);
    if (is_unmarked(drawing, *row)) continue;
    labels.add_mark(pixels.x(*row), pixels.y(measured_value(drawing, *row)));
  }
  for (const auto& [series, line] : lines) {
    for (auto from = line.begin(), to = std::next(from); to != line.end(); ++from, ++to) {
      labels.add_line({from->first, from->second, to->first, to->second});
    }
  }
  return labels;
}

}  // namespace

std::string k_label(const SummaryRow& row) {
  return fmt::format("k = {}", *row.num_hashes);
}

std::map<const SummaryRow*, KLabelPlace> k_label_places(const Drawing& drawing) {
  std::map<const SummaryRow*, KLabelPlace> places;
  if (drawing.named_num_hashes.empty() || !drawing.has_lines()) return places;
  const Pixels pixels(drawing);
  std::map<std::string, ViewLabels> views;
  for (const std::string& name : drawing.views.in_order()) {
    views.emplace(name, labels_of_view(drawing, pixels, name));
  }
  for (const SummaryRow* row : drawing.rows()) {
    if (!drawing.named_num_hashes.contains(row) || is_unmarked(drawing, *row)) continue;
    ViewLabels& view = views.at(drawing.views.of(*row));
    const auto place =
        view.place(pixels.x(*row), pixels.y(measured_value(drawing, *row)), k_label(*row).size());
    if (place) places[row] = *place;
  }
  return places;
}

}  // namespace bloometry::report
