#include "experiments/report/series_chart.hpp"

#include <algorithm>
#include <fmt/core.h>
#include <map>
#include <string>
#include <tuple>
#include <utility>

#include "experiments/chart/chart_style.hpp"
#include "experiments/report/coinciding_lines.hpp"
#include "experiments/report/coinciding_marks.hpp"
#include "experiments/report/coinciding_series.hpp"
#include "experiments/report/drawing.hpp"
#include "experiments/report/k_labels.hpp"
#include "experiments/report/row_marks.hpp"
#include "experiments/report/selection.hpp"
#include "experiments/report/target_lines.hpp"
#include "experiments/report/theory_layers.hpp"

namespace bloometry::report {
namespace {

using chart::Chart;
using chart::PlottedPoint;
using nlohmann::json;

json x_of(const Drawing& drawing, const SummaryRow& row) {
  const Axis& x = *drawing.request.x;
  if (x.value != nullptr) return *x.value(row);
  return x.label(row, drawing.input.wording);
}

/// Adds the fields of the target layers to the points of filters that grow.
class TargetFields {
 public:
  explicit TargetFields(const Drawing& drawing) {
    if (!drawing.has_targets()) return;
    const TargetView view{
        .rows = drawing.rows(),
        .x = *drawing.request.x,
        .series = drawing.series,
        .views = drawing.views,
        .x_scale = x_channel(*drawing.request.x, drawing.rows())["scale"],
        .y_scale = quantity_channel(drawing, "target_false_positive_rate")["scale"]};
    places_ = target_places(view);
  }

  void add(const SummaryRow& row, const std::string& view, json& fields) const {
    const double target = row.target_false_positive_rate.value_or(0);
    const auto place = places_.find({view, target});
    if (place == places_.end()) return;
    fields["target_x"] = place->second;
  }

 private:
  TargetPlaces places_{};
};

/// Adds the fields for the lines through the row that coincide with those of other series.
void add_shared_lines(const Drawing& drawing, const SummaryRow& row, json& fields) {
  const auto add = [&](const char* field, const std::string& theory) {
    const auto line =
        drawing.shared_lines.find({drawing.views.of(row), drawing.series.of(row), theory});
    if (line != drawing.shared_lines.end()) fields[field] = line->second;
  };
  add("shared_theory", theory_line_name(drawing, row));
  if (has_classic_rate(row)) add("shared_classic", kClassic);
}

/// Returns whether the row is drawn as a triangle.
bool has_upper_bound_mark(const Drawing& drawing, const SummaryRow& row) {
  return drawing.is_rate() && row.num_false_positives == 0 && !is_unmarked(drawing, row);
}

constexpr int kMarkSize = 38;  // in square px

/// Returns the size of the marks of a series. Series that coincide have marks of different sizes,
/// so that each mark is visible around the marks that it covers.
int mark_size(const Drawing& drawing, const std::string& view, const std::string& series) {
  const auto place = drawing.place_in_group.find({view, series});
  return kMarkSize * (place == drawing.place_in_group.end() ? 1 : mark_size_factor(place->second));
}

/// Adds the fields that show the k of a mark with another k than its series. The data contains the
/// colour of the filling, because a filled layer or a fill channel would fill the symbols of the
/// legend, and the k in the legend is that of hollow marks.
class OtherNumHashes {
 public:
  explicit OtherNumHashes(const Drawing& drawing)
      : drawing_(&drawing),
        places_(k_label_places(drawing)),
        colours_(drawing.series.colours(drawing.input.rows)) {}

  void add(const SummaryRow& row, json& fields) const {
    if (!drawing_->other_num_hashes.contains(&row)) return;
    fields["other_k"] = true;
    fields["fill_colour"] = colour_of(row);
    const auto place = places_.find(&row);
    if (place == places_.end()) return;
    fields["k_label"] = k_label(row);
    fields["k_label_dx"] = place->second.dx;
    fields["k_label_dy"] = place->second.dy;
    if (drawing_->is_rate()) fields["k_label_rate"] = drawn_rate(row);
  }

 private:
  [[nodiscard]] const std::string& colour_of(const SummaryRow& row) const {
    const std::vector<std::string>& labels = drawing_->series.in_order();
    const auto label = std::find(labels.begin(), labels.end(), drawing_->series.of(row));
    return colours_[static_cast<std::size_t>(label - labels.begin())];
  }

  const Drawing* drawing_;
  std::map<const SummaryRow*, KLabelPlace> places_;
  std::vector<std::string> colours_;  // of each label of the series
};

std::vector<PlottedPoint> plotted(const Drawing& drawing) {
  const Lengths lengths = lengths_of(drawing);
  const TargetFields targets(drawing);
  const OtherNumHashes other_num_hashes(drawing);
  // Triangles by view, x and upper bound. Those at one position differ in size, so that all are
  // visible: rows without false positives and with equal numbers of queries have equal bounds.
  std::map<std::tuple<std::string, json, double>, std::size_t> num_triangles;
  std::vector<PlottedPoint> points;
  for (const SummaryRow* row : drawing.rows()) {
    const std::string series = drawing.series.of(*row);
    const std::string view = drawing.views.of(*row);
    json fields = {{"x", x_of(drawing, *row)}, {"series", series}, {"facet", view}};
    const std::string approximation = approximation_of(drawing, *row);
    if (!approximation.empty()) fields["approximation"] = approximation;
    add_shared_lines(drawing, *row, fields);
    if (drawing.has_bands()) fields.update(band_fields(*row));
    if (!drawing.has_lines() || lengths.at({series, view}) == 1) fields["alone"] = true;
    other_num_hashes.add(*row, fields);
    if (!drawing.place_in_group.empty()) fields["mark_size"] = mark_size(drawing, view, series);
    if (has_upper_bound_mark(drawing, *row)) {
      fields["is_upper_bound"] = true;
      const json place = drawing.has_lines() ? fields["x"] : json::array({fields["x"], series});
      fields["mark_size"] =
          kMarkSize * mark_size_factor(num_triangles[{view, place, row->interval_upper}]++);
    }
    targets.add(*row, view, fields);
    points.push_back({.row = static_cast<std::size_t>(row - drawing.input.rows.data()),
                      .fields = std::move(fields)});
  }
  return points;
}

bool has_nested_triangles(const std::vector<PlottedPoint>& points) {
  return std::any_of(points.begin(), points.end(), [](const PlottedPoint& point) {
    return point.fields.contains("is_upper_bound") && point.fields.at("mark_size") != kMarkSize;
  });
}

json interval_layer(const Drawing& drawing) {
  json y = quantity_channel(drawing, "interval_lower");
  return {{"name", "interval"},
          {"transform", interval_transforms(y["scale"])},
          {"mark", {{"type", "rule"}, {"clip", true}, {"strokeWidth", 1.2}}},
          {"encoding", {{"y", y}, {"y2", {{"field", "interval_upper"}}}}}};
}

/// Returns a mark that reacts to hover and click. The picked mark has a thick stroke.
json point_mark(const json& more) {
  json mark = {{"type", "point"},
               {"size", {{"expr", fmt::format("datum.mark_size || {}", kMarkSize)}}},
               {"opacity", 1},
               {"cursor", "pointer"}};
  mark.update(more);
  return mark;
}

std::string measured_field(const Drawing& drawing) {
  return drawing.is_rate() ? "observed_false_positive_rate" : "observed_fill_ratio";
}

/// Returns whether the layer of measured points, or that of points with another k, has a mark.
bool has_measured_marks(const Drawing& drawing, bool is_other_k) {
  const Rows& rows = drawing.rows();
  return std::any_of(rows.begin(), rows.end(), [&](const SummaryRow* row) {
    return drawing.other_num_hashes.contains(row) == is_other_k &&
           (!drawing.is_rate() || row->num_false_positives > 0);
  });
}

bool has_upper_bound_marks(const Drawing& drawing) {
  return std::any_of(drawing.rows().begin(), drawing.rows().end(),
                     [&](const SummaryRow* row) { return has_upper_bound_mark(drawing, *row); });
}

/// Returns an opacity channel whose legend has an entry for each kind of mark in the drawing. One
/// layer has this channel. The entries contain the symbols as letters, because the views of a chart
/// share one legend, and a legend of Vega-Lite has one symbol for all entries.
json legend_of_marks(const Drawing& drawing) {
  json kinds = json::array();
  if (has_measured_marks(drawing, false)) {
    kinds.push_back(drawing.is_rate() ? "○ measured, 95 % interval" : "○ measured");
  }
  if (has_measured_marks(drawing, true)) kinds.push_back("● measured, at another k");
  if (has_upper_bound_marks(drawing)) kinds.push_back("▽ 0 false positives: 95 % upper bound");
  const json opacities(kinds.size(), 1);
  return {{"datum", kinds.front()},
          {"type", "ordinal"},
          {"scale", {{"domain", kinds}, {"range", opacities}}},
          {"legend",
           {{"title", nullptr},
            {"symbolType", "M0,0"},  // invisible
            {"symbolSize", 1},
            {"labelOffset", 0},
            {"rowPadding", 5}}}};
}

/// Returns the layer of the measured points, or of those whose k differs from that of their filter.
json measured_layer(const Drawing& drawing, const json& shape, bool is_other_k) {
  const std::string with_hits = drawing.is_rate() ? " && datum.num_false_positives > 0" : "";
  json layer = {
      {"name", is_other_k ? "measured_other_k" : "measured"},
      {"transform",
       {{{"filter", fmt::format("{}datum.other_k{}", is_other_k ? "" : "!", with_hits)}}}},
      {"mark", point_mark({{"filled", false}})},
      {"encoding",
       {{"y", quantity_channel(drawing, measured_field(drawing))},
        {"shape", shape},
        {"strokeWidth", chart::picked_width()},
        {"tooltip", row_tooltip()}}}};
  if (is_other_k) layer["mark"]["fill"] = {{"expr", "datum.fill_colour"}};
  if (!drawing.place_in_group.empty()) layer["encoding"]["order"] = largest_first();
  return layer;
}

/// Returns the layer of the texts beside the marks with another k than their series.
json k_label_layer(const Drawing& drawing) {
  const std::string y = drawing.is_rate() ? "k_label_rate" : measured_field(drawing);
  return {{"name", "k_labels"},
          {"transform", {{{"filter", "isValid(datum.k_label)"}}}},
          {"mark",
           {{"type", "text"},
            {"align", {{"expr", "datum.k_label_dx < 0 ? 'right' : 'left'"}}},
            {"baseline", "middle"},
            {"dx", {{"expr", "datum.k_label_dx"}}},
            {"dy", {{"expr", "datum.k_label_dy"}}},
            {"fontSize", 10},
            {"tooltip", nullptr}}},
          {"encoding",
           {{"y", quantity_channel(drawing, y)},
            {"text", {{"field", "k_label"}}},
            {"color", {{"value", {{"expr", "datum.fill_colour"}}}}}}}};
}

/// Returns a layer of triangles that point down from the upper bound. The triangles represent rates
/// of zero, which a logarithmic axis cannot show.
json upper_bound_layer(const Drawing& drawing) {
  return {{"name", "measured_upper_bound"},
          {"transform", {{{"filter", "datum.is_upper_bound"}}}},
          {"mark", point_mark({{"shape", "triangle-down"}, {"filled", false}})},
          {"encoding",
           {{"y", quantity_channel(drawing, "interval_upper")},
            {"order", largest_first()},
            {"strokeWidth", chart::picked_width()},
            {"tooltip", row_tooltip()}}}};
}

json layers_of(const Drawing& drawing, const json& shape) {
  json layers = json::array();
  add_theory(drawing, layers);
  if (drawing.is_rate()) {
    layers.push_back(interval_layer(drawing));
    add_cut_marks(drawing.rows(), "y", layers);
  }
  json marks = json::array();
  for (const bool is_other_k : {true, false}) {  // filled marks behind, so that they hide none
    if (has_measured_marks(drawing, is_other_k)) {
      marks.push_back(measured_layer(drawing, shape, is_other_k));
    }
  }
  if (has_upper_bound_marks(drawing)) marks.push_back(upper_bound_layer(drawing));
  if (!marks.empty()) marks.front()["encoding"]["opacity"] = legend_of_marks(drawing);
  layers.insert(layers.end(), marks.begin(), marks.end());
  if (!drawing.named_num_hashes.empty()) layers.push_back(k_label_layer(drawing));
  return layers;
}

/// Returns the lines of the labels at a nominal x axis, as many as fit between two labels.
json lines_of_ticks(const std::vector<std::string>& labels, std::size_t num_views) {
  constexpr std::size_t kLeastLetters = 24;
  constexpr std::size_t kMostLetters = 200;
  constexpr double kLineHeight = 14;  // px
  constexpr double kSlope = 0.5;      // sine of the labels' angle
  const double step = chart::view_size(num_views).width /
                      static_cast<double>(std::max<std::size_t>(labels.size(), 1));
  const double room = std::max(1.0, step * kSlope / kLineHeight);
  json lines;
  for (std::size_t letters = kLeastLetters; letters <= kMostLetters; letters += 8) {
    lines = chart::lines_of_labels(labels, letters);
    const auto fits = [&](const json& label) { return static_cast<double>(label.size()) <= room; };
    if (std::all_of(lines.begin(), lines.end(), fits)) break;
  }
  return lines;
}

json view_of(const Drawing& drawing) {
  const json channels = chart::series_channels(drawing.series.title(), drawing.series.in_order(),
                                               drawing.series.colours(drawing.input.rows));
  const Axis& x = *drawing.request.x;
  json encoding = {{"x", x_channel(x, drawing.rows())}, {"color", channels["color"]}};
  if (!drawing.has_lines()) {
    const std::vector<std::string> labels =
        Labels({&x}, drawing.rows(), drawing.input.wording).in_order();
    encoding["x"]["sort"] = labels;
    encoding["x"]["axis"]["labelExpr"] =
        chart::label_expr(lines_of_ticks(labels, drawing.views.in_order().size()));
  }
  if (!drawing.has_lines() && drawing.series.in_order().size() > 1) {
    encoding["xOffset"] = {
        {"field", "series"}, {"type", "nominal"}, {"sort", drawing.series.in_order()}};
  }
  return {{"layer", layers_of(drawing, channels["shape"])}, {"encoding", encoding}};
}

}  // namespace

SeriesChart series_chart(const SeriesRequest& request, RowSelection selection,
                         const ChartInput& input) {
  Drawing drawing = plan_drawing(request, std::move(selection), input);
  const json y = quantity_channel(drawing, measured_field(drawing))["scale"];
  find_coinciding_series(drawing);
  find_coinciding_lines(drawing);
  drawing.lines = find_lines(drawing);
  Chart chart{.name = request.name, .title = request.title};
  const char* marks =
      drawing.is_rate() ? "Marks are measured, with 95 % intervals (for the chance of the queries)"
                        : "Marks are measured fill ratios";
  chart.caption = marks_and_lines(marks, drawing.lines);
  if (drawing.is_rate()) {
    chart.caption +=
        about_cut_intervals(drawing.rows(), y) + about_repeated_queries(drawing.rows());
  }
  chart.caption += request.caption;
  if (drawing.lines.bound) {
    chart.caption += " No structure can be below the information bound 2^-(bits per key).";
  }
  chart.caption += (drawing.has_bands() ? band_caption(drawing.rows()) : "") + drawing.notes +
                   drawing.selection.caption();
  chart.points = plotted(drawing);
  if (has_nested_triangles(chart.points)) {
    chart.caption += " Triangles at one place have different sizes.";
  }
  chart.spec = chart::base_spec(chart.title, chart.caption);
  chart.spec["transform"] = row_texts();
  chart::place(chart.spec, view_of(drawing), drawing.views.in_order());
  return {.chart = std::move(chart),
          .num_series = drawing.series.in_order().size() + drawing.num_hidden_series,
          .num_views = drawing.views.in_order().size() + drawing.num_hidden_views,
          .num_hidden_series = drawing.num_hidden_series,
          .num_hidden_views = drawing.num_hidden_views};
}

}  // namespace bloometry::report
