#pragma once

#include <map>
#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <utility>

#include "experiments/report/labels.hpp"

namespace bloometry::report {

/// A straight piece of a line, an interval or a mark, in px from the upper left corner of its view.
struct Stroke {
  double x1 = 0;
  double y1 = 0;
  double x2 = 0;
  double y2 = 0;
};

/// Returns the start of a text on a line across the view. It is the leftmost place where the text
/// does not hide a stroke, otherwise the place where it hides the least. All lengths here are in
/// px.
[[nodiscard]] double free_place(std::span<const Stroke> strokes, double line_y, double text_width,
                                double view_width);

/// Start of the texts of targets on the x axis, by view and target.
using TargetPlaces = std::map<std::pair<std::string, double>, double>;

/// The contents of a chart of rates with target lines.
struct TargetView {
  const Rows& rows;
  const Axis& x;
  const Labels& series;
  const Labels& views;
  nlohmann::json x_scale;  ///< linear or logarithmic, with its domain
  nlohmann::json y_scale;  ///< logarithmic
};

/// Finds the places among the lines, intervals and marks of the rows. Rows of filters that do not
/// grow do not have targets.
[[nodiscard]] TargetPlaces target_places(const TargetView& view);

/// The colours of lines and texts of targets, by target.
using TargetColours = std::map<double, std::string>;

/// Returns the colour of the target's first series if series differ by target, otherwise grey.
/// @param run all rows, as for Labels::colours
[[nodiscard]] TargetColours target_colours(const TargetView& view, std::span<const SummaryRow> run);

/// Returns the layers: a line at each target_false_positive_rate in target_colour, and its text at
/// target_x, on a background that hides lines behind it.
/// @param y the channel of target_false_positive_rate
[[nodiscard]] nlohmann::json target_layers(const nlohmann::json& y);

}  // namespace bloometry::report
