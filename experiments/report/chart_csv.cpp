#include "experiments/report/chart_csv.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <span>
#include <string_view>
#include <tuple>
#include <vector>

#include "core/text.hpp"
#include "experiments/output/csv.hpp"
#include "experiments/report/layer_filter.hpp"
#include "experiments/report/theory_lines.hpp"

namespace bloometry::report {
namespace {

using nlohmann::json;

/// Columns of the table that are fields of the point's row or of the point.
constexpr auto kRecordColumns = std::to_array<std::string_view>({"variant",
                                                                 "params",
                                                                 "keys",
                                                                 "hash",
                                                                 "probes",
                                                                 "num_inserted",
                                                                 "num_bits",
                                                                 "num_counters",
                                                                 "num_hashes",
                                                                 "target_false_positive_rate",
                                                                 "churn_rounds",
                                                                 "churn_erase",
                                                                 "churn_reinsert",
                                                                 "churn_wrongful_erases",
                                                                 "window_size",
                                                                 "window_unit",
                                                                 "window_inserts_per_tick",
                                                                 "window_reinsert",
                                                                 "window_erase",
                                                                 "stream_zipf",
                                                                 "stream_num_distinct",
                                                                 "stream_insert",
                                                                 "stream_clear_every",
                                                                 "capacity",
                                                                 "initial_capacity",
                                                                 "bits_per_key",
                                                                 "requested_bits_per_key",
                                                                 "num_trials",
                                                                 "num_queries",
                                                                 "num_false_positives",
                                                                 "relative_error",
                                                                 "exemption_reason"});

constexpr std::string_view kMeasured = "measured";

/// Returns the member of an object, or null.
const json& member(const json& object, std::string_view name) {
  static const json kNull;
  const auto found = object.find(name);
  return found == object.end() ? kNull : *found;
}

/// A layer of a chart, with the encoding that it shares with other layers.
struct Layer {
  std::string name;
  json encoding;
  std::vector<std::string> filters;
  json values;  ///< the layer's own data; null if the layer shows the points of the chart

  [[nodiscard]] bool draws(const json& record) const {
    return std::all_of(filters.begin(), filters.end(),
                       [&](const std::string& filter) { return accepts(filter, record); });
  }

  /// Returns the value of a channel, such as x or y2. The result is null without a value.
  [[nodiscard]] json value(std::string_view channel, const json& record) const {
    const json& field = member(member(encoding, channel), "field");
    return field.is_string() ? member(record, field.get<std::string>()) : json();
  }

  [[nodiscard]] bool has(const char* channel) const { return encoding.contains(channel); }
};

Layer layer_of(const json& spec, json encoding) {
  Layer layer{.name = spec.value("name", ""),
              .encoding = std::move(encoding),
              .filters = {},
              .values = member(member(spec, "data"), "values")};
  if (spec.contains("encoding")) layer.encoding.update(spec["encoding"]);
  for (const json& transform : member(spec, "transform")) {
    if (transform.contains("filter")) layer.filters.push_back(transform["filter"]);
  }
  return layer;
}

/// The layers of a chart by their meaning.
struct Layers {
  explicit Layers(const json& spec) {
    const json& view = spec.contains("spec") ? spec["spec"] : spec;
    const json common = member(view, "encoding").is_null() ? json::object() : view["encoding"];
    for (const json& layer : view.at("layer")) add(layer_of(layer, common));
    if (marks.empty() && theory.empty()) std::swap(curves, theory);  // a chart of theory alone
    has_values_along_x = !marks.empty() && marks.front().encoding["y"]["type"] == "nominal";
  }

  /// Returns the channel of the independent quantity.
  [[nodiscard]] std::string_view x() const { return has_values_along_x ? "y" : "x"; }

  /// Returns the channel of the drawn values.
  [[nodiscard]] std::string_view y() const { return has_values_along_x ? "x" : "y"; }

  [[nodiscard]] std::string_view y2() const { return has_values_along_x ? "x2" : "y2"; }

  std::vector<Layer> marks{};
  std::vector<Layer> intervals{};
  std::vector<Layer> bands{};
  std::vector<Layer> theory{};  ///< one value per point, the best known first
  std::vector<Layer> classic{};
  std::vector<Layer> own{};     ///< layers with data of their own
  std::vector<Layer> curves{};  ///< lines of points; they are theory in a chart without marks
  bool has_values_along_x = false;

 private:
  void add(Layer layer) {
    const std::string& name = layer.name;
    if (layer.values.is_array()) {
      const bool is_line_or_point = !layer.has("x2") && !layer.has("y2");
      if (is_line_or_point && !name.empty()) own.push_back(std::move(layer));
    } else if (name.starts_with(kMeasured)) {
      marks.push_back(std::move(layer));
    } else if (name == "interval" || name == "repetitions") {
      intervals.push_back(std::move(layer));
    } else if (name == "band") {
      bands.push_back(std::move(layer));
    } else if (name == "exact" || name == "approximation" || name == "expected") {
      theory.push_back(std::move(layer));
    } else if (name == "classic") {
      classic.push_back(std::move(layer));
    } else if (name == "lines") {
      curves.push_back(std::move(layer));
    }
  }
};

const Layer* drawn_in(std::span<const Layer> layers, const json& record) {
  for (const Layer& layer : layers) {
    if (layer.draws(record)) return &layer;
  }
  return nullptr;
}

/// A line of the table.
struct CsvPoint {
  json facet;
  json series;
  std::string mark{};
  json x{};
  json y{};
  json interval_lower{};
  json interval_upper{};
  json theory{};
  json theory_name{};
  json classic{};
  json band_lower{};
  json band_upper{};
  json record{};
};

/// Returns the name of a mark: `measured`, or the part of the layer's name after `measured_`.
std::string mark_of(const std::string& layer) {
  return layer.size() > kMeasured.size() ? layer.substr(kMeasured.size() + 1) : layer;
}

/// Returns the names of the theory in the legend.
json name_of_theory(const json& record) {
  if (record.contains("line")) return record["line"];
  return record.contains("approximation") ? record["approximation"] : json(kExact);
}

CsvPoint point_of(const Layers& layers, const json& record) {
  CsvPoint point{.facet = member(record, "facet"), .series = member(record, "series")};
  const Layer* const mark = drawn_in(layers.marks, record);
  const Layer* const theory = drawn_in(layers.theory, record);
  for (const Layer* layer : {theory, mark}) {
    if (layer != nullptr) point.x = layer->value(layers.x(), record);
  }
  if (mark != nullptr) {
    point.mark = mark_of(mark->name);
    point.y = mark->value(layers.y(), record);
  }
  if (theory != nullptr) {
    point.theory = theory->value(layers.y(), record);
    point.theory_name = name_of_theory(record);
  }
  if (const Layer* const layer = drawn_in(layers.classic, record)) {
    point.classic = layer->value(layers.y(), record);
  }
  if (const Layer* const layer = drawn_in(layers.intervals, record)) {
    point.interval_lower = layer->value(layers.y(), record);
    point.interval_upper = layer->value(layers.y2(), record);
  }
  if (const Layer* const layer = drawn_in(layers.bands, record)) {
    point.band_lower = layer->value(layers.y(), record);
    point.band_upper = layer->value(layers.y2(), record);
  }
  point.record = record;
  return point;
}

/// Returns the number of values that occur before the first occurrence of each value.
class FirstPlaces {
 public:
  std::size_t operator()(const json& value) {
    return places_.try_emplace(value, places_.size()).first->second;
  }

 private:
  std::map<json, std::size_t> places_{};
};

/// Returns the points that a layer draws, by panel, by series in the order of the chart, and by x.
std::vector<CsvPoint> drawn_points(const Layers& layers, const json& values) {
  using Place = std::tuple<std::size_t, std::size_t, double>;
  FirstPlaces facets;
  FirstPlaces series;
  std::vector<std::pair<Place, CsvPoint>> placed;
  for (const json& record : values) {
    CsvPoint point = point_of(layers, record);
    if (point.x.is_null()) continue;  // not drawn
    const double x = point.x.is_number() ? point.x.get<double>() : 0;
    const json curve = {point.series, member(record, "line")};
    placed.emplace_back(Place{facets(point.facet), series(curve), x}, std::move(point));
  }
  std::stable_sort(placed.begin(), placed.end(),
                   [](const auto& a, const auto& b) { return a.first < b.first; });
  std::vector<CsvPoint> points;
  for (auto& [place, point] : placed) points.push_back(std::move(point));
  return points;
}

void add_own_values(const Layers& layers, std::vector<CsvPoint>& points) {
  for (const Layer& layer : layers.own) {
    for (const json& value : layer.values) {
      points.push_back({.facet = {},
                        .series = member(value, "series"),
                        .mark = layer.name,
                        .x = layer.value(layers.x(), value),
                        .y = layer.value(layers.y(), value)});
      points.back().record = value;
    }
  }
}

std::string cell_text(const json& value) {
  if (value.is_null()) return "";
  if (value.is_string()) return value.get<std::string>();
  return value.is_number_float() ? shortest_text(value.get<double>()) : value.dump();
}

/// Returns the title of the axis of a channel.
std::string title_of(const Layers& layers, std::string_view channel) {
  const Layer& layer = layers.marks.empty() ? layers.theory.front() : layers.marks.front();
  return cell_text(member(member(layer.encoding, channel), "title"));
}

}  // namespace

std::string chart_csv(const chart::Chart& chart, const chart::RowRecord& record) {
  const json spec = chart::with_data(chart, record);
  const Layers layers(spec);
  std::vector<CsvPoint> points = drawn_points(layers, spec["data"]["values"]);
  add_own_values(layers, points);
  const std::string x_title = title_of(layers, layers.x());
  const std::string y_title = title_of(layers, layers.y());
  return csv_table(std::span<const CsvPoint>(points), [&](const CsvPoint& point, auto visit) {
    visit("chart", chart.name);
    visit("facet", cell_text(point.facet));
    visit("series", cell_text(point.series));
    visit("mark", point.mark);
    visit("x", cell_text(point.x));
    visit("y", cell_text(point.y));
    visit("interval_lower", cell_text(point.interval_lower));
    visit("interval_upper", cell_text(point.interval_upper));
    visit("theory", cell_text(point.theory));
    visit("theory_name", cell_text(point.theory_name));
    visit("classic", cell_text(point.classic));
    visit("band_lower", cell_text(point.band_lower));
    visit("band_upper", cell_text(point.band_upper));
    visit("x_title", x_title);
    visit("y_title", y_title);
    for (const std::string_view name : kRecordColumns) {
      visit(name, cell_text(member(point.record, name)));
    }
  });
}

}  // namespace bloometry::report
