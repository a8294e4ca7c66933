#include <algorithm>
#include <array>
#include <map>
#include <set>

#include "experiments/chart/chart_style.hpp"
#include "experiments/report/labels.hpp"
#include "experiments/report/point_charts.hpp"
#include "experiments/report/row_marks.hpp"
#include "experiments/report/selection.hpp"
#include "experiments/text/number_text.hpp"

namespace bloometry::report {
namespace {

using chart::Chart;
using nlohmann::json;

constexpr const char* kOnFront = "on the front";
constexpr const char* kBeaten = "beaten in memory and rate";

/// Has a the lower rate, by more than the measurement leaves open, in no more bits per key?
bool beats(const SummaryRow& a, const SummaryRow& b) {
  return *bits_per_key(a) <= *bits_per_key(b) && a.interval_upper < b.interval_lower;
}

using RowsOfView = std::map<std::string, Rows>;

RowsOfView rows_of_views(const Rows& rows, const Labels& views) {
  RowsOfView rows_of_view;
  for (const SummaryRow* row : rows) rows_of_view[views.of(*row)].push_back(row);
  return rows_of_view;
}

/// The points that no other point of their view beats.
std::set<const SummaryRow*> front_of(const RowsOfView& rows_of_view) {
  std::set<const SummaryRow*> front;
  for (const auto& [view, others] : rows_of_view) {
    for (const SummaryRow* row : others) {
      const auto beats_it = [&](const SummaryRow* other) { return beats(*other, *row); };
      if (std::none_of(others.begin(), others.end(), beats_it)) front.insert(row);
    }
  }
  return front;
}

/// The least rate drawn in a view for at most the memory of each of its points: no mark lies below.
std::map<const SummaryRow*, double> least_rates(RowsOfView rows_of_view) {
  std::map<const SummaryRow*, double> least_rate_of;
  for (auto& [view, rows] : rows_of_view) {
    std::sort(rows.begin(), rows.end(), [](const SummaryRow* a, const SummaryRow* b) {
      return std::pair(*bits_per_key(*a), drawn_rate(*a)) <
             std::pair(*bits_per_key(*b), drawn_rate(*b));
    });
    double least = 1;
    for (const SummaryRow* row : rows) {
      least = std::min(least, drawn_rate(*row));
      least_rate_of[row] = least;
    }
  }
  return least_rate_of;
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

/// What a layer draws: filled marks of the front, or hollow ones of the points it beats.
struct Standing {
  const char* label;
  bool is_filled;

  [[nodiscard]] std::string filter() const {
    return "datum.standing == '" + std::string(label) + "'";
  }
};

constexpr Standing kStandings[] = {{kBeaten, false}, {kOnFront, true}};  // the front is on top

/// A legend entry of its own, because filled and hollow marks cannot share one.
json standing_channel(const Standing& standing) {
  return {{"datum", standing.label},
          {"type", "ordinal"},
          {"scale", {{"domain", {standing.label}}, {"range", {1}}}},
          {"legend",
           {{"title", nullptr},
            {"symbolType", "circle"},
            {"symbolStrokeColor", "#666"},
            {"symbolFillColor", standing.is_filled ? "#666" : "transparent"}}}};
}

json front_layer(json y) {
  y["field"] = "least_rate";
  return {{"name", "front"},
          {"mark",
           {{"type", "line"},
            {"interpolate", "step-after"},
            {"strokeWidth", 6},
            {"opacity", 0.35},
            {"tooltip", nullptr}}},
          {"encoding",
           {{"y", std::move(y)}, {"color", {{"value", "#888"}}}, {"order", {{"field", "x"}}}}}};
}

json interval_layer(const json& range_y) {
  json y = range_y;
  y["field"] = "interval_lower";
  return {{"name", "interval"},
          {"transform", {{{"filter", "datum.num_false_positives > 0"}}}},
          {"mark", {{"type", "rule"}, {"clip", true}, {"strokeWidth", 1.2}}},
          {"encoding", {{"y", y}, {"y2", {{"field", "interval_upper"}}}}}};
}

json points_layer(const Standing& standing, const char* name, const std::string& filter,
                  const json& y, const json& shape, json opacity) {
  json mark = {
      {"type", "point"}, {"filled", standing.is_filled}, {"size", 60}, {"cursor", "pointer"}};
  return {{"name", std::string(name) + (standing.is_filled ? "" : "_beaten")},
          {"transform", {{{"filter", filter + " && " + standing.filter()}}}},
          {"mark", std::move(mark)},
          {"encoding",
           {{"y", y},
            {"shape", shape},
            {"opacity", std::move(opacity)},
            {"strokeWidth", chart::picked_width()},
            {"tooltip", row_tooltip()}}}};
}

/// The marks of one standing, with one legend entry between those with hits and those without.
void add_points(json& layers, const Standing& standing, const Rows& rows, const json& y,
                const json& shape) {
  const auto has_hits = [](const SummaryRow* row) { return row->num_false_positives > 0; };
  json opacity = standing_channel(standing);
  if (std::any_of(rows.begin(), rows.end(), has_hits)) {
    layers.push_back(
        points_layer(standing, "measured", "datum.num_false_positives > 0", y, shape, opacity));
    opacity["legend"] = nullptr;
  }
  if (std::all_of(rows.begin(), rows.end(), has_hits)) return;
  layers.push_back(points_layer(standing, "measured_upper_bound", "datum.num_false_positives == 0",
                                y, {{"value", "triangle-down"}}, opacity));
}

json view_of(const Rows& rows, const std::set<const SummaryRow*>& front, const Labels& series,
             const ChartInput& input) {
  const json channels =
      chart::series_channels(series.title(), series.in_order(), series.colours(input.rows));
  const auto [low, high] = drawn_range(rows);
  const json y = chart::rate_channel("rate", "false-positive rate", low, high);
  json layers = {front_layer(y), interval_layer(y)};
  for (const Standing& standing : kStandings) {
    Rows drawn = rows;
    std::erase_if(drawn,
                  [&](const SummaryRow* row) { return front.contains(row) != standing.is_filled; });
    if (!drawn.empty()) add_points(layers, standing, drawn, y, channels["shape"]);
  }
  const json x = x_channel(axis("bits_per_key"), rows);
  return {{"layer", layers},
          {"encoding", {{"x", x}, {"color", channels["color"]}}},
          {"resolve", {{"scale", {{"opacity", "independent"}}}}}};
}

bool is_comparable(const Rows& rows) {
  std::set<std::string> variants;
  std::set<double> sizes;
  for (const SummaryRow* row : rows) {
    variants.insert(row->variant);
    sizes.insert(row->bits_per_key.value_or(*bits_per_key(*row)));  // blocks round 8 to 8.003
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

/// What filters must share to be compared: keys held, and those that they are sized for.
using Load = std::pair<std::uint64_t, std::uint64_t>;

Load load_of(const SummaryRow& row) {
  return {row.num_inserted, row.capacity.value_or(row.num_inserted)};
}

bool is_divided_by_n(const SeriesRequest& request) {
  return request.facet == "num_inserted" || request.facet == "num_keys" ||
         request.facet == "capacity";
}

/// The rows of the most keys that can be compared: rounding to whole blocks decides at few keys.
Rows of_one_load(const Rows& rows) {
  std::map<Load, Rows> rows_of_load;
  for (const SummaryRow* row : rows) rows_of_load[load_of(*row)].push_back(row);
  for (auto found = rows_of_load.rbegin(); found != rows_of_load.rend(); ++found) {
    if (is_comparable(found->second)) return found->second;
  }
  return {};
}

/// At which n the filters are compared, if it is one.
std::string about_n(const Rows& kept, std::size_t num_before) {
  const Load load = load_of(*kept.front());
  const auto is_other = [&](const SummaryRow* row) { return load_of(*row) != load; };
  if (std::any_of(kept.begin(), kept.end(), is_other)) return "";
  std::string text = " All hold n = " + grouped(load.first) + " keys";
  if (load.first != load.second) {
    text += ", for a capacity of " + grouped(load.second);
  } else if (kept.front()->capacity) {
    text += ", their capacity";
  }
  if (kept.size() == num_before) return text + ".";
  return text + "; other n are left out.";
}

std::string caption_of(const Rows& kept) {
  std::string caption =
      "Hollow marks are filters that another one here beats: it has a lower rate in no more bits "
      "per key, and the 95 % intervals of the two rates do not meet. Filled marks are the rest: "
      "the "
      "front. The grey steps are the least rate measured for a memory.";
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
  const std::size_t num_before = kept.size();
  if (!is_divided_by_n(request)) kept = of_one_load(kept);
  if (!is_comparable(kept)) return std::nullopt;
  const std::vector<const Axis*> apart = view_axes(request, kept, input);
  std::vector<const Axis*> together = series_axes(request.axes, kept, input.wording);
  for (const Axis* axis : apart) std::erase(together, axis);
  const Labels series(together, kept, input.wording);
  const Labels views(apart, kept, input.wording);
  const std::set<const SummaryRow*> front = front_of(rows_of_views(kept, views));
  const std::map<const SummaryRow*, double> least_rate_of = least_rates(rows_of_views(kept, views));
  Chart chart{.name = request.name, .title = request.title};
  chart.caption = caption_of(kept) + about_n(kept, num_before) + request.caption;
  // The front is drawn last: no hollow mark hides it.
  std::stable_partition(kept.begin(), kept.end(),
                        [&](const SummaryRow* row) { return !front.contains(row); });
  for (const SummaryRow* row : kept) {
    chart.points.push_back({.row = static_cast<std::size_t>(row - input.rows.data()),
                            .fields = {{"x", *bits_per_key(*row)},
                                       {"rate", drawn_rate(*row)},
                                       {"least_rate", least_rate_of.at(row)},
                                       {"series", series.of(*row)},
                                       {"facet", views.of(*row)},
                                       {"standing", front.contains(row) ? kOnFront : kBeaten}}});
  }
  chart.spec = chart::base_spec(chart.title, chart.caption);
  chart.spec["transform"] = row_texts();
  chart::place(chart.spec, view_of(kept, front, series, input), views.in_order());
  return chart;
}

}  // namespace bloometry::report
