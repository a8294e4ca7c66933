#pragma once

#include <map>
#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <utility>

#include "experiments/report/labels.hpp"

namespace bloometry::report {

/// A straight segment that is part of a line, of an interval or of a mark. The coordinates are in
/// px from the upper left corner of the view.
struct Stroke {
  double x1 = 0;
  double y1 = 0;
  double x2 = 0;
  double y2 = 0;
};

/// A rectangle, in px.
struct Box {
  double left = 0;
  double right = 0;
  double top = 0;
  double bottom = 0;
};

/// Returns the length of the part of a stroke inside the box, in px.
[[nodiscard]] double length_in(const Stroke& stroke, const Box& box);

/// Returns the x at which a label starts on a line across the view. The result is the leftmost
/// position at which the label does not hide a stroke. If every position hides a stroke, the result
/// is the position with the shortest hidden length. All lengths are in px.
[[nodiscard]] double free_place(std::span<const Stroke> strokes, double line_y, double text_width,
                                double view_width);

/// The x at which the labels of targets start, by view and target.
using TargetPlaces = std::map<std::pair<std::string, double>, double>;

/// The parts of a chart of rates that determine its target lines.
struct TargetView {
  const Rows& rows;
  const Axis& x;
  const Labels& series;
  const Labels& views;
  nlohmann::json x_scale;  ///< linear or logarithmic scale with its domain
  nlohmann::json y_scale;  ///< logarithmic scale with its domain
};

/// Returns the positions of the labels among the lines, intervals and marks of the rows. Only
/// filters that grow have targets.
[[nodiscard]] TargetPlaces target_places(const TargetView& view);

/// Returns a layer with a grey line at each target rate, and a layer with the labels of the lines
/// at target_x. A halo behind each label hides other lines.
/// @param y the channel of target_false_positive_rate
[[nodiscard]] nlohmann::json target_layers(const nlohmann::json& y);

}  // namespace bloometry::report
