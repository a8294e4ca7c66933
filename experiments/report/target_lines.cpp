#include "experiments/report/target_lines.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "experiments/chart/chart_style.hpp"
#include "experiments/report/selection.hpp"
#include "experiments/text/number_text.hpp"

namespace bloometry::report {
namespace {

using nlohmann::json;

constexpr int kFontSize = 11;
constexpr int kLeftMargin = 4;  // px between the left end of the line and its label
constexpr int kLift = 2;        // px between a label and its line
constexpr double kMarkRadius = 5;

double value_at(const json& scale, double share) {
  const auto low = scale["domain"][0].get<double>();
  const auto high = scale["domain"][1].get<double>();
  if (scale.value("type", "linear") == "log") return low * std::pow(high / low, share);
  return low + share * (high - low);
}

std::string text_of(double target) {
  return "target " + rounded(target, 6);
}

/// The strokes of a view, in px.
class ViewStrokes {
 public:
  ViewStrokes(const TargetView& view, chart::ViewSize size) : view_(&view), size_(size) {}

  /// Adds the strokes of one series. The rows must be sorted by ascending x.
  void add(const Rows& rows) {
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const SummaryRow& row = *rows[i];
      const double mark_y = y(drawn_rate(row));
      strokes_.push_back({x(row), mark_y - kMarkRadius, x(row), mark_y + kMarkRadius});
      if (row.num_false_positives > 0) {
        const auto edge = view_->y_scale["domain"][0].get<double>();
        add_line(row, row, std::max(row.interval_lower, edge), row.interval_upper);
      }
      if (i == 0) continue;
      const SummaryRow& before = *rows[i - 1];
      add_line(before, row, before.expected_false_positive_rate, row.expected_false_positive_rate);
      add_line(before, row, before.classic_false_positive_rate.value_or(0),
               row.classic_false_positive_rate.value_or(0));
    }
  }

  [[nodiscard]] double y(double rate) const {
    return size_.height * (1 - chart::share_of(view_->y_scale, rate));
  }

  [[nodiscard]] double place_of(double target) const {
    constexpr double kLetterWidth = 0.57;  // mean width in font sizes
    const double width =
        2 * kLeftMargin + kLetterWidth * kFontSize * static_cast<double>(text_of(target).size());
    return free_place(strokes_, y(target), width, size_.width);
  }

 private:
  void add_line(const SummaryRow& from, const SummaryRow& to, double rate_from, double rate_to) {
    if (rate_from <= 0 || rate_to <= 0) return;
    strokes_.push_back({x(from), y(rate_from), x(to), y(rate_to)});
  }

  [[nodiscard]] double x(const SummaryRow& row) const {
    return size_.width * chart::share_of(view_->x_scale, *view_->x.value(row));
  }

  const TargetView* view_;
  chart::ViewSize size_;
  std::vector<Stroke> strokes_{};
};

/// Returns the rows of one view, grouped by series and sorted by x.
std::map<std::string, Rows> series_of_view(const TargetView& view, const std::string& name) {
  std::map<std::string, Rows> series;
  for (const SummaryRow* row : view.rows) {
    if (view.views.of(*row) == name) series[view.series.of(*row)].push_back(row);
  }
  for (auto& [label, rows] : series) {
    std::stable_sort(rows.begin(), rows.end(), [&](const SummaryRow* a, const SummaryRow* b) {
      return view.x.value(*a) < view.x.value(*b);
    });
  }
  return series;
}

/// Returns the colour channel of target lines: grey, because a colour would name one series.
json colour_channel() {
  return {{"value", "#666"}};
}

json text_layer(const char* name, const json& transform, const json& y, const json& mark) {
  json layer = {{"name", name},
                {"transform", transform},
                {"mark",
                 {{"type", "text"},
                  {"align", "left"},
                  {"baseline", "bottom"},
                  {"dx", kLeftMargin},
                  {"dy", -kLift},
                  {"fontSize", kFontSize},
                  {"tooltip", nullptr}}},
                {"encoding",
                 {{"y", y},
                  {"x", {{"field", "target_x"}, {"type", "quantitative"}}},
                  {"text", {{"field", "target_text"}}},
                  {"color", colour_channel()}}}};
  layer["mark"].update(mark);
  return layer;
}

}  // namespace

double length_in(const Stroke& stroke, const Box& box) {
  double from = 0;  // ends of the stroke as shares, clipped by each pair of sides in turn
  double to = 1;
  const auto clip = [&](double start, double end, double low, double high) {
    if (start == end) {
      if (start < low || start > high) to = -1;
      return;
    }
    const double at_low = (low - start) / (end - start);
    const double at_high = (high - start) / (end - start);
    from = std::max(from, std::min(at_low, at_high));
    to = std::min(to, std::max(at_low, at_high));
  };
  clip(stroke.x1, stroke.x2, box.left, box.right);
  clip(stroke.y1, stroke.y2, box.top, box.bottom);
  if (from > to) return 0;
  return (to - from) * std::hypot(stroke.x2 - stroke.x1, stroke.y2 - stroke.y1);
}

double free_place(std::span<const Stroke> strokes, double line_y, double text_width,
                  double view_width) {
  constexpr int kNumPlaces = 16;
  constexpr double kRightmost = 0.7;  // share of the view's width; pictures may use a larger font
  const Box first{.left = -kMarkRadius,
                  .right = text_width + kMarkRadius,
                  .top = line_y - kLift - 1.2 * kFontSize,
                  .bottom = line_y - kLift};
  double best = 0;
  double least = INFINITY;
  for (int i = 0; i < kNumPlaces && least > 0; ++i) {
    const double left = kRightmost * view_width * i / kNumPlaces;
    Box box = first;
    box.left += left;
    box.right += left;
    double hidden = 0;
    for (const Stroke& stroke : strokes) hidden += length_in(stroke, box);
    if (hidden >= least) continue;
    least = hidden;
    best = left;
  }
  return best;
}

TargetPlaces target_places(const TargetView& view) {
  const chart::ViewSize size = chart::view_size(view.views.in_order().size());
  TargetPlaces places;
  for (const std::string& name : view.views.in_order()) {
    ViewStrokes strokes(view, size);
    const std::map<std::string, Rows> series = series_of_view(view, name);
    for (const auto& [label, rows] : series) strokes.add(rows);
    for (const auto& [label, rows] : series) {
      for (const SummaryRow* row : rows) {
        if (!grows(*row)) continue;
        const double target = *row->target_false_positive_rate;
        if (places.contains({name, target})) continue;
        places[{name, target}] = value_at(view.x_scale, strokes.place_of(target) / size.width);
      }
    }
  }
  return places;
}

json target_layers(const json& y) {
  const json transform = {
      {{"filter", "isValid(datum.target_x)"}},
      {{"aggregate", {{{"op", "count"}, {"as", "count"}}}},
       {"groupby", {"target_false_positive_rate", "target_x", "facet"}}},
      {{"calculate", "'target ' + format(datum.target_false_positive_rate, '~g')"},
       {"as", "target_text"}}};
  const json rule = {{"name", "target"},
                     {"transform", transform},
                     {"mark", {{"type", "rule"}, {"tooltip", nullptr}}},
                     {"encoding",
                      {{"y", y},
                       {"x", {{"value", 0}}},
                       {"x2", {{"value", "width"}}},
                       {"color", colour_channel()}}}};
  // The halo is a second copy of the label behind the label, because a stroke of the label itself
  // would cover the letters.
  const json halo = {
      {"stroke", "white"}, {"strokeWidth", 4}, {"strokeJoin", "round"}, {"aria", false}};
  return {text_layer("target_background", transform, y, halo), rule,
          text_layer("target_text", transform, y, json::object())};
}

}  // namespace bloometry::report
