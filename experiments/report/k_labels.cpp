#include "experiments/report/k_labels.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/core.h>
#include <iterator>
#include <string>
#include <vector>

#include "experiments/chart/chart_style.hpp"
#include "experiments/report/coinciding_lines.hpp"
#include "experiments/report/target_lines.hpp"
#include "experiments/report/view_positions.hpp"

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

/// Returns the marks and the lines of theory of a view.
ViewLabels labels_of_view(const Drawing& drawing, const ViewPositions& positions,
                          const std::string& view) {
  ViewLabels labels(positions.size());
  std::map<std::string, std::map<double, double>> lines;  // y by x, by series
  for (const SummaryRow* row : drawing.rows()) {
    if (drawing.views.of(*row) != view) continue;
    const std::optional<double> theory = theory_value(drawing, *row);
    if (theory) lines[drawing.series.of(*row)][positions.x(*row)] = positions.y(*theory);
    if (is_unmarked(drawing, *row)) continue;
    labels.add_mark(positions.x(*row), positions.y(measured_value(drawing, *row)));
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
  const ViewPositions positions(drawing);
  std::map<std::string, ViewLabels> views;
  for (const std::string& name : drawing.views.in_order()) {
    views.emplace(name, labels_of_view(drawing, positions, name));
  }
  for (const SummaryRow* row : drawing.rows()) {
    if (!drawing.named_num_hashes.contains(row) || is_unmarked(drawing, *row)) continue;
    ViewLabels& view = views.at(drawing.views.of(*row));
    const auto place = view.place(positions.x(*row), positions.y(measured_value(drawing, *row)),
                                  k_label(*row).size());
    if (place) places[row] = *place;
  }
  return places;
}

}  // namespace bloometry::report
