#include "experiments/report/series_chart.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/core.h>
#include <map>
#include <tuple>

#include "experiments/chart/chart_style.hpp"
#include "experiments/report/labels.hpp"
#include "experiments/report/row_marks.hpp"
#include "experiments/report/selection.hpp"
#include "experiments/report/target_lines.hpp"
#include "experiments/report/theory_lines.hpp"
#include "experiments/text/number_text.hpp"

namespace bloometry::report {
namespace {

using chart::Chart;
using chart::PlottedPoint;
using nlohmann::json;
using Quantity = SeriesRequest::Quantity;

constexpr std::size_t kMostSeriesViews = 100;

constexpr const char* kNoHitBound = "0 false positives: 95 % upper bound";

/// The data of one chart without the rows that cannot be drawn.
struct Drawing {
  const SeriesRequest& request;
  const ChartInput& input;
  Labels series;
  Labels views;
  Rows rows;
  std::string notes;
  TheoryLines lines{};

  [[nodiscard]] bool is_rate() const { return request.quantity == Quantity::kRate; }

  [[nodiscard]] bool has_bands() const {
    if (!is_rate() || !has_lines()) return false;
    const auto [low, high] = rate_range();
    return has_visible_band(rows, low, high);
  }

  [[nodiscard]] bool has_lines() const { return request.x->value != nullptr; }

  /// Returns the range of rates that the axis must show. The range contains the confidence
  /// intervals of all points except the points for which has_idle_bound() is true. For a point
  /// without false positives, the range contains only the upper bound. If expected rates are below
  /// the range, its lower end moves down to the lowest expected rate, by at most a factor of 10.
  [[nodiscard]] std::pair<double, double> rate_range() const {
    constexpr double kMargin = 1.2;  // factor of the space for marks at the edges
    double low = 1;
    double high = 0;
    double least_expected = 1;
    for (const SummaryRow* row : rows) {
      high = std::max({high, row->expected_false_positive_rate,
                       has_classic_rate(*row) ? *row->classic_false_positive_rate : 0});
      least_expected = std::min(least_expected, row->expected_false_positive_rate);
      if (request.shows_targets && grows(*row)) {
        low = std::min(low, *row->target_false_positive_rate / kMargin);
        high = std::max(high, std::min(1.0, *row->target_false_positive_rate * kMargin));
      }
      if (has_idle_bound(*row)) continue;
      const double lower = row->num_false_positives > 0 ? row->interval_lower : row->interval_upper;
      low = std::min(low, std::max(lower, 0x1p-1000) / kMargin);
      high = std::max(high, row->interval_upper);
    }
    if (high <= 0) return {0.1, 1};
    if (least_expected < low) low = std::max(least_expected, low / 10);
    return {low, high};
  }

  [[nodiscard]] bool has_targets() const {
    return request.shows_targets &&
           std::any_of(rows.begin(), rows.end(), [](const SummaryRow* row) { return grows(*row); });
  }
};

Rows drawable(const SeriesRequest& request, const Rows& rows, std::string& notes) {
  Rows kept = request.quantity == Quantity::kRate ? with_positive_rate(rows) : rows;
  notes += zero_rate_note(rows.size() - kept.size());
  if (request.x->value == nullptr) return kept;
  const std::size_t num_before = kept.size();
  std::erase_if(kept, [&](const SummaryRow* row) { return !request.x->value(*row); });
  notes += left_out(num_before - kept.size(), "point", " without a value on this axis");
  if (!has_log_n(*request.x, kept)) return kept;
  const std::size_t num_with_zero = kept.size();
  std::erase_if(kept, [](const SummaryRow* row) { return row->num_inserted == 0; });
  notes += left_out(num_with_zero - kept.size(), "point",
                    " at n = 0, which a logarithmic axis cannot show");
  return kept;
}

/// The axes that distinguish series, and the axes that distinguish views.
struct Division {
  std::vector<const Axis*> series;
  std::vector<const Axis*> views;
};

/// Moves axes from series to views, starting with the last axis, until at most kMostUndividedSeries
/// series are left. The function never moves the axis of sizes; the caller removes excess sizes.
Division divided(const SeriesRequest& request, const Rows& rows, const Wording& wording) {
  Division division{.series = series_axes(request.axes, rows, wording), .views = {}};
  if (!request.facet.empty()) {
    division.views = {&axis(request.facet)};
    std::erase(division.series, division.views.front());
    return division;
  }
  const auto can_divide = [&] {
    return !division.series.empty() && division.series.back()->name != "size";
  };
  while (!request.has_one_view && can_divide() &&
         Labels(division.series, rows, wording).in_order().size() > kMostUndividedSeries) {
    division.views.insert(division.views.begin(), division.series.back());
    division.series.pop_back();
  }
  const auto has = [&](const std::vector<const Axis*>& axes, const char* name) {
    return std::find(axes.begin(), axes.end(), &axis(name)) != axes.end();
  };
  // The views also get the variant, because parameters without their variant are ambiguous.
  if (has(division.views, "params") && has(division.series, "variant")) {
    std::erase(division.series, &axis("variant"));
    division.views.insert(division.views.begin(), &axis("variant"));
  }
  return division;
}

/// Returns a sentence about k for the caption if all rows have the same k or a series has several
/// k. Adds k to the labels of the series if the series differ in k and each has a single k.
std::string name_num_hashes(std::vector<const Axis*>& series, const Rows& rows,
                            const ChartInput& input) {
  const Axis& k = axis("num_hashes");
  const auto has_no_k = [](const SummaryRow* row) { return !row->num_hashes; };
  if (rows.empty() || std::any_of(rows.begin(), rows.end(), has_no_k)) return "";
  const auto is_other = [&](const SummaryRow* row) {
    return row->num_hashes != rows.front()->num_hashes;
  };
  if (std::none_of(rows.begin(), rows.end(), is_other)) {
    return fmt::format(" All have {} hashes.", k.label(*rows.front(), input.wording));
  }
  std::vector<const Axis*> with_k = series;
  with_k.push_back(&k);
  const auto num_labels = [&](const std::vector<const Axis*>& axes) {
    return Labels(axes, rows, input.wording).in_order().size();
  };
  if (num_labels(with_k) > num_labels(series))
    return " Tooltips and summary.csv have each mark's k.";
  series = std::move(with_k);
  return "";
}

Drawing plan_drawing(const SeriesRequest& request, const Rows& rows, const ChartInput& input) {
  std::string notes;
  const Rows kept = drawable(request, rows, notes);
  Division division = divided(request, kept, input.wording);
  const bool is_by_k =
      request.x->name == "num_hashes" ||
      std::find(request.axes.begin(), request.axes.end(), "num_hashes") != request.axes.end();
  if (!is_by_k) notes = name_num_hashes(division.series, kept, input) + notes;
  Drawing drawing{.request = request,
                  .input = input,
                  .series = Labels(division.series, kept, input.wording),
                  .views = Labels(division.views, kept, input.wording),
                  .rows = kept,
                  .notes = notes};
  const std::size_t num_series = drawing.series.thin_out(kMostUndividedSeries);
  if (num_series > 0) {
    drawing.notes +=
        fmt::format(" Left out: {}{} of the legend, spread evenly; all of them are in summary.csv.",
                    grouped(num_series), num_series == 1 ? " entry" : " entries");
  }
  drawing.notes += left_out(drawing.views.thin_out(kMostSeriesViews), "view",
                            "; all of them are in summary.csv");
  std::erase_if(drawing.rows, [&](const SummaryRow* row) {
    return !drawing.series.contains(*row) || !drawing.views.contains(*row);
  });
  return drawing;
}

json x_of(const Drawing& drawing, const SummaryRow& row) {
  const Axis& x = *drawing.request.x;
  if (x.value != nullptr) return *x.value(row);
  return x.label(row, drawing.input.wording);
}

/// Number of points by view and series.
using Lengths = std::map<std::pair<std::string, std::string>, std::size_t>;

Lengths lengths_of(const Drawing& drawing) {
  Lengths lengths;
  for (const SummaryRow* row : drawing.rows) {
    ++lengths[{drawing.series.of(*row), drawing.views.of(*row)}];
  }
  return lengths;
}

/// Returns the name of the approximation in words, such as "fluid approximation" or "upper bound".
std::string approximation_of(const SummaryRow& row) {
  std::string name = row.expected_by;
  std::replace(name.begin(), name.end(), '_', ' ');
  return name.ends_with("bound") ? name : name + " approximation";
}

json quantity_channel(const Drawing& drawing, const std::string& field) {
  if (drawing.is_rate()) {
    const auto [low, high] = drawing.rate_range();
    return chart::rate_channel(field, "false-positive rate", low, high);
  }
  return {{"field", field},
          {"type", "quantitative"},
          {"title", "fill ratio (share of non-zero cells)"},
          {"scale", {{"domain", {0, 1}}, {"nice", false}}}};
}

/// Adds the fields of the target layers to the points of filters that grow.
class TargetFields {
 public:
  explicit TargetFields(const Drawing& drawing) {
    if (!drawing.has_targets()) return;
    const TargetView view{
        .rows = drawing.rows,
        .x = *drawing.request.x,
        .series = drawing.series,
        .views = drawing.views,
        .x_scale = x_channel(*drawing.request.x, drawing.rows)["scale"],
        .y_scale = quantity_channel(drawing, "target_false_positive_rate")["scale"]};
    places_ = target_places(view);
    colours_ = target_colours(view, drawing.input.rows);
  }

  void add(const SummaryRow& row, const std::string& view, json& fields) const {
    const double target = row.target_false_positive_rate.value_or(0);
    const auto place = places_.find({view, target});
    if (place == places_.end()) return;
    fields["target_x"] = place->second;
    fields["target_colour"] = colours_.at(target);
  }

 private:
  TargetPlaces places_{};
  TargetColours colours_{};
};

/// Offsets of triangles at the same position, so that all triangles are visible. Rows without false
/// positives have the same upper bound if their numbers of queries are equal.
class UpperBoundOffsets {
 public:
  /// Returns the offset of the next triangle in pixels: 0, 7, -7, 14, ...
  double next(const std::string& view, const json& x, double upper_bound) {
    constexpr int kStep = 7;
    const int number = num_drawn_[{view, x, upper_bound}]++;
    return (number % 2 == 0 ? -1 : 1) * kStep * ((number + 1) / 2);
  }

 private:
  std::map<std::tuple<std::string, json, double>, int> num_drawn_{};
};

/// Returns whether the row is drawn as a triangle.
bool has_upper_bound_mark(const Drawing& drawing, const SummaryRow& row) {
  return drawing.is_rate() && row.num_false_positives == 0 && !has_idle_bound(row);
}

std::vector<PlottedPoint> plotted(const Drawing& drawing) {
  const Lengths lengths = lengths_of(drawing);
  const TargetFields targets(drawing);
  UpperBoundOffsets upper_bound_offsets;
  std::vector<PlottedPoint> points;
  for (const SummaryRow* row : drawing.rows) {
    const std::string series = drawing.series.of(*row);
    const std::string view = drawing.views.of(*row);
    json fields = {{"x", x_of(drawing, *row)}, {"series", series}, {"facet", view}};
    if (!row->exact_false_positive_rate) fields["approximation"] = approximation_of(*row);
    if (drawing.has_bands()) fields.update(band_fields(*row));
    if (!drawing.has_lines() || lengths.at({series, view}) == 1) fields["alone"] = true;
    if (has_upper_bound_mark(drawing, *row)) {
      fields["upper_bound_offset"] =
          upper_bound_offsets.next(view, x_of(drawing, *row), row->interval_upper);
    }
    targets.add(*row, view, fields);
    points.push_back({.row = static_cast<std::size_t>(row - drawing.input.rows.data()),
                      .fields = std::move(fields)});
  }
  return points;
}

json dash_channel(const Drawing& drawing, json source) {
  source["scale"] = dash_scale(drawing.lines);
  source["type"] = "nominal";
  source["legend"] = {{"title", "theory"},
                      {"symbolType", "stroke"},
                      {"symbolSize", 500},
                      {"symbolStrokeColor", "#666"}};
  return source;
}

/// Returns a layer of straight lines between the values of theory. A smooth curve through few
/// points would suggest values that are not from a formula.
json line_layer(const Drawing& drawing, const std::string& name, const std::string& field,
                const std::string& filter, const json& dash) {
  json layer = {{"name", name},
                {"transform", {{{"filter", filter}}}},
                {"mark", {{"type", "line"}, {"clip", true}}},
                {"encoding",
                 {{"y", quantity_channel(drawing, field)},
                  {"strokeDash", dash_channel(drawing, dash)},
                  {"strokeWidth", {{"value", name == "exact" ? 1.6 : 1.3}}}}}};
  return layer;
}

/// Returns a layer that connects the marks of filters that grow, because theory does not predict
/// their fill.
json joining_layer(const Drawing& drawing) {
  return {{"name", "joined"},
          {"transform", {{{"filter", "!isValid(datum.expected_fill_ratio)"}}}},
          {"mark", {{"type", "line"}, {"strokeWidth", 1}, {"opacity", 0.5}}},
          {"encoding", {{"y", quantity_channel(drawing, "observed_fill_ratio")}}}};
}

/// Returns a layer of short horizontal strokes for theory, because a line through one point is
/// invisible.
json stroke_layer(const Drawing& drawing, const std::string& field) {
  return {{"name", "expected"},
          {"transform", {{{"filter", fmt::format("datum.alone && datum['{}'] > 0", field)}}}},
          {"mark",
           {{"type", "point"},
            {"shape", "stroke"},
            {"size", 500},
            {"strokeWidth", 1.6},
            {"clip", true},
            {"tooltip", "expected by theory"}}},
          {"encoding", {{"y", quantity_channel(drawing, field)}}}};
}

json interval_layer(const Drawing& drawing) {
  json y = quantity_channel(drawing, "interval_lower");
  return {{"name", "interval"},
          {"transform", {{{"filter", "datum.num_false_positives > 0"}}}},
          {"mark", {{"type", "rule"}, {"clip", true}, {"strokeWidth", 1.2}}},
          {"encoding", {{"y", y}, {"y2", {{"field", "interval_upper"}}}}}};
}

/// Returns a mark that reacts to hover and click. The picked mark has a thick stroke.
json point_mark(const json& more) {
  json mark = {{"type", "point"}, {"size", 38}, {"opacity", 1}, {"cursor", "pointer"}};
  mark.update(more);
  return mark;
}

json measured_layer(const Drawing& drawing, const json& shape) {
  const std::string field =
      drawing.is_rate() ? "observed_false_positive_rate" : "observed_fill_ratio";
  json layer = {{"name", "measured"},
                {"mark", point_mark({{"filled", false}})},
                {"encoding",
                 {{"y", quantity_channel(drawing, field)},
                  {"shape", shape},
                  {"strokeWidth", chart::picked_width()},
                  {"tooltip", row_tooltip()}}}};
  if (drawing.is_rate()) layer["transform"] = {{{"filter", "datum.num_false_positives > 0"}}};
  return layer;
}

/// Returns a layer of triangles that point down from the upper bound. The triangles represent rates
/// of zero, which a logarithmic axis cannot show.
json upper_bound_layer(const Drawing& drawing) {
  const json legend = {{"title", nullptr}, {"symbolType", "triangle-down"}};
  return {{"name", "measured_upper_bound"},
          {"transform",
           {{{"filter", "isValid(datum.upper_bound_offset)"}},
            {{"calculate", fmt::format("'{}'", kNoHitBound)}, {"as", "kind"}}}},
          {"mark", point_mark({{"shape", "triangle-down"},
                               {"filled", false},
                               {"xOffset", {{"expr", "datum.upper_bound_offset"}}}})},
          {"encoding",
           {{"y", quantity_channel(drawing, "interval_upper")},
            {"opacity",
             {{"field", "kind"},
              {"type", "ordinal"},
              {"scale", {{"domain", {kNoHitBound}}, {"range", {1}}}},
              {"legend", legend}}},
            {"strokeWidth", chart::picked_width()},
            {"tooltip", row_tooltip()}}}};
}

/// Returns the range of bits per key in which the information bound is drawn.
std::pair<double, double> bound_ends(const Drawing& drawing) {
  double low = 1e300;
  double high = 0;
  for (const SummaryRow* row : drawing.rows) {
    low = std::min(low, bits_per_key(*row).value_or(low));
    high = std::max(high, bits_per_key(*row).value_or(high));
  }
  return {std::max(0.0, low - 1), high};
}

/// Returns a layer with the information bound as two points, because the bound is a straight line
/// on a logarithmic axis.
json bound_layer(const Drawing& drawing) {
  const auto [low, high] = bound_ends(drawing);
  json values = json::array();
  for (const double c : {low, high}) values.push_back({{"x", c}, {"bound", std::exp2(-c)}});
  json layer = line_layer(drawing, "bound", "bound", "datum.bound > 0", {{"datum", kBound}});
  layer["data"] = {{"values", values}};
  layer["encoding"]["color"] = {{"value", "#888"}};
  return layer;
}

json band_layer(const Drawing& drawing) {
  json layer = {{"name", "band"},
                {"transform", {{{"filter", "datum.band_lower > 0"}}}},
                {"mark", {{"type", "area"}, {"clip", true}, {"opacity", 0.25}}},
                {"encoding",
                 {{"y", quantity_channel(drawing, "band_lower")},
                  {"y2", {{"field", "band_upper"}}},
                  {"color", {{"value", "#888"}}},
                  {"detail", {{"field", "series"}, {"type", "nominal"}}}}}};
  return layer;
}

/// Returns the lines of theory that add_theory() will draw.
TheoryLines find_lines(const Drawing& drawing) {
  TheoryLines lines;
  const Lengths lengths = lengths_of(drawing);
  for (const SummaryRow* row : drawing.rows) {
    const bool is_alone = lengths.at({drawing.series.of(*row), drawing.views.of(*row)}) == 1;
    const bool has_line = drawing.has_lines() && !is_alone;
    const bool has_theory = drawing.is_rate() || row->expected_fill_ratio.has_value();
    lines.strokes = lines.strokes || (!has_line && has_theory);
    if (!has_line) continue;
    if (!drawing.is_rate()) {
      lines.exact = lines.exact || has_theory;
      continue;
    }
    lines.exact = lines.exact || row->exact_false_positive_rate.value_or(0) > 0;
    lines.classic = lines.classic || has_classic_rate(*row);
    if (!row->exact_false_positive_rate) lines.approximations.insert(approximation_of(*row));
  }
  if (drawing.request.information_bound && !drawing.rows.empty()) {
    const json domain = quantity_channel(drawing, "bound")["scale"]["domain"];
    lines.bound = std::exp2(-bound_ends(drawing).first) > domain[0].get<double>();
  }
  return lines;
}

void add_theory(const Drawing& drawing, json& layers) {
  if (!drawing.is_rate()) {
    if (drawing.lines.exact) {
      layers.push_back(line_layer(drawing, "exact", "expected_fill_ratio",
                                  "isValid(datum.expected_fill_ratio)", {{"datum", kExact}}));
    }
    layers.push_back(joining_layer(drawing));
    layers.push_back(stroke_layer(drawing, "expected_fill_ratio"));
    return;
  }
  if (drawing.has_bands()) layers.push_back(band_layer(drawing));
  if (drawing.lines.exact) {
    layers.push_back(line_layer(drawing, "exact", "exact_false_positive_rate",
                                "datum.exact_false_positive_rate > 0", {{"datum", kExact}}));
  }
  if (drawing.lines.classic) {
    layers.push_back(line_layer(drawing, "classic", "classic_false_positive_rate", kHasClassicRate,
                                {{"datum", kClassic}}));
  }
  if (!drawing.lines.approximations.empty()) {
    layers.push_back(line_layer(drawing, "approximation", "expected_false_positive_rate",
                                "isValid(datum.approximation)", {{"field", "approximation"}}));
  }
  if (drawing.lines.bound) layers.push_back(bound_layer(drawing));
  if (drawing.has_targets()) {
    for (json& layer : target_layers(quantity_channel(drawing, "target_false_positive_rate"))) {
      layers.push_back(std::move(layer));
    }
  }
  layers.push_back(stroke_layer(drawing, "expected_false_positive_rate"));
}

bool has_upper_bound_marks(const Drawing& drawing) {
  return std::any_of(drawing.rows.begin(), drawing.rows.end(),
                     [&](const SummaryRow* row) { return has_upper_bound_mark(drawing, *row); });
}

std::size_t num_idle_bounds(const Drawing& drawing) {
  if (!drawing.is_rate()) return 0;
  return static_cast<std::size_t>(
      std::count_if(drawing.rows.begin(), drawing.rows.end(),
                    [](const SummaryRow* row) { return has_idle_bound(*row); }));
}

json layers_of(const Drawing& drawing, const json& shape) {
  json layers = json::array();
  add_theory(drawing, layers);
  if (drawing.is_rate()) layers.push_back(interval_layer(drawing));
  layers.push_back(measured_layer(drawing, shape));
  if (has_upper_bound_marks(drawing)) layers.push_back(upper_bound_layer(drawing));
  return layers;
}

json view_of(const Drawing& drawing) {
  const json channels = chart::series_channels(drawing.series.title(), drawing.series.in_order(),
                                               drawing.series.colours(drawing.input.rows));
  const Axis& x = *drawing.request.x;
  json encoding = {{"x", x_channel(x, drawing.rows)}, {"color", channels["color"]}};
  if (!drawing.has_lines()) {
    encoding["x"]["sort"] = Labels({&x}, drawing.rows, drawing.input.wording).in_order();
  }
  if (!drawing.has_lines() && drawing.series.in_order().size() > 1) {
    encoding["xOffset"] = {
        {"field", "series"}, {"type", "nominal"}, {"sort", drawing.series.in_order()}};
  }
  return {{"layer", layers_of(drawing, channels["shape"])}, {"encoding", encoding}};
}

}  // namespace

Chart series_chart(const SeriesRequest& request, const Rows& rows, const ChartInput& input) {
  Drawing drawing = plan_drawing(request, rows, input);
  drawing.lines = find_lines(drawing);
  Chart chart{.name = request.name, .title = request.title};
  const char* marks = drawing.is_rate() ? "Marks are measured, with 95 % intervals"
                                        : "Marks are measured fill ratios";
  chart.caption = marks_and_lines(marks, drawing.lines);
  chart.caption += request.caption;
  if (drawing.lines.bound) {
    chart.caption += " No structure can be below the information bound 2^-(bits per key).";
  }
  chart.caption += (drawing.has_bands() ? band_caption() : "") +
                   idle_bounds_note(num_idle_bounds(drawing)) + drawing.notes;
  chart.points = plotted(drawing);
  chart.spec = chart::base_spec(chart.title, chart.caption);
  chart.spec["transform"] = row_texts();
  chart::place(chart.spec, view_of(drawing), drawing.views.in_order());
  return chart;
}

}  // namespace bloometry::report
