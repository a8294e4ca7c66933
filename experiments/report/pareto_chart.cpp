#include <algorithm>
#include <array>
#include <map>
#include <set>

#include "experiments/chart/chart_style.hpp"
#include "experiments/report/labels.hpp"
#include "experiments/report/point_charts.hpp"
#include "experiments/report/row_marks.hpp"
#include "experiments/report/selection.hpp"

namespace bloometry::report {
namespace {

using chart::Chart;
using nlohmann::json;

constexpr const char* kOnFront = "on the front";
constexpr const char* kBeaten = "beaten in memory and rate";

/// Is a's rate the lower one? Where the measurement cannot tell, because the 95 % intervals meet,
/// theory does.
bool has_lower_rate(const SummaryRow& a, const SummaryRow& b) {
  if (a.interval_upper < b.interval_lower) return true;
  if (b.interval_upper < a.interval_lower) return false;
  return a.expected_false_positive_rate < b.expected_false_positive_rate;
}

/// Is a better than b in memory or rate, and not worse in the other?
bool beats(const SummaryRow& a, const SummaryRow& b) {
  const double bits_a = *bits_per_key(a);
  const double bits_b = *bits_per_key(b);
  if (bits_a > bits_b || has_lower_rate(b, a)) return false;
  return bits_a < bits_b || has_lower_rate(a, b);
}

/// The points that no other point of their view beats.
std::set<const SummaryRow*> front_of(const Rows& rows, const Labels& views) {
  std::map<std::string, Rows> rows_of_view;
  for (const SummaryRow* row : rows) rows_of_view[views.of(*row)].push_back(row);
  std::set<const SummaryRow*> front;
  for (const auto& [view, others] : rows_of_view) {
    for (const SummaryRow* row : others) {
      const auto beats_it = [&](const SummaryRow* other) { return beats(*other, *row); };
      if (std::none_of(others.begin(), others.end(), beats_it)) front.insert(row);
    }
  }
  return front;
}

std::pair<double, double> drawn_range(const Rows& rows) {
  constexpr double kMargin = 1.2;  // of a mark, which would be cut at the frame
  double low = 1;
  double high = 0;
  for (const SummaryRow* row : rows) {
    const double lower = row->num_false_positives > 0 ? row->interval_lower : row->interval_upper;
    low = std::min(low, std::max(lower, 0x1p-1000) / kMargin);
    high = std::max(high, std::min(1.0, row->interval_upper * kMargin));
  }
  return {low, std::max(low, high)};
}

/// Strong on the front, pale elsewhere.
json standing_channel() {
  return {{"field", "standing"},
          {"type", "ordinal"},
          {"scale", {{"domain", {kOnFront, kBeaten}}, {"range", {1, 0.28}}}},
          {"legend", {{"title", nullptr}, {"symbolType", "circle"}, {"symbolFillColor", "#444"}}}};
}

json front_layer(const json& y) {
  return {{"name", "front"},
          {"transform", {{{"filter", "datum.standing == '" + std::string(kOnFront) + "'"}}}},
          {"mark",
           {{"type", "line"},
            {"interpolate", "step-after"},
            {"strokeWidth", 6},
            {"opacity", 0.2},
            {"tooltip", nullptr}}},
          {"encoding", {{"y", y}, {"color", {{"value", "#444"}}}, {"order", {{"field", "x"}}}}}};
}

json interval_layer(const json& range_y) {
  json y = range_y;
  y["field"] = "interval_lower";
  return {{"name", "interval"},
          {"transform", {{{"filter", "datum.num_false_positives > 0"}}}},
          {"mark", {{"type", "rule"}, {"clip", true}, {"strokeWidth", 1.2}}},
          {"encoding",
           {{"y", y}, {"y2", {{"field", "interval_upper"}}}, {"opacity", standing_channel()}}}};
}

json points_layer(const char* name, const char* filter, const json& y, const json& shape) {
  return {{"name", name},
          {"transform", {{{"filter", filter}}}},
          {"mark", {{"type", "point"}, {"filled", true}, {"size", 60}, {"cursor", "pointer"}}},
          {"encoding",
           {{"y", y},
            {"shape", shape},
            {"opacity", standing_channel()},
            {"strokeWidth", chart::picked_width()},
            {"tooltip", row_tooltip()}}}};
}

json view_of(const Rows& rows, const Labels& series, const ChartInput& input) {
  const json channels =
      chart::series_channels(series.title(), series.in_order(), series.colours(input.rows));
  const auto [low, high] = drawn_range(rows);
  const json y = chart::rate_channel("rate", "false-positive rate", low, high);
  json layers = {front_layer(y), interval_layer(y),
                 points_layer("measured", "datum.num_false_positives > 0", y, channels["shape"])};
  const auto has_no_hit = [](const SummaryRow* row) { return row->num_false_positives == 0; };
  if (std::any_of(rows.begin(), rows.end(), has_no_hit)) {
    layers.push_back(points_layer("measured_upper_bound", "datum.num_false_positives == 0", y,
                                  {{"value", "triangle-down"}}));
  }
  const json x = x_channel(axis("bits_per_key"), rows);
  return {{"layer", layers}, {"encoding", {{"x", x}, {"color", channels["color"]}}}};
}

bool is_comparable(const Rows& rows) {
  std::set<std::string> variants;
  std::set<double> sizes;
  for (const SummaryRow* row : rows) {
    variants.insert(row->variant);
    sizes.insert(*bits_per_key(*row));
  }
  return variants.size() >= 2 && sizes.size() >= 3;
}

std::vector<const Axis*> view_axes(const SeriesRequest& request, const Rows& rows,
                                   const ChartInput& input) {
  if (!request.facet.empty()) return {&axis(request.facet)};
  if (request.has_one_view) return {};
  constexpr std::array<std::string_view, 1> kViews = {"keys"};
  return varying(kViews, rows, input.wording);
}

std::string caption_of(const Rows& kept) {
  std::string caption =
      "Strong marks are filters that no other one here beats: none has a lower rate in as few bits "
      "per key, or fewer bits at as low a rate. Pale marks are beaten. The grey steps are the "
      "least "
      "rate to be had for a memory. Rates are measured, with 95 % intervals; of two whose "
      "intervals "
      "meet, theory says which is lower.";
  const auto has_no_hit = [](const SummaryRow* row) { return row->num_false_positives == 0; };
  if (std::any_of(kept.begin(), kept.end(), has_no_hit)) {
    caption += " Triangles that point down had no hit: the rate lies below them.";
  }
  return caption;
}

}  // namespace

std::optional<Chart> pareto(const SeriesRequest& request, const Rows& rows,
                            const ChartInput& input) {
  Rows kept = with_positive_rate(rows);
  std::erase_if(kept, [](const SummaryRow* row) { return !bits_per_key(*row); });
  if (!is_comparable(kept)) return std::nullopt;
  const std::vector<const Axis*> apart = view_axes(request, kept, input);
  std::vector<const Axis*> together = series_axes(request.axes, kept, input.wording);
  for (const Axis* axis : apart) std::erase(together, axis);
  const Labels series(together, kept, input.wording);
  const Labels views(apart, kept, input.wording);
  const std::set<const SummaryRow*> front = front_of(kept, views);
  Chart chart{.name = request.name, .title = request.title};
  chart.caption = caption_of(kept) + request.caption;
  // The front is drawn last: no pale mark hides it.
  std::stable_partition(kept.begin(), kept.end(),
                        [&](const SummaryRow* row) { return !front.contains(row); });
  for (const SummaryRow* row : kept) {
    chart.points.push_back({.row = static_cast<std::size_t>(row - input.rows.data()),
                            .fields = {{"x", *bits_per_key(*row)},
                                       {"rate", drawn_rate(*row)},
                                       {"series", series.of(*row)},
                                       {"facet", views.of(*row)},
                                       {"standing", front.contains(row) ? kOnFront : kBeaten}}});
  }
  chart.spec = chart::base_spec(chart.title, chart.caption);
  chart.spec["transform"] = row_texts();
  chart::place(chart.spec, view_of(kept, series, input), views.in_order());
  return chart;
}

}  // namespace bloometry::report
