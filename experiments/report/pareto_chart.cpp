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

json front_layer(const json& y) {
  return {{"name", "front"},
          {"transform", {{{"filter", "datum.standing == '" + std::string(kOnFront) + "'"}}}},
          {"mark",
           {{"type", "line"},
            {"interpolate", "step-after"},
            {"strokeWidth", 6},
            {"opacity", 0.35},
            {"tooltip", nullptr}}},
          {"encoding", {{"y", y}, {"color", {{"value", "#888"}}}, {"order", {{"field", "x"}}}}}};
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
                  const json& y, const json& shape) {
  json mark = {
      {"type", "point"}, {"filled", standing.is_filled}, {"size", 60}, {"cursor", "pointer"}};
  return {{"name", std::string(name) + (standing.is_filled ? "" : "_beaten")},
          {"transform", {{{"filter", filter + " && " + standing.filter()}}}},
          {"mark", std::move(mark)},
          {"encoding",
           {{"y", y},
            {"shape", shape},
            {"opacity", standing_channel(standing)},
            {"strokeWidth", chart::picked_width()},
            {"tooltip", row_tooltip()}}}};
}

json view_of(const Rows& rows, const std::set<const SummaryRow*>& front, const Labels& series,
             const ChartInput& input) {
  const json channels =
      chart::series_channels(series.title(), series.in_order(), series.colours(input.rows));
  const auto [low, high] = drawn_range(rows);
  const json y = chart::rate_channel("rate", "false-positive rate", low, high);
  json layers = {front_layer(y), interval_layer(y)};
  const auto add = [&](const Standing& standing, bool has_hits) {
    const auto is_drawn = [&](const SummaryRow* row) {
      return front.contains(row) == standing.is_filled &&
             (row->num_false_positives > 0) == has_hits;
    };
    if (std::none_of(rows.begin(), rows.end(), is_drawn)) return;
    layers.push_back(has_hits ? points_layer(standing, "measured", "datum.num_false_positives > 0",
                                             y, channels["shape"])
                              : points_layer(standing, "measured_upper_bound",
                                             "datum.num_false_positives == 0", y,
                                             {{"value", "triangle-down"}}));
  };
  for (const Standing& standing : kStandings) {
    add(standing, true);
    add(standing, false);
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
      "Filled marks are filters that no other one here beats: none has a lower rate in as few bits "
      "per key, or fewer bits at as low a rate. Hollow marks are beaten. The grey steps are the "
      "least rate to be had for a memory. Rates are measured, with 95 % intervals; of two whose "
      "intervals meet, theory says which is lower.";
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
  const std::set<const SummaryRow*> front = front_of(kept, views);
  Chart chart{.name = request.name, .title = request.title};
  chart.caption = caption_of(kept) + about_n(kept, num_before) + request.caption;
  // The front is drawn last: no hollow mark hides it.
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
  chart::place(chart.spec, view_of(kept, front, series, input), views.in_order());
  return chart;
}

}  // namespace bloometry::report
